//! `checkbox`: yes or no, stored as a JSON boolean. What people and programs write is understood.

use super::date_order::DateOrder;
use super::rules::{Kind, Setting};
use super::values::is_blank;
use crate::body::integer;
use crate::json::Value;

pub(super) struct Checkbox;

impl Kind for Checkbox {
    fn accepts(&self, value: &Value) -> bool {
        value.is_null() || value.is_boolean() || self.canonical(value).is_some()
    }

    fn canonical(&self, value: &Value) -> Option<Value> {
        match value.as_str() {
            Some(text) if is_blank(text) => Some(Value::Null),
            Some(text) => boolean(text.trim()).map(Value::Bool),
            None => match integer(value)? {
                0 => Some(Value::Bool(false)),
                1 => Some(Value::Bool(true)),
                _ => None,
            },
        }
    }

    fn expected(&self) -> &'static str {
        "true, false or null"
    }

    fn read_cell(&self, text: String, _: Option<DateOrder>) -> Value {
        boolean(text.trim()).map_or(Value::String(text), Value::Bool)
    }

    fn settings(&self) -> &'static [Setting] {
        &[Setting::Value]
    }

    fn operators(&self) -> &'static [&'static str] {
        &["$eq", "$ne"]
    }
}

/// What people and programs write for yes and no.
pub(super) fn boolean(text: &str) -> Option<bool> {
    match &*text.to_ascii_lowercase() {
        "true" | "yes" | "y" | "on" | "1" => Some(true),
        "false" | "no" | "n" | "off" | "0" => Some(false),
        _ => None,
    }
}
