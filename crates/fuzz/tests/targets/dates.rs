//! A parsed date formats to texts with the same meaning, and sorts correctly.

use serde_json::json;
use stockroom_filter::{Datum, Key, compare};
use stockroom_model::Timestamp;

use crate::harness::{fuzz, kind};

const WORDS: &[&str] = &[
    "0001-01-01",
    "9999-12-31",
    "1969-12-31T23:59:59.999999",
    "1970-01-01",
    "T",
    " ",
    "t",
    "Z",
    "z",
    "+00:00",
    "-00:00",
    "+14:00",
    "-23:59:59",
    "23:59:60",
    "24:00",
    ".999999999",
    ",5",
    "[UTC]",
    "[+01:00]",
    "[!Europe/Paris]",
    "-000001",
    "+002020",
    "\u{2212}",
];

/// The last and the first microsecond of the calendar.
const LAST: i64 = 253_402_300_799_999_999;
const FIRST: i64 = -377_705_116_800_000_000;

#[test]
fn dates_mean_one_instant() {
    fuzz("dates", WORDS, |input| {
        let text = String::from_utf8_lossy(input);
        let Some(time) = Timestamp::from_text(&text) else {
            return 0;
        };
        let shown = Timestamp(time.0.clamp(FIRST, LAST));
        // Years before 0 have a sign and six digits, which cannot be parsed.
        if shown.0 >= -62_167_219_200_000_000 {
            for form in [
                shown.to_iso(),
                shown.to_spaced(),
                format!("{}Z", shown.to_iso()),
            ] {
                assert_eq!(Timestamp::from_text(&form), Some(shown), "{form}");
            }
        }
        let _ = (time.to_plain(), time.to_iso());
        let milliseconds = Timestamp::from_millis(time.millis());
        assert_eq!(Timestamp::from_date(&time.to_date()), milliseconds);
        let (one, two) = (json!({ "$date": text }), json!({"$date": 0}));
        let (one, two) = (Datum::of(&one), Datum::of(&two));
        let keys = Key::of(one, 512).cmp(&Key::of(two, 512));
        assert_eq!(keys, compare(one, two));
        kind(&(text.len(), time.0 < 0, time.0.rem_euclid(1_000_000) == 0))
    });
}
