//! `textarea`: a text of many lines.

use super::text::{EXPECTED, is_text};
use super::{Kind, Setting, TEXT_OPERATORS};
use crate::json::Value;

pub(super) struct Textarea;

impl Kind for Textarea {
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
        true
    }
}
