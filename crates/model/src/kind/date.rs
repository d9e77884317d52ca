//! `date`: a day or a point in time, in the form in which it was sent.

use super::date_order::DateOrder;
use super::rules::{Kind, ORDER_OPERATORS, Setting, beginning};
use crate::Timestamp;
use crate::json::Value;

pub(super) struct Date;

impl Kind for Date {
    fn accepts(&self, value: &Value) -> bool {
        let is_readable = |text: &str| text.is_empty() || Timestamp::from_text(text).is_some();
        value.is_null()
            || value.as_str().is_some_and(is_readable)
            || Timestamp::from_date(value).is_some()
    }

    fn expected(&self) -> &'static str {
        "a date (YYYY-MM-DD, ISO 8601 or {\"$date\": milliseconds}) or null"
    }

    fn rejected(&self, value: &Value) -> String {
        match value.as_str() {
            Some(text) => no_date(text),
            None => crate::body::kind(value).to_owned(),
        }
    }

    fn read_cell(&self, text: String, dates: Option<DateOrder>) -> Value {
        let trimmed = text.trim();
        let told = || dates.and_then(|order| order.iso(trimmed));
        let date = iso(trimmed).or_else(told);
        Value::String(date.unwrap_or(text))
    }

    /// The same for all forms.
    fn line_text(&self, value: Value) -> String {
        let Some(text) = value.as_str() else {
            return super::values::line_text(value);
        };
        let time = Timestamp::from_text(text);
        time.map(Timestamp::to_plain).unwrap_or_default()
    }

    fn comparable(&self, value: &Value) -> Option<Value> {
        let time = Timestamp::from_text(value.as_str()?)?;
        Some(time.to_date())
    }

    fn time(&self, text: &str) -> Option<Timestamp> {
        Timestamp::from_text(text)
    }

    fn settings(&self) -> &'static [Setting] {
        &[Setting::Value]
    }

    fn operators(&self) -> &'static [&'static str] {
        ORDER_OPERATORS
    }

    fn holds_dates(&self) -> bool {
        true
    }
}

/// A date as ISO 8601. `31.12.2026` is one, too; `12/31/2026` means different days to different
/// people.
fn iso(text: &str) -> Option<String> {
    if Timestamp::from_text(text).is_some() {
        return Some(text.to_owned());
    }
    let mut parts = text.split('.').map(str::trim);
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    // Two digits may be of any century.
    if year.len() != 4 || parts.next().is_some() {
        return None;
    }
    let (day, month) = (day.parse::<u32>().ok()?, month.parse::<u32>().ok()?);
    let iso = format!("{year}-{month:02}-{day:02}");
    Timestamp::from_text(&iso).is_some().then_some(iso)
}

/// A text that is no date, as words for a message.
fn no_date(text: &str) -> String {
    let start = beginning(text);
    let names_a_day = text.get(..10).is_some_and(is_year_month_day);
    if names_a_day && Timestamp::from_text(&text[..10]).is_none() {
        format!("{start}: there is no such day")
    } else {
        start
    }
}

/// Whether a text has the form YYYY-MM-DD.
fn is_year_month_day(text: &str) -> bool {
    let mut bytes = text.bytes().enumerate();
    bytes.all(|(index, byte)| match index {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    })
}
