//! Points in time: 64-bit microseconds UTC internally, three external forms
//! (`docs/guide/src/lists.md`).

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, date};
use jiff::fmt::temporal::{DateTimePrinter, Pieces};
use serde_json::{Value, json};

/// The origin of the microseconds. Calendar dates are counted by hand: `jiff::Timestamp` ends a day
/// before 9999-12-31 does, so that every offset stays within its calendar.
const EPOCH: DateTime = date(1970, 1, 1).at(0, 0, 0, 0);

const ISO: DateTimePrinter = DateTimePrinter::new().precision(Some(6));
const SPACED: DateTimePrinter = ISO.separator(b' ');
const PLAIN: DateTimePrinter = SPACED.precision(Some(0));

/// Microseconds since 1970-01-01 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

/// A period of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    /// From midnight to midnight.
    Day,
    /// A month of a year.
    Month,
    /// A year.
    Year,
}

impl Timestamp {
    /// The start of the period that contains this time, in UTC.
    #[must_use]
    pub fn start_of(self, period: Period) -> Self {
        let day = self.civil().date();
        let first = match period {
            Period::Day => day,
            Period::Month => day.first_of_month(),
            Period::Year => day.first_of_year(),
        };
        Self::from_civil(first.at(0, 0, 0, 0)).unwrap_or(self)
    }

    /// From whole milliseconds; `None` if the microseconds do not fit 64 bits.
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

    /// The form in object documents: `{"$date": ms}`.
    #[must_use]
    pub fn to_date(self) -> Value {
        json!({ "$date": self.millis() })
    }

    /// `YYYY-MM-DDTHH:MM:SS.ffffff`, UTC without suffix: the form in envelopes of objects, types
    /// and categories.
    #[must_use]
    pub fn to_iso(self) -> String {
        ISO.datetime_to_string(&self.civil())
    }

    /// `YYYY-MM-DD HH:MM:SS.ffffff`: the form in envelopes of users, groups, rights and settings.
    #[must_use]
    pub fn to_spaced(self) -> String {
        SPACED.datetime_to_string(&self.civil())
    }

    /// `YYYY-MM-DD HH:MM:SS`: the form in a summary line.
    #[must_use]
    pub fn to_plain(self) -> String {
        PLAIN.datetime_to_string(&self.civil())
    }

    /// The calendar ends in the year 9999; later times become its end.
    fn civil(self) -> DateTime {
        EPOCH.saturating_add(SignedDuration::from_micros(self.0))
    }

    /// Reads `YYYY-MM-DD` and `YYYY-MM-DD[T ]hh:mm[:ss[.f]]` with an optional `Z` or offset.
    /// Without a zone the text is UTC.
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
        let pieces = Pieces::parse(text).ok()?;
        let civil = pieces.date().to_datetime(pieces.time()?);
        let offset = pieces
            .to_numeric_offset()
            .map_or(0, jiff::tz::Offset::seconds);
        let utc = Self::from_civil(civil)?;
        utc.0.checked_sub(i64::from(offset) * 1_000_000).map(Self)
    }

    /// Rounded down to whole microseconds.
    fn from_civil(civil: DateTime) -> Option<Self> {
        let since = civil.duration_since(EPOCH).as_nanos().div_euclid(1_000);
        i64::try_from(since).ok().map(Self)
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

    /// Reads every form that bodies may use: `{"$date": …}` and both texts.
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
    fn periods_start_at_midnight() {
        for (time, day, month, year) in [
            (
                "2024-02-29T23:59:59.999999",
                "2024-02-29",
                "2024-02-01",
                "2024-01-01",
            ),
            ("2024-03-01", "2024-03-01", "2024-03-01", "2024-01-01"),
            ("1969-12-31T12:00", "1969-12-31", "1969-12-01", "1969-01-01"),
            (
                "9999-12-31T23:59:59",
                "9999-12-31",
                "9999-12-01",
                "9999-01-01",
            ),
        ] {
            let time = Timestamp::from_text(time).unwrap();
            for (period, start) in [
                (Period::Day, day),
                (Period::Month, month),
                (Period::Year, year),
            ] {
                let start = Timestamp::from_text(start).unwrap();
                assert_eq!(time.start_of(period), start, "{period:?}");
                assert_eq!(start.start_of(period), start, "{period:?}");
            }
        }
        let _ = [i64::MIN, i64::MAX].map(|time| Timestamp(time).start_of(Period::Month));
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

    #[test]
    fn dates_reach_from_the_first_year_to_the_end_of_the_last() {
        let first = Timestamp(-62_135_596_800_000_000);
        let last = Timestamp(253_402_300_799_999_999);
        for (text, expected) in [
            ("0001-01-01", first),
            ("0001-01-01T00:00:00Z", first),
            ("0001-01-01 01:00:00+01:00", first),
            ("0000-12-31T23:00:00-01:00", first),
            ("9999-12-31", Timestamp(253_402_214_400_000_000)),
            ("9999-12-31T23:59:59.999999", last),
            ("9999-12-31 23:59:59.999999Z", last),
            ("9999-12-31T22:59:59.999999-01:00", last),
            // Beyond the UTC calendar, but within 64-bit microseconds.
            (
                "9999-12-31T23:59:59.999999-14:00",
                Timestamp(last.0 + 14 * 3_600_000_000),
            ),
            (
                "9999-12-31T23:59:59.999999+14:00",
                Timestamp(last.0 - 14 * 3_600_000_000),
            ),
        ] {
            assert_eq!(Timestamp::from_text(text), Some(expected), "{text}");
            assert_eq!(
                Timestamp::from_date(&json!({ "$date": text })),
                Some(expected)
            );
        }
        let last_millisecond = json!({ "$date": 253_402_300_799_999_i64 });
        let read = Timestamp::from_date(&last_millisecond).unwrap();
        assert_eq!(read.to_iso(), "9999-12-31T23:59:59.999000");
        assert_eq!(read.to_date(), last_millisecond);
        assert_eq!(first.to_spaced(), "0001-01-01 00:00:00.000000");
        for time in [Timestamp(i64::MAX), Timestamp(last.0 + 1)] {
            assert_eq!(time.to_iso(), "9999-12-31T23:59:59.999999");
        }
        assert_eq!(Timestamp(-1).to_iso(), "1969-12-31T23:59:59.999999");
        for text in [
            "10000-01-01",
            "9999-12-31T24:00:00",
            "9999-13-01",
            "0000-00-00",
        ] {
            assert_eq!(Timestamp::from_text(text), None, "{text}");
        }
    }
}
