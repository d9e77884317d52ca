//! Keys sort as their values do, and keys of scalars can be read back.

use serde_json::Value;
use stockroom_filter::{Datum, Key, TEXT_BYTES, compare};
use stockroom_model::json::parse;

use crate::harness::{fuzz, kind};

const WORDS: &[&str] = &[
    "0",
    "-0.0",
    "1e300",
    "5e-324",
    "9007199254740993",
    "-9007199254740993",
    "18446744073709551615",
    "0.1",
    "\"\"",
    "\"a\"",
    "\"\\u0001\"",
    "\"\\u0000\"",
    "\"\u{10FFFF}\"",
    "{\"$date\":1}",
    "{\"$date\":\"9999-12-31\"}",
    "{\"$date\":-9223372036854775}",
    "null",
    "true",
    "[",
    "]",
    "{",
    "}",
    ",",
    "\"a\":",
];

#[test]
fn keys_sort_as_values_do() {
    fuzz("keys", WORDS, |input| {
        let _ = Key::decode(input);
        let Ok(Value::Array(values)) = parse(input) else {
            return 0;
        };
        let mut outcome = Vec::new();
        for pair in values.windows(2) {
            let (one, two) = (Datum::of(&pair[0]), Datum::of(&pair[1]));
            let order = compare(one, two);
            assert_eq!(order, compare(two, one).reverse());
            // Only the first bytes of long texts count.
            let (one_key, two_key) = (Key::of(one, TEXT_BYTES * 16), Key::of(two, TEXT_BYTES * 16));
            assert_eq!(one_key.cmp(&two_key), order, "{} and {}", pair[0], pair[1]);
            if let Some(back) = Key::decode(one_key.as_bytes()) {
                assert!(compare(back, one).is_eq(), "{back:?} is no {}", pair[0]);
            }
            outcome.push((one.rank(), two.rank(), order));
        }
        kind(&outcome)
    });
}
