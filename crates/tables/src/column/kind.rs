//! What a single value is.

use serde_json::{Number, Value};

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Integer,
    Number,
    Boolean,
    Date,
    Other,
}

/// The longest text that can be something else than a text: a date with time and offset, or a number
/// with many digits.
const LONGEST: usize = 40;

pub(super) fn of_value(value: &Value) -> Kind {
    match value {
        Value::Bool(_) => Kind::Boolean,
        Value::Number(number) if number.is_f64() => Kind::Number,
        Value::Number(_) => Kind::Integer,
        Value::String(text) => of_text(text),
        // The form of dates in our documents.
        Value::Object(members) if members.len() == 1 && members.contains_key("$date") => Kind::Date,
        Value::Null | Value::Array(_) | Value::Object(_) => Kind::Other,
    }
}

pub(super) fn of_text(whole: &str) -> Kind {
    let text = whole.trim_ascii();
    let Some(first) = text.bytes().next().filter(|_| text.len() <= LONGEST) else {
        return Kind::Other;
    };
    match first {
        b'0'..=b'9' if is_date(text) => Kind::Date,
        b'-' | b'0'..=b'9' => of_number(whole),
        b't' | b'f' | b'y' | b'n' | b'T' | b'F' | b'Y' | b'N' if is_boolean(text) => Kind::Boolean,
        _ => Kind::Other,
    }
}

fn is_boolean(text: &str) -> bool {
    let words = ["true", "false", "yes", "no"];
    words.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// A number is one that JSON would write the same: ` 5`, `007`, `10.10`, `34E111` and integers of more
/// than 64 bits are likely the numbers of things, and would not come back as they were.
fn of_number(text: &str) -> Kind {
    let number: Option<Number> = text.parse().ok();
    match number {
        Some(number) if number.to_string() != text => Kind::Other,
        Some(number) if number.is_f64() => Kind::Number,
        Some(_) => Kind::Integer,
        None => Kind::Other,
    }
}

/// The digits at the beginning, and the rest.
fn digits(text: &str) -> (&str, &str) {
    let end = text.bytes().take_while(u8::is_ascii_digit).count();
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Whether a text is a date like `2024-02-29`, maybe with a time, or like `29.2.2024`. Dates with
/// slashes are none, because the month may stand first or second.
fn is_date(text: &str) -> bool {
    let (first, rest) = digits(text);
    match (first.len(), rest.chars().next()) {
        (4, Some('-')) => {
            let Some((date, rest)) = text.split_at_checked(10) else {
                return false;
            };
            let parts = [date.get(0..4), date.get(5..7), date.get(8..10)];
            date.get(7..8) == Some("-") && is_day(parts) && (rest.is_empty() || is_time(rest))
        }
        (1 | 2, Some('.')) => {
            let mut parts = text.split('.');
            let (day, month, year) = (parts.next(), parts.next(), parts.next());
            let year = year.filter(|year| year.len() == 4);
            let month = month.filter(|month| month.len() <= 2);
            parts.next().is_none() && is_day([year, month, day])
        }
        _ => false,
    }
}

/// Whether year, month and day are in the calendar.
fn is_day([year, month, day]: [Option<&str>; 3]) -> bool {
    let (Some(year), Some(month), Some(day)) = (number(year), number(month), number(day)) else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// Whether a text is the time behind a date: `T12:30`, ` 12:30:05.25`, `T12:30:05Z` or
/// `T12:30:05+01:00`.
fn is_time(text: &str) -> bool {
    let Some(text) = text.strip_prefix(['T', 't', ' ']) else {
        return false;
    };
    let zone = text.find(['Z', 'z', '+', '-']).unwrap_or(text.len());
    let (time, zone) = text.split_at_checked(zone).unwrap_or((text, ""));
    let zone = match zone.strip_prefix(['+', '-']) {
        Some(offset) => is_clock(offset) || offset.len() == 4 && digits(offset).1.is_empty(),
        None => matches!(zone, "" | "Z" | "z"),
    };
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    zone && is_clock(clock) && !fraction.is_empty() && digits(fraction).1.is_empty()
}

/// Whether a text is `12:30` or `12:30:05`.
fn is_clock(text: &str) -> bool {
    let mut parts = text.split(':');
    let mut part = |limit| {
        let part = parts.next()?;
        Some(part.len() == 2 && number(Some(part)).is_some_and(|number| number < limit))
    };
    let clock = [part(24), part(60), part(61)];
    clock[0] == Some(true)
        && clock[1] == Some(true)
        && clock[2] != Some(false)
        && parts.next().is_none()
}

fn number(text: Option<&str>) -> Option<u32> {
    let text = text.filter(|text| !text.is_empty() && digits(text).1.is_empty())?;
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_apart() {
        for (kind, texts) in [
            (Kind::Integer, &["0", "-7", "12345678901234567890"][..]),
            (Kind::Number, &["0.5", "-3.25", "10.0"]),
            (Kind::Boolean, &["true", "FALSE", "Yes", "no"]),
            (
                Kind::Date,
                &[
                    "2024-02-29",
                    "2024-02-28T12:30",
                    "2024-02-28 12:30:05",
                    "2024-02-28T12:30:05.123Z",
                    "2024-02-28T12:30:05+01:00",
                    "2024-02-28T12:30:05-0100",
                    "1.2.2024",
                    "31.12.2024",
                ],
            ),
            (
                Kind::Other,
                &[
                    "",
                    " ",
                    "007",
                    " 5",
                    "10.10",
                    "34E111",
                    "-1e3",
                    "1.5E-7",
                    "-0",
                    "89490200001234567890",
                    "+5",
                    "1,5",
                    "1.",
                    ".5",
                    "1e",
                    "-",
                    "--1",
                    "0x1",
                    "1 2",
                    "NaN",
                    "y",
                    "none",
                    "2023-02-29",
                    "2024-13-01",
                    "2024-00-10",
                    "2024-1-1",
                    "2024-01-01x",
                    "2024-01-01T",
                    "2024-01-01T25:00",
                    "2024-01-01T1:00",
                    "2024-01-01T10:00:",
                    "01/02/2024",
                    "32.1.2024",
                    "1.13.2024",
                    "1.2.24",
                    "1.2.3.4",
                    "10.0.0.1",
                    "2024-üü-01",
                    "2024-0ü1-01",
                    "1.ü.2024",
                    "99999999999.1.2024x",
                    "web-01",
                    "12345678901234567890123456789012345678901",
                ],
            ),
        ] {
            for text in texts {
                assert_eq!(of_text(text), kind, "{text:?}");
            }
        }
    }
}
