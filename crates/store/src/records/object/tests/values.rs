//! Values of fields: few, so that documents and filters have many in common, with the edge cases of
//! keys.

use proptest::prelude::*;
use serde_json::{Value, json};

/// The names of fields; each type has some of them.
pub(super) const NAMES: [&str; 7] = ["a", "b", "ref", "long", "x.y", "0", "é"];

/// The value of a field of a regular object.
pub(super) fn scalar() -> BoxedStrategy<Value> {
    prop_oneof![
        2 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        5 => short_text().prop_map(Value::from),
        4 => long_text().prop_map(Value::from),
        6 => number(),
        2 => date(),
    ]
    .boxed()
}

/// Numbers that are close, large, or equal in different forms.
pub(super) fn number() -> BoxedStrategy<Value> {
    prop_oneof![
        6 => (-2..6_i64).prop_map(Value::from),
        2 => prop::sample::select(vec![1.0, 2.0, 0.5, -0.0, -1.5, 9_007_199_254_740_992.0, 1e300, -1e300])
            .prop_map(Value::from),
        1 => prop::sample::select(vec![(1 << 53) + 1, 1 << 53, i64::MAX, i64::MIN, i64::from(i32::MAX) + 1])
            .prop_map(Value::from),
        1 => Just(Value::from(u64::MAX)),
    ]
    .boxed()
}

pub(super) fn date() -> BoxedStrategy<Value> {
    prop::sample::select(vec![0, 1, -1, 1_700_000_000_000_i64, 1_700_000_000_001])
        .prop_map(|milliseconds| json!({ "$date": milliseconds }))
        .boxed()
}

pub(super) fn short_text() -> impl Strategy<Value = String> {
    let texts = [
        "",
        "a",
        "b",
        "ab",
        "aB",
        "A",
        "p",
        "q",
        "é",
        "éa",
        "\u{0}",
        "\u{10FFFF}",
        "1",
        "2",
        "3",
        "12",
        "-1",
        "1.0",
        "01",
        "null",
        "1970-01-01T00:00:00Z",
        "2023-11-14T22:13:20",
    ];
    prop::sample::select(texts.map(str::to_owned).to_vec())
}

/// Texts that differ at the end of a key of 32 or 512 bytes, before it, or after it.
fn long_text() -> impl Strategy<Value = String> {
    (
        prop::sample::select(vec![32_usize, 512]),
        prop::sample::select(vec![-2_isize, -1, 0, 1, 8]),
        prop::sample::select(vec!["", "a", "b", "é", "\u{10FFFF}"]),
    )
        .prop_map(|(bytes, more, tail)| "p".repeat(bytes.saturating_add_signed(more)) + tail)
}
