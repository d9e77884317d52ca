//! `select` and `radio`: one of some texts. Without `options` they take every text.

use super::rules::{CHOICE_OPERATORS, Kind, Setting};
use super::text::{EXPECTED, is_text};
use crate::json::Value;

pub(super) struct Choice;

impl Kind for Choice {
    fn accepts(&self, value: &Value) -> bool {
        is_text(value)
    }

    fn expected(&self) -> &'static str {
        EXPECTED
    }

    fn settings(&self) -> &'static [Setting] {
        &[Setting::Options, Setting::Value]
    }

    fn operators(&self) -> &'static [&'static str] {
        CHOICE_OPERATORS
    }

    fn holds_texts(&self) -> bool {
        true
    }
}
