//! Points in time: 64-bit microseconds UTC inside, three forms outside (spec, "Response envelopes").

use jiff::civil::{Date, DateTime};
use jiff::fmt::temporal::DateTimePrinter;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

const ISO: DateTimePrinter = DateTimePrinter::new().precision(Some(6));
const SPACED: DateTimePrinter = ISO.separator(b' ');
const PLAIN: DateTimePrinter = SPACED.precision(Some(0));

/// Microseconds since 1970-01-01 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// From whole milliseconds; `None` past the range of 64-bit microseconds.
    #[must_use]
    pub fn from_millis(millis: i64) -> Option<Self> {
        millis.checked_mul(1_000).map(Self)
    }

    /// Whole milliseconds, rounded down.
    #[must_use]
    pub const fn millis(self) -> i64 {
        self.0.div_euclid(1_000)
    }

    /// Whole seconds, rounded down.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    /// The form of object documents: `{"$date": ms}`.
    #[must_use]
    pub fn to_date(self) -> Value {
        json!({ "$date": self.millis() })
    }

    /// `YYYY-MM-DDTHH:MM:SS.ffffff`, UTC without suffix: envelopes of objects, types and categories.
    #[must_use]
    pub fn to_iso(self) -> String {
        ISO.datetime_to_string(&self.civil())
    }

    /// `YYYY-MM-DD HH:MM:SS.ffffff`: envelopes of users, groups, rights and settings.
    #[must_use]
    pub fn to_spaced(self) -> String {
        SPACED.datetime_to_string(&self.civil())
    }

    /// `YYYY-MM-DD HH:MM:SS`: how a date reads in a summary line.
    #[must_use]
    pub fn to_plain(self) -> String {
        PLAIN.datetime_to_string(&self.civil())
    }

    /// The calendar ends in the year 9999; what lies past it is shown as its border.
    fn civil(self) -> DateTime {
        let utc = jiff::Timestamp::from_microsecond(self.0).unwrap_or(if self.0 < 0 {
            jiff::Timestamp::MIN
        } else {
            jiff::Timestamp::MAX
        });
        TimeZone::UTC.to_datetime(utc)
    }

    /// Reads `YYYY-MM-DD`, `YYYY-MM-DD[T ]hh:mm[:ss[.f]]`, with an optional `Z` or offset; no zone means UTC.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        if let Some(first_ten) = text.get(..10)
            && text.len() == 10
        {
            let date: Date = first_ten.parse().ok()?;
            return Self::from_civil(date.at(0, 0, 0, 0));
        }
        let separated = text
            .as_bytes()
            .get(10)
            .is_some_and(|byte| matches!(byte, b'T' | b't' | b' '));
        if !separated {
            return None;
        }
        if let Ok(instant) = text.parse::<jiff::Timestamp>() {
            return Some(Self(instant.as_microsecond()));
        }
        text.parse::<DateTime>().ok().and_then(Self::from_civil)
    }

    fn from_civil(civil: DateTime) -> Option<Self> {
        Some(Self(
            civil
                .to_zoned(TimeZone::UTC)
                .ok()?
                .timestamp()
                .as_microsecond(),
        ))
    }

    /// Reads `{"$date": ms}` and `{"$date": "ISO 8601"}`; `None` for any other value.
    #[must_use]
    pub fn from_date(value: &Value) -> Option<Self> {
        let object = value.as_object()?;
        if object.len() != 1 {
            return None;
        }
        match object.get("$date")? {
            Value::String(text) => Self::from_text(text),
            number => Self::from_millis(number.as_i64()?),
        }
    }

    /// Reads every form that the contract accepts on input: `{"$date": …}` and both texts.
    #[must_use]
    pub fn from_input(value: &Value) -> Option<Self> {
        value
            .as_str()
            .map_or_else(|| Self::from_date(value), Self::from_text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        let time = Timestamp(1_577_923_200_123_456);
        assert_eq!(time.to_iso(), "2020-01-02T00:00:00.123456");
        assert_eq!(time.to_spaced(), "2020-01-02 00:00:00.123456");
        assert_eq!(Timestamp::from_text(&time.to_iso()), Some(time));
        assert_eq!(Timestamp::from_text(&time.to_spaced()), Some(time));
        assert_eq!(time.to_date().to_string(), r#"{"$date":1577923200123}"#);
    }

    #[test]
    fn reads_the_forms_of_the_contract() {
        let midnight = Timestamp::from_millis(1_577_923_200_000);
        for text in [
            "2020-01-02",
            "2020-01-02T00:00",
            "2020-01-02 00:00:00",
            "2020-01-02T00:00:00Z",
            "2020-01-02T01:00:00+01:00",
            "2020-01-02 00:00:00.000000",
        ] {
            assert_eq!(Timestamp::from_text(text), midnight, "{text}");
        }
        for text in [
            "2020",
            "2020-01",
            "2020-13-01",
            "2020-01-02x",
            "20200102T000000",
            "",
            "today",
        ] {
            assert_eq!(Timestamp::from_text(text), None, "{text}");
        }
    }
}
