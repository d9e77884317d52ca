//! What the nodes are filled with: types of machines, whose fields all follow from a number.

use serde_json::{Value, json};

use crate::history::Document;

/// Few enough that a list of one colour is long.
pub(crate) const COLORS: [&str; 3] = ["red", "green", "blue"];

/// A type in the state that belongs to `value`.
pub(crate) fn type_body(name: &str, value: u32) -> Value {
    let mut body = type_change(value);
    body["name"] = name.into();
    body["author_id"] = 1.into();
    body
}

/// What makes a type be in that state: every second one has a field more, so that the index of its
/// objects changes as well.
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

/// An object of one owner.
pub(crate) fn object_body(type_id: i64, key: &str, owner: &str, value: u32) -> Value {
    let mut body = object_change(value);
    let fields = body["fields"].as_array_mut().expect("a list");
    fields.push(json!({"name": "key", "value": key}));
    fields.push(json!({"name": "owner", "value": owner}));
    body["type_id"] = type_id.into();
    body["author_id"] = 1.into();
    body
}

/// What gives an object another value.
pub(crate) fn object_change(value: u32) -> Value {
    let color = COLORS[value as usize % COLORS.len()];
    json!({"fields": [
        {"name": "color", "value": color},
        {"name": "value", "value": value.to_string()},
    ]})
}

/// The objects that have this value in this field.
pub(crate) fn having(field: &str, value: &str) -> Value {
    json!({"fields": {"$elemMatch": {"name": field, "value": value}}})
}

/// The text in a field of a native document.
pub(crate) fn text<'a>(document: &'a Value, field: &str) -> Option<&'a str> {
    let fields = document["fields"].as_array()?;
    let field = fields.iter().find(|each| each["name"] == field)?;
    field["value"].as_str()
}

/// What a native document says; its revision stands elsewhere. `None`: it contradicts itself.
pub(crate) fn read(document: &Value, revision: Option<i64>) -> Option<Document> {
    let value: u32 = text(document, "value")?.parse().ok()?;
    let color = text(document, "color")?;
    (color == COLORS[value as usize % COLORS.len()]).then_some(Document {
        revision,
        active: document["active"].as_bool()?,
        value,
    })
}
