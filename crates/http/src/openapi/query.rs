//! Query routes ([`QUERY`]) are documented from the GET of their list, which has the same handler.

use serde_json::{Map, Value, json};

use crate::routing::QUERY;

/// Adds the operations of all query routes.
pub(super) fn document(paths: &mut Map<String, Value>) {
    let queries: Vec<(String, Value)> = paths
        .iter()
        .filter_map(|(path, operations)| Some((path, operations.get("get")?)))
        .filter(|(_, get)| is_list(get))
        .map(|(path, get)| (format!("{path}{QUERY}"), json!({ "post": query(get) })))
        .collect();
    paths.extend(queries);
}

/// A search has a limit, too, but no parameter that can be long.
fn is_list(get: &Value) -> bool {
    let id = get["operationId"].as_str().unwrap_or_default();
    id.starts_with("list_") && parameters(get).any(|parameter| parameter["name"] == "limit")
}

fn parameters(operation: &Value) -> impl Iterator<Item = &Value> {
    operation["parameters"].as_array().into_iter().flatten()
}

fn query(get: &Value) -> Value {
    let mut post = get.clone();
    let id = get["operationId"].as_str().unwrap_or_default();
    post["operationId"] = json!(id.replacen("list_", "query_", 1));
    let summary = get["summary"].as_str().unwrap_or_default();
    post["summary"] = json!(format!("{summary}, with parameters in the body"));
    post["description"] = json!(
        "Like the GET of the list, for parameters that are too long for a URL. The members of the \
         body are the parameters of the GET; null means the default. Parameters in the URL take \
         precedence over those in the body. To follow a link of `pagination`, send the same body \
         to it."
    );
    let members: Map<String, Value> = parameters(get)
        .filter(|parameter| parameter["in"] == "query")
        .filter_map(|parameter| Some((parameter["name"].as_str()?.to_owned(), member(parameter))))
        .collect();
    post["requestBody"] = json!({
        "required": true,
        "content": { "application/json": { "schema": { "type": "object", "properties": members } } },
    });
    post
}

/// A parameter as a member: JSON as such, anything else as the text that the URL would have.
fn member(parameter: &Value) -> Value {
    let mut schema = match parameter["name"].as_str() {
        Some("filter") => json!({ "type": ["object", "string", "null"] }),
        Some("projection") => json!({ "anyOf": [
            { "type": ["object", "string", "null"] },
            { "type": "array", "items": { "type": "string" } },
        ] }),
        _ => json!({ "anyOf": [parameter["schema"].clone(), { "type": ["string", "null"] }] }),
    };
    schema["description"] = parameter["description"].clone();
    schema
}
