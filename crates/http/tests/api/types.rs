//! Types (spec, "Types").

mod definition;
mod objects;

use serde_json::{Value, json};

/// Where types stand.
const PATH: &str = "/rest/types";

fn field(kind: &str, name: &str) -> Value {
    json!({"type": kind, "name": name, "label": name})
}

fn body(name: &str, fields: &[Value]) -> Value {
    json!({"name": name, "author_id": 1, "fields": fields})
}
