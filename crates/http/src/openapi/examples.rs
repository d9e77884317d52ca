//! Examples of every operation. A test sends them all, one after the other, and holds the file to what was answered.

use std::sync::LazyLock;

use serde_json::{Map, Value};

static EXAMPLES: LazyLock<Map<String, Value>> =
    LazyLock::new(|| serde_json::from_str(include_str!("examples.json")).unwrap_or_default());

/// Adds the example of an operation: its path, its request and its answer.
pub(super) fn add(operation: &mut Value) {
    let id = operation["operationId"].as_str().unwrap_or_default();
    let Some(example) = EXAMPLES.get(id) else {
        return;
    };
    for parameter in operation["parameters"].as_array_mut().into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap_or_default();
        if let Some(value) = example["path"].get(name) {
            parameter["example"] = value.clone();
        }
    }
    if let Some(request) = example.get("request") {
        set(&mut operation["requestBody"], request);
    }
    if let (Some(status), Some(response)) = (example["status"].as_str(), example.get("response")) {
        set(&mut operation["responses"][status], response);
    }
}

/// Every place that has a schema gets the example.
fn set(place: &mut Value, example: &Value) {
    for (_, content) in place["content"].as_object_mut().into_iter().flatten() {
        content["example"] = example.clone();
    }
}
