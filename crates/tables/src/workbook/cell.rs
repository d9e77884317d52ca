//! The value of a cell of a sheet.

use calamine::{DataRef, ExcelDateTime, ExcelDateTimeType};
use serde_json::{Number, Value};

use crate::Cell;

/// The seconds of a day.
const DAY: f64 = 86_400.0;
/// The day behind the last one that Excel knows, 9999-12-31.
const END: f64 = 2_958_466.0;
/// The days between the two days from which workbooks count.
const DAYS_TO_1904: f64 = 1_462.0;
/// From here on, several integers are the same number: 2^53.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The bytes of the text of a cell.
pub(super) fn bytes(value: &DataRef<'_>) -> usize {
    match value {
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            text.len()
        }
        DataRef::SharedString(text) => text.len(),
        _ => 0,
    }
}

pub(super) fn read_cell(value: &DataRef<'_>, is_1904: bool) -> Cell {
    match value {
        DataRef::Empty => Cell::Nothing,
        DataRef::Int(number) => Cell::Value(Value::from(*number)),
        DataRef::Float(number) => float(*number),
        DataRef::Bool(is_true) => Cell::Value(Value::Bool(*is_true)),
        DataRef::String(words) | DataRef::DateTimeIso(words) | DataRef::DurationIso(words) => {
            text(words)
        }
        DataRef::SharedString(words) => text(words),
        DataRef::DateTime(date) => date_time(*date, is_1904),
        DataRef::Error(error) => Cell::Broken(format!("is the error {error}")),
    }
}

fn text(text: &str) -> Cell {
    if text.is_empty() {
        Cell::Nothing
    } else if memchr::memchr(0, text.as_bytes()).is_some() {
        Cell::Broken("has a NUL character".to_owned())
    } else {
        Cell::Value(Value::from(text))
    }
}

fn float(number: f64) -> Cell {
    if number.fract() == 0.0 && number.abs() < EXACT {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "integral and within the range"
        )]
        let integer = number as i64;
        return Cell::Value(Value::from(integer));
    }
    if number.is_finite() && number.abs() >= EXACT {
        let problem = "is a number of more than 15 digits, which sheets do not keep: enter a text";
        return Cell::Broken(problem.to_owned());
    }
    match Number::from_f64(number) {
        Some(number) => Cell::Value(Value::Number(number)),
        None => Cell::Broken("is no number".to_owned()),
    }
}

/// A date with or without a time, a time of day, or a duration.
fn date_time(date: ExcelDateTime, is_1904: bool) -> Cell {
    // Doubles hold no exact seconds.
    let days = (date.as_f64() * DAY).round() / DAY;
    let end = if is_1904 { END - DAYS_TO_1904 } else { END };
    if !(0.0..end).contains(&days) {
        return Cell::Broken("is a date that Excel does not know".to_owned());
    }
    if date.is_duration() || days < 1.0 {
        return Cell::Value(Value::from(clock(days)));
    }
    let date = ExcelDateTime::new(days, ExcelDateTimeType::DateTime, is_1904);
    let (year, month, day, hour, minute, second, _) = date.to_ymd_hms_milli();
    let day = format!("{year:04}-{month:02}-{day:02}");
    Cell::Value(Value::from(match (hour, minute, second) {
        (0, 0, 0) => day,
        _ => format!("{day}T{hour:02}:{minute:02}:{second:02}"),
    }))
}

/// Hours, minutes and seconds; more than 24 hours for a long duration.
fn clock(days: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the caller checked the range"
    )]
    let seconds = (days * DAY).round() as u64;
    let (minutes, second) = (seconds / 60, seconds % 60);
    format!("{:02}:{:02}:{second:02}", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_keep_their_kind() {
        for (number, expected) in [
            (8.0, json!(8)),
            (-8.0, json!(-8)),
            (0.1, json!(0.1)),
            (1e15, json!(1_000_000_000_000_000_i64)),
            (9_007_199_254_740_991.0, json!(9_007_199_254_740_991_i64)),
            (-0.0, json!(0)),
        ] {
            assert_eq!(float(number), Cell::Value(expected));
        }
        for number in [f64::NAN, f64::INFINITY, EXACT, -EXACT, 1e16, 1e300] {
            assert!(matches!(float(number), Cell::Broken(_)), "{number}");
        }
    }

    #[test]
    fn dates_are_iso_texts() {
        use ExcelDateTimeType::{DateTime, TimeDelta};
        for (days, kind, is_1904, expected) in [
            (45_351.0, DateTime, false, "2024-02-29"),
            (45_351.5, DateTime, false, "2024-02-29T12:00:00"),
            (
                45_351.354_166_666_664,
                DateTime,
                false,
                "2024-02-29T08:30:00",
            ),
            (45_351.999_999_9, DateTime, false, "2024-03-01"),
            (43_889.0, DateTime, true, "2024-02-29"),
            (0.75, DateTime, false, "18:00:00"),
            (1.5, TimeDelta, false, "36:00:00"),
            (1.0, DateTime, false, "1900-01-01"),
            (2_958_465.0, DateTime, false, "9999-12-31"),
        ] {
            let date = ExcelDateTime::new(days, kind, is_1904);
            assert_eq!(
                date_time(date, is_1904),
                Cell::Value(json!(expected)),
                "{days}"
            );
        }
        for days in [-1.0, 2_958_466.0, 1e300, f64::NAN, f64::INFINITY] {
            let date = ExcelDateTime::new(days, DateTime, false);
            assert!(matches!(date_time(date, false), Cell::Broken(_)), "{days}");
        }
    }
}
