//! The test data: types of machines whose fields all derive from a number.

use serde_json::{Value, json};

use crate::history::Document;

/// Few enough that lists by color are long.
pub(crate) const COLORS: [&str; 3] = ["red", "green", "blue"];

/// A type in the state for `value`.
pub(crate) fn type_body(name: &str, value: u32) -> Value {
    let mut body = type_change(value);
    body["name"] = name.into();
    body["author_id"] = 1.into();
    body
}

/// The members that put a type in the state for `value`: every second state has another field, so
/// that the index of its objects changes, too.
pub(crate) fn type_change(value: u32) -> Value {
    let mut names = vec!["key", "owner", "color", "value"];
    if !value.is_multiple_of(2) {
        names.push("extra");
    }
    let fields: Vec<Value> = names
        .into_iter()
        .map(|name| json!({"type": "text", "name": name, "label": name}))
        .collect();
    json!({"label": value.to_string(), "fields": fields})
}

/// An object with an owner.
pub(crate) fn object_body(type_id: i64, key: &str, owner: &str, value: u32) -> Value {
    let mut body = object_change(value);
    let fields = body["fields"].as_array_mut().expect("a list");
    fields.push(json!({"name": "key", "value": key}));
    fields.push(json!({"name": "owner", "value": owner}));
    body["type_id"] = type_id.into();
    body["author_id"] = 1.into();
    body
}

/// The members that give an object another value.
pub(crate) fn object_change(value: u32) -> Value {
    let color = COLORS[value as usize % COLORS.len()];
    json!({"fields": [
        {"name": "color", "value": color},
        {"name": "value", "value": value.to_string()},
    ]})
}

/// A filter for the objects with this value in this field.
pub(crate) fn having(field: &str, value: &str) -> Value {
    json!({"fields": {"$elemMatch": {"name": field, "value": value}}})
}

/// The text in a field of a native document.
pub(crate) fn text<'a>(document: &'a Value, field: &str) -> Option<&'a str> {
    let fields = document["fields"].as_array()?;
    let field = fields.iter().find(|each| each["name"] == field)?;
    field["value"].as_str()
}

/// The state that a native document shows; its revision comes from a header. `None` if its fields
/// contradict each other.
pub(crate) fn read(document: &Value, revision: Option<i64>) -> Option<Document> {
    let value: u32 = text(document, "value")?.parse().ok()?;
    let color = text(document, "color")?;
    (color == COLORS[value as usize % COLORS.len()]).then_some(Document {
        revision,
        active: document["active"].as_bool()?,
        value,
    })
}
