//! `number`, stored as a JSON number. A text that writes one is understood.

use super::date_order::DateOrder;
use super::rules::{Kind, ORDER_OPERATORS, Setting};
use super::values::{is_blank, scalar};
use crate::json::Value;

pub(super) struct Number;

impl Kind for Number {
    fn accepts(&self, value: &Value) -> bool {
        value.is_null() || value.is_number() || self.canonical(value).is_some()
    }

    fn canonical(&self, value: &Value) -> Option<Value> {
        let text = value.as_str()?;
        if is_blank(text) {
            return Some(Value::Null);
        }
        let number = scalar(text.to_owned());
        number.is_number().then_some(number)
    }

    fn expected(&self) -> &'static str {
        "a number or null"
    }

    fn read_cell(&self, text: String, _: Option<DateOrder>) -> Value {
        let text = Value::String(text);
        self.canonical(&text).unwrap_or(text)
    }

    fn settings(&self) -> &'static [Setting] {
        &[Setting::Placeholder, Setting::Default]
    }

    fn operators(&self) -> &'static [&'static str] {
        ORDER_OPERATORS
    }
}
