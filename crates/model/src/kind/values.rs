//! Values and texts, for kinds without rules of their own.

use crate::Timestamp;
use crate::json::Value;

/// Whether a kind without rules of its own takes a value: any but a list or an object.
pub(super) fn is_scalar(value: &Value) -> bool {
    !value.is_array() && (!value.is_object() || Timestamp::from_date(value).is_some())
}

/// Whether a text has nothing to read.
pub(super) fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

pub(super) fn line_text(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        other => {
            Timestamp::from_date(&other).map_or_else(|| other.to_string(), Timestamp::to_plain)
        }
    }
}

/// A number, boolean or object if the text is one, else the text. So is an integer of more than 64
/// bits: as a number it would lose its last digits.
pub(super) fn scalar(text: String) -> Value {
    match serde_json::from_str(text.trim()) {
        Ok(Value::Number(number)) if number.is_f64() && !text.contains(['.', 'e', 'E']) => {
            Value::String(text)
        }
        Ok(value @ (Value::Number(_) | Value::Bool(_) | Value::Object(_))) => value,
        _ => Value::String(text),
    }
}
