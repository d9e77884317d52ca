//! `datetime`: a point in time, stored as `{"$date": milliseconds}`, which sorts as time does.

use super::date::Date;
use super::date_order::DateOrder;
use super::rules::{Kind, ORDER_OPERATORS, Setting};
use super::values::is_blank;
use crate::Timestamp;
use crate::json::Value;

pub(super) struct DateTime;

impl Kind for DateTime {
    fn accepts(&self, value: &Value) -> bool {
        value.is_null() || self.canonical(value).is_some() || Timestamp::from_date(value).is_some()
    }

    fn canonical(&self, value: &Value) -> Option<Value> {
        let time = match value.as_str() {
            Some(text) if is_blank(text) => return Some(Value::Null),
            Some(text) => Timestamp::from_text(text.trim())?,
            None => Timestamp::from_date(value)?,
        };
        Some(time.to_date()).filter(|date| date != value)
    }

    fn expected(&self) -> &'static str {
        "a point in time (YYYY-MM-DD hh:mm, ISO 8601 or {\"$date\": milliseconds}) or null"
    }

    fn rejected(&self, value: &Value) -> String {
        Date.rejected(value)
    }

    fn read_cell(&self, text: String, dates: Option<DateOrder>) -> Value {
        Date.read_cell(text, dates)
    }

    fn settings(&self) -> &'static [Setting] {
        &[]
    }

    fn operators(&self) -> &'static [&'static str] {
        ORDER_OPERATORS
    }

    fn holds_dates(&self) -> bool {
        true
    }
}
