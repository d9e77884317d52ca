//! Texts that have one form, such as addresses: a file of its own says which.

use super::rules::{Kind, Setting, TEXT_OPERATORS};
use super::values::is_blank;
use crate::json::Value;

pub(super) struct FormattedText {
    /// The one form of a text without spaces around it; `None` if it is no value.
    pub(super) canonical: fn(&str) -> Option<String>,
    pub(super) expected: &'static str,
    pub(super) settings: &'static [Setting],
}

impl Kind for FormattedText {
    fn accepts(&self, value: &Value) -> bool {
        let is_one = |text: &str| is_blank(text) || (self.canonical)(text.trim()).is_some();
        value.is_null() || value.as_str().is_some_and(is_one)
    }

    fn canonical(&self, value: &Value) -> Option<Value> {
        let text = value.as_str()?;
        if is_blank(text) {
            return Some(Value::Null);
        }
        let canonical = (self.canonical)(text.trim());
        canonical.filter(|one| one != text).map(Value::String)
    }

    fn expected(&self) -> &'static str {
        self.expected
    }

    fn settings(&self) -> &'static [Setting] {
        self.settings
    }

    fn operators(&self) -> &'static [&'static str] {
        TEXT_OPERATORS
    }

    fn holds_texts(&self) -> bool {
        true
    }
}
