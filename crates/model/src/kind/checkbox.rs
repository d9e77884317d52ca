//! `checkbox`: yes or no. It takes every scalar.

use super::date_order::DateOrder;
use super::rules::{Kind, Setting};
use super::unknown;
use super::values::{is_scalar, scalar};
use crate::json::Value;

pub(super) struct Checkbox;

impl Kind for Checkbox {
    fn accepts(&self, value: &Value) -> bool {
        is_scalar(value)
    }

    fn expected(&self) -> &'static str {
        unknown::EXPECTED
    }

    fn read_cell(&self, text: String, _: Option<DateOrder>) -> Value {
        boolean(text.trim()).map_or_else(|| scalar(text), Value::Bool)
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
        "true" | "yes" | "1" => Some(true),
        "false" | "no" | "0" => Some(false),
        _ => None,
    }
}
