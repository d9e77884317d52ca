//! `number`. It takes every scalar.

use super::date_order::DateOrder;
use super::rules::{Kind, ORDER_OPERATORS, Setting};
use super::unknown;
use super::values::{is_scalar, scalar};
use crate::json::Value;

pub(super) struct Number;

impl Kind for Number {
    fn accepts(&self, value: &Value) -> bool {
        is_scalar(value)
    }

    fn expected(&self) -> &'static str {
        unknown::EXPECTED
    }

    fn read_cell(&self, text: String, _: Option<DateOrder>) -> Value {
        scalar(text)
    }

    fn settings(&self) -> &'static [Setting] {
        &[Setting::Placeholder, Setting::Default]
    }

    fn operators(&self) -> &'static [&'static str] {
        ORDER_OPERATORS
    }
}
