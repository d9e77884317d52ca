//! `ref`, `ref-section-field`, `location`, and every kind with `ref_types`: the id of an object.

use super::date_order::DateOrder;
use super::rules::{CHOICE_OPERATORS, Kind, Setting};
use crate::id::{ObjectId, decimal};
use crate::json::Value;
use crate::object::is_empty;

pub(super) struct Reference {
    pub(super) is_location: bool,
}

impl Kind for Reference {
    fn accepts(&self, value: &Value) -> bool {
        is_empty(value) || reference_target(value).is_some()
    }

    fn expected(&self) -> &'static str {
        "the id of an object or null"
    }

    fn comparable(&self, value: &Value) -> Option<Value> {
        reference_target(value).map(|id| Value::from(id.get()))
    }

    fn read_cell(&self, text: String, _: Option<DateOrder>) -> Value {
        text.trim()
            .parse::<i64>()
            .map_or(Value::String(text), Value::from)
    }

    fn settings(&self) -> &'static [Setting] {
        &[Setting::RefTypes, Setting::Summaries]
    }

    fn operators(&self) -> &'static [&'static str] {
        CHOICE_OPERATORS
    }

    fn is_reference(&self) -> bool {
        true
    }

    fn is_location(&self) -> bool {
        self.is_location
    }
}

/// The object that a value of a reference field names; `12` and `"12"` are the same
/// (`docs/guide/src/values.md`).
#[must_use]
pub fn reference_target(value: &Value) -> Option<ObjectId> {
    let id = match value {
        Value::String(text) => decimal(text),
        other => crate::body::integer(other),
    };
    ObjectId::new(id?)
}
