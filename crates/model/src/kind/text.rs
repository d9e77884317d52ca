//! `text`, a line of text, and `textarea`, a text of many lines.

use super::rules::{Kind, Setting, TEXT_OPERATORS};
use crate::json::Value;

pub(super) struct Text {
    pub(super) is_long: bool,
}

impl Kind for Text {
    fn accepts(&self, value: &Value) -> bool {
        is_text(value)
    }

    fn expected(&self) -> &'static str {
        EXPECTED
    }

    fn settings(&self) -> &'static [Setting] {
        &[Setting::Placeholder, Setting::Regex, Setting::Value]
    }

    fn operators(&self) -> &'static [&'static str] {
        TEXT_OPERATORS
    }

    fn holds_texts(&self) -> bool {
        true
    }

    fn is_long(&self) -> bool {
        self.is_long
    }
}

/// What kinds of texts expect.
pub(super) const EXPECTED: &str = "a text or null";

/// Whether a value is a text or null.
pub(super) fn is_text(value: &Value) -> bool {
    value.is_null() || value.is_string()
}
