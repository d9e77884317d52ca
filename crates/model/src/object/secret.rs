//! Password fields: the document holds null, and their values are stored encrypted outside it
//! (`docs/guide/src/objects.md`).

use super::item;
use crate::Type;
use crate::json::Value;

/// What readers see in place of a stored password; sending it back keeps the password.
pub const MASK: &str = "••••••";

/// Whether a value is [`MASK`].
#[must_use]
pub fn is_mask(value: &Value) -> bool {
    value.as_str() == Some(MASK)
}

/// The change that a write makes to the password of one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecretChange {
    /// The mask was sent back.
    Keep,
    /// A new password, in plain text.
    Set(String),
}

/// Takes the values of password fields out of `items` and leaves null in their place.
#[must_use]
pub fn take(definition: &Type, items: &mut [Value]) -> Vec<(String, SecretChange)> {
    let mut changes = Vec::new();
    // Most types have none, and then no field need be looked for.
    if !definition
        .fields()
        .iter()
        .any(|field| field.kind.is_secret())
    {
        return changes;
    }
    for entry in items {
        let Some(name) = entry.get("name").and_then(Value::as_str).map(str::to_owned) else {
            continue;
        };
        if !definition
            .field(&name)
            .is_some_and(|field| field.kind.is_secret())
        {
            continue;
        }
        let change = match entry.get("value") {
            Some(value) if is_mask(value) => Some(SecretChange::Keep),
            Some(Value::String(text)) if !text.is_empty() => Some(SecretChange::Set(text.clone())),
            _ => None,
        };
        if let Some(change) = change {
            *entry = item(&name, Value::Null);
            changes.push((name, change));
        }
    }
    changes
}

/// Sets the value of every field for which `reveal` returns one: the mask, or the password for
/// readers who may see it.
pub fn put(items: &mut [Value], reveal: impl Fn(&str) -> Option<String>) {
    for entry in items {
        if let Some(name) = entry.get("name").and_then(Value::as_str)
            && let Some(shown) = reveal(name)
        {
            *entry = item(name, Value::String(shown));
        }
    }
}
