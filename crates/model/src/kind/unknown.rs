//! Any other word: every scalar.

use super::date_order::DateOrder;
use super::rules::{Kind, Setting, TEXT_OPERATORS};
use super::values::{is_scalar, scalar};
use crate::json::Value;

pub(super) struct Unknown;

impl Kind for Unknown {
    fn accepts(&self, value: &Value) -> bool {
        is_scalar(value)
    }

    fn expected(&self) -> &'static str {
        EXPECTED
    }

    fn read_cell(&self, text: String, _: Option<DateOrder>) -> Value {
        scalar(text)
    }

    fn settings(&self) -> &'static [Setting] {
        &[Setting::Placeholder, Setting::Regex, Setting::Value]
    }

    fn operators(&self) -> &'static [&'static str] {
        TEXT_OPERATORS
    }
}

/// What kinds of scalars expect.
pub(super) const EXPECTED: &str = "a text, number, boolean, date or null";
