//! The bytes of values in an index.

use std::cmp::Ordering;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use stockroom_filter::{Datum, Key, TEXT_BYTES, compare};

const TWO_53: i64 = 1 << 53;

/// Short and similar texts, with the bytes that the key format itself uses.
pub(crate) const TEXT: &str = "[ab\u{0}\u{1}é\u{10FFFF}]{0,4}";

pub(crate) fn number() -> impl Strategy<Value = Value> {
    let near =
        |start: i64| (-3..4_i64).prop_map(move |step| Value::from(start.saturating_add(step)));
    prop_oneof![
        near(0),
        near(TWO_53),
        near(-TWO_53),
        near(i64::MAX),
        near(i64::MIN),
        any::<i64>().prop_map(Value::from),
        // From 2^63 on doubles are 2048 apart.
        (0..5000_u64).prop_map(|step| Value::from((1 << 63) + step)),
        (0..5000_u64).prop_map(|step| Value::from(u64::MAX - step)),
        prop::sample::select(vec![
            -0.0,
            0.5,
            1.0,
            -1.5,
            1.000_000_000_000_000_2,
            5e-324,
            -5e-324,
            f64::MIN_POSITIVE,
            9_007_199_254_740_992.0,
            -9_007_199_254_740_994.0,
            9_223_372_036_854_775_808.0,
            18_446_744_073_709_551_616.0,
            1e300,
            -1e300,
            f64::MAX,
            f64::MIN,
        ])
        .prop_map(Value::from),
        (prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL).prop_map(Value::from),
    ]
}

pub(crate) fn scalar(texts: &'static str) -> impl Strategy<Value = Value> {
    prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        4 => number(),
        3 => texts.prop_map(Value::from),
        1 => prop_oneof![-2..3_i64, any::<i64>().prop_map(|ms| ms / 1000)]
            .prop_map(|ms| json!({ "$date": ms })),
    ]
}

fn value(texts: &'static str) -> impl Strategy<Value = Value> {
    scalar(texts).prop_recursive(3, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((texts, inner), 0..4)
                .prop_map(|entries| Value::from(entries.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn key(value: &Value) -> Key {
    Key::of(Datum::of(value), TEXT_BYTES)
}

/// The value with every ASCII text cut; names stay whole.
fn shortened(value: &Value, bytes: usize) -> Value {
    match Datum::of(value) {
        Datum::Text(text) => Value::from(text.get(..bytes).unwrap_or(text)),
        Datum::Array(items) => items.iter().map(|item| shortened(item, bytes)).collect(),
        Datum::Object(entries) => entries
            .iter()
            .map(|(name, value)| (name.clone(), shortened(value, bytes)))
            .collect(),
        _ => value.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_sort_as_values_do(one in value(TEXT), two in value(TEXT)) {
        prop_assert_eq!(key(&one).cmp(&key(&two)), compare(Datum::of(&one), Datum::of(&two)));
    }

    #[test]
    fn bytes_sort_as_numbers_do(one in number(), two in number()) {
        let order = compare(Datum::of(&one), Datum::of(&two));
        prop_assert_eq!(key(&one).cmp(&key(&two)), order);
        // The same inside an array, where another value follows.
        let (one, two) = (json!([one, 1]), json!([two, 1]));
        prop_assert_eq!(key(&one).cmp(&key(&two)), order);
    }

    #[test]
    fn scalars_come_back(value in scalar(TEXT)) {
        let key = key(&value);
        let found = Key::decode(key.as_bytes()).unwrap();
        prop_assert_eq!(compare(found, Datum::of(&value)), Ordering::Equal);
        prop_assert!(!Key::is_cut(key.as_bytes(), TEXT_BYTES));
    }

    #[test]
    fn objects_and_arrays_do_not(value in value(TEXT)) {
        let whole = matches!(Datum::of(&value), Datum::Object(_) | Datum::Array(_));
        prop_assert_eq!(Key::decode(key(&value).as_bytes()).is_none(), whole);
    }

    #[test]
    fn texts_are_cut_wherever_they_stand(value in value("[ab\u{0}\u{1}]{0,6}"), bytes in 0..7_usize) {
        prop_assert_eq!(Key::of(Datum::of(&value), bytes), key(&shortened(&value, bytes)));
    }

    #[test]
    fn any_bytes_can_be_read(bytes in prop::collection::vec(prop_oneof![any::<u8>(), (0..9_u8).prop_map(|tag| tag << 4)], 0..14)) {
        if let Some(Datum::Text(text)) = Key::decode(&bytes) {
            prop_assert!(bytes[1..].starts_with(text.as_bytes()));
        }
    }
}

#[test]
fn a_cut_text_comes_back_as_its_whole_characters() {
    let key = |text: &str| Key::of(Datum::Text(text), 4).into_bytes();
    for (text, found, cut) in [
        ("", "", false),
        ("abc", "abc", false),
        ("abcd", "abcd", true),
        ("abcde", "abcd", true),
        ("abcé", "abc", true),
        ("a\u{10FFFF}", "a", true),
        ("\u{10FFFF}", "\u{10FFFF}", true),
    ] {
        let key = key(text);
        assert!(
            matches!(Key::decode(&key), Some(Datum::Text(decoded)) if decoded == found),
            "{text}"
        );
        assert_eq!(Key::is_cut(&key, 4), cut, "{text}");
    }
    assert!(!Key::is_cut(Key::of(Datum::Bool(true), 0).as_bytes(), 0));
}

/// A later version must read an index that an earlier one wrote.
#[test]
fn keys_do_not_change() {
    for (value, bytes) in [
        (json!(null), "20"),
        (json!(0), "3080"),
        (json!(-0.0), "3080"),
        (json!(1), "30bff0"),
        (json!(1.0), "30bff0"),
        (json!(-1), "30400fffffffffffff"),
        (json!(2.5), "30c004"),
        (json!(0.1), "30bfb999999999999a"),
        (json!(TWO_53), "30c3400000000000008000"),
        (json!(TWO_53 + 1), "30c3400000000000008001"),
        (json!(u64::MAX), "30c3f00000000000007fff"),
        (json!(""), "40"),
        (json!("a\0é"), "406100c3a9"),
        (json!({}), "5000"),
        (
            json!({"a": "b", "c": 1}),
            "504061000162000130630001bff0000000000000800000",
        ),
        (json!([]), "6000"),
        (json!([null, [true], "\0"]), "602060700100 4000ff000100"),
        (json!(false), "7000"),
        (json!({"$date": 1}), "8080000000000003e8"),
        (json!({"$date": -1}), "807ffffffffffffc18"),
    ] {
        let bytes = bytes.replace(' ', "");
        let expected: Vec<u8> = (0..bytes.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&bytes[at..at + 2], 16).unwrap())
            .collect();
        assert_eq!(key(&value).as_bytes(), expected, "{value}");
    }
    assert_eq!(Key::undefined().as_bytes(), [0x10]);
}
