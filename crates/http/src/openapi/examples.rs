//! Examples of every operation. A test sends them all in order and compares the answers with the
//! file.

use serde_json::{Map, Value};

/// The examples by operation. They are read for one document, and not kept.
pub(super) fn all() -> Map<String, Value> {
    serde_json::from_str(include_str!("examples.json")).unwrap_or_default()
}

/// Adds the example of an operation: its path, its request and its answer.
pub(super) fn add(examples: &Map<String, Value>, operation: &mut Value) {
    let id = operation["operationId"].as_str().unwrap_or_default();
    let Some(example) = examples.get(id) else {
        return;
    };
    // Indexing with a missing name would insert null.
    let parameters = operation.get_mut("parameters");
    let parameters = parameters.and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap_or_default();
        if let Some(value) = example["path"].get(name) {
            let is_text = parameter["schema"]["type"] == "string" && !value.is_string();
            parameter["example"] = if is_text {
                Value::from(value.to_string())
            } else {
                value.clone()
            };
        }
    }
    if let (Some(request), Some(target)) =
        (example.get("request"), operation.get_mut("requestBody"))
    {
        set(target, request);
    }
    if let (Some(status), Some(response)) = (example["status"].as_str(), example.get("response"))
        && let Some(target) = operation["responses"].get_mut(status)
    {
        set(target, response);
    }
}

/// Sets the example in the contents of its kind: a text, or JSON.
fn set(target: &mut Value, example: &Value) {
    let contents = target.get_mut("content").and_then(Value::as_object_mut);
    for (media_type, content) in contents.into_iter().flatten() {
        let is_json = media_type.ends_with("json") && media_type != "application/x-ndjson";
        if is_json != example.is_string() {
            content["example"] = example.clone();
        }
    }
}
