//! Rendered fields: the definition with the value of the object.

use serde_json::{Map, Value};
use stockroom_model::object::secret::MASK;
use stockroom_model::r#type::FieldDefinition;
use stockroom_model::{Object, Timestamp};

use crate::{World, reference};

/// How the values of password fields are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Secrets {
    /// As the object holds them.
    AsHeld,
    /// Masked if set.
    Masked,
}

/// A field with what it references, as long as there are `hops` left.
pub(crate) fn entry(
    field: &FieldDefinition,
    object: Option<&Object>,
    world: &impl World,
    hops: usize,
    secrets: Secrets,
) -> Map<String, Value> {
    let mut entry = plain(field, object, secrets);
    if hops > 0
        && let Some(value) = object.and_then(|object| object.value(&field.name))
        && let Some(reference) = reference::reference(field, value, world)
    {
        entry.insert("reference".to_owned(), reference);
    }
    entry
}

/// A field without what it references.
pub(crate) fn plain(
    field: &FieldDefinition,
    object: Option<&Object>,
    secrets: Secrets,
) -> Map<String, Value> {
    let mut entry = definition(field);
    let initial = entry.shift_remove("value");
    let held = object.and_then(|object| object.value(&field.name));
    if held.is_some()
        && let Some(initial) = initial.filter(is_given)
    {
        entry.insert("default".to_owned(), initial);
    }
    if field.is_password()
        && let Some(default) = entry.get_mut("default").filter(|default| is_given(default))
    {
        *default = Value::from(MASK);
    }
    let value = held.map_or(Value::Null, |held| shown(field, held, secrets));
    entry.insert("value".to_owned(), value);
    entry
}

/// The definition as sent, without keys that would pass for results of rendering.
fn definition(field: &FieldDefinition) -> Map<String, Value> {
    let mut entry = field.definition.clone();
    for key in ["reference", "references"] {
        entry.shift_remove(key);
    }
    for (key, text) in [
        ("type", &field.kind),
        ("name", &field.name),
        ("label", &field.label),
    ] {
        entry
            .entry(key)
            .or_insert_with(|| Value::from(text.as_str()));
    }
    entry
}

fn shown(field: &FieldDefinition, held: &Value, secrets: Secrets) -> Value {
    match held {
        Value::Null => Value::Null,
        Value::String(text) if text.is_empty() => held.clone(),
        _ if field.is_password() && secrets == Secrets::Masked => Value::from(MASK),
        Value::String(text) if field.is_date() => {
            Timestamp::from_text(text).map_or(Value::Null, Timestamp::to_date)
        }
        _ => held.clone(),
    }
}

/// Whether a value says anything: null, `""`, 0, false and empty containers do not.
pub(crate) fn is_given(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
    }
}
