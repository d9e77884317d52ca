//! The query parameters of each route, taken from the document, so that every accepted parameter is
//! documented.

use serde_json::Value;

use crate::request::ParameterNames;

/// The names of the query parameters of all routes.
pub(crate) fn parameter_names() -> ParameterNames {
    // On a thread that ends, so that the allocator gives back what the document takes.
    std::thread::spawn(read).join().unwrap_or_default()
}

fn read() -> ParameterNames {
    let document = super::document();
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
