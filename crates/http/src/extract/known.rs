//! The query parameters of each route, taken from the OpenAPI document, so that every accepted
//! parameter is documented.

use std::collections::HashMap;
use std::sync::LazyLock;

use axum::extract::MatchedPath;
use axum::http::Method;
use axum::http::request::Parts;
use serde_json::Value;

use crate::openapi;
use crate::state::AppState;

/// Names by path, then by method in lower case.
type Known = HashMap<String, HashMap<String, Vec<String>>>;

/// Made on a thread that ends, so that the allocator gives back what the document takes.
static KNOWN: LazyLock<Known> =
    LazyLock::new(|| std::thread::spawn(known).join().unwrap_or_default());

fn known() -> Known {
    let document = openapi::document();
    let paths = document["paths"].as_object().into_iter().flatten();
    paths
        .map(|(path, operations)| {
            let operations = operations.as_object().into_iter().flatten();
            let names = operations.map(|(method, operation)| (method.clone(), names(operation)));
            (path.clone(), names.collect())
        })
        .collect()
}

/// The names of the query parameters of an operation.
fn names(operation: &Value) -> Vec<String> {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    parameters
        .filter(|parameter| parameter["in"] == "query")
        .filter_map(|parameter| parameter["name"].as_str())
        .map(str::to_owned)
        .collect()
}

/// The query parameters that the route of a request takes.
pub(super) fn parameters(parts: &Parts, state: &AppState) -> &'static [String] {
    let path = parts.extensions.get::<MatchedPath>();
    let path = path.map_or("", MatchedPath::as_str);
    let path = path
        .strip_prefix(state.config.base_path.as_str())
        .unwrap_or(path);
    let method = match parts.method {
        Method::HEAD => "get".to_owned(),
        ref method => method.as_str().to_ascii_lowercase(),
    };
    KNOWN
        .get(path)
        .and_then(|operations| operations.get(&method))
        .map_or(&[], Vec::as_slice)
}
