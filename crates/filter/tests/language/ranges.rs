//! The key ranges of a condition on a value, and the condition that remains when the name is known.

use proptest::prelude::*;
use serde_json::{Value, json};
use stockroom_filter::{
    Checked, Datum, Invalid, Key, KeyRange, Limits, Parsed, Paths, Ranges, holds_for, key_suffices,
    ranges, specialize,
};

use crate::keys::{TEXT, number, scalar};
use crate::properties::PATTERN;

/// Small, so that texts are often cut.
const BYTES: usize = 3;

const PATHS: [&str; 8] = [
    "name",
    "value",
    "value",
    "value",
    "value.x",
    "value.$date",
    "other",
    "name.0",
];

/// Values that are likely to occur in both conditions and items.
fn likely() -> impl Strategy<Value = Value> {
    prop_oneof![
        2 => "[ab\u{0}é]{0,5}".prop_map(Value::from),
        2 => "a{2}[ab]{1,3}".prop_map(Value::from),
        2 => prop::sample::select(vec![json!(0), json!(1), json!(1.0), json!(2.5), json!(1_i64 << 40)]),
        1 => scalar(TEXT),
    ]
}

fn literal() -> impl Strategy<Value = Value> {
    prop_oneof![
        8 => likely(),
        1 => Just(json!([])),
        1 => Just(json!({"a": 1})),
    ]
}

/// A prefix, or nearly one, with parts that may make it optional.
fn pattern() -> impl Strategy<Value = String> {
    prop_oneof![
        PATTERN.prop_map(|rest| format!("^{rest}")),
        PATTERN,
        "(\\^|\\\\A|\\(\\?m\\)\\^)(a|b|é|\\\\x61|\\\\Qab\\\\E|\\(\\?#c\\)|\\(\\?i\\)|\\(a\\|b\\)){0,4}([*?+]|\\{0\\}|\\{2\\}|\\|b|\\$)?",
    ]
}

fn condition() -> impl Strategy<Value = Value> {
    let simple = prop_oneof![
        (
            prop::sample::select(vec!["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"]),
            literal()
        )
            .prop_map(|(operator, value)| json!({ operator: value })),
        (
            prop::sample::select(vec!["$in", "$nin", "$all"]),
            prop::collection::vec(literal(), 0..4)
        )
            .prop_map(|(operator, values)| json!({ operator: values })),
        any::<bool>().prop_map(|truth| json!({ "$exists": truth })),
        (0..2_u64).prop_map(|size| json!({ "$size": size })),
        (1..4_i64, -1..2_i64).prop_map(|(divisor, left)| json!({ "$mod": [divisor, left] })),
        (pattern(), "[imsx]?")
            .prop_filter("compiles", |(pattern, options)| {
                try_read(&json!({ "x": { "$regex": pattern, "$options": options } })).is_ok()
            })
            .prop_map(|(pattern, options)| json!({ "$regex": pattern, "$options": options })),
        prop::sample::subsequence(
            vec![
                "number", "double", "int", "long", "string", "bool", "date", "null", "array",
                "object"
            ],
            1..4
        )
        .prop_map(|names| json!({ "$type": names })),
    ];
    simple.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| json!({ "$not": inner })),
            inner.prop_map(|inner| json!({ "$elemMatch": inner })),
        ]
    })
}

/// A condition on some of these paths.
fn asked(paths: &'static [&'static str]) -> impl Strategy<Value = Value> {
    let single = (prop::sample::select(paths), condition())
        .prop_map(|(path, condition)| json!({ path: condition }));
    single.prop_recursive(3, 8, 3, |inner| {
        let clauses = prop::collection::vec(inner, 1..4);
        (prop::sample::select(vec!["$and", "$or", "$nor"]), clauses)
            .prop_map(|(operator, clauses)| json!({ operator: clauses }))
    })
}

/// Not from JSON text, whose parser refuses NUL; keys must handle it nevertheless.
fn try_read(asked: &Value) -> Result<Checked, Invalid> {
    Parsed::from_value(asked, &Limits::default())?.check(&Paths::default())
}

fn read(asked: &Value) -> Checked {
    try_read(asked).unwrap()
}

fn keys_of(asked: &Value) -> Ranges {
    ranges(read(asked).root(), BYTES)
}

fn key(value: &Value) -> Vec<u8> {
    Key::of(Datum::of(value), BYTES).into_bytes()
}

fn is_normal(ranges: &Ranges) -> bool {
    let empty = |range: &KeyRange| range.from >= range.to;
    let mut pairs = ranges.ranges.windows(2);
    !ranges.ranges.iter().any(empty) && pairs.all(|pair| pair[0].to < pair[1].from)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ranges_hold_the_keys_of_what_matches(asked in asked(&["value"]), value in likely()) {
        let checked = read(&asked);
        let found = ranges(checked.root(), BYTES);
        let holds = holds_for(checked.root(), Datum::of(&value)).unwrap();
        prop_assert_eq!(holds, checked.matches(&json!({ "value": value })).unwrap());
        prop_assert!(is_normal(&found));
        let within = found.contains(&key(&value));
        if found.exact {
            prop_assert_eq!(within, holds);
        } else {
            prop_assert!(within || !holds);
        }
    }

    #[test]
    fn bounds_are_exact_for_numbers(
        operator in prop::sample::select(vec!["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"]),
        bound in number(),
        value in number(),
    ) {
        let checked = read(&json!({ "value": { operator: bound } }));
        let found = ranges(checked.root(), BYTES);
        prop_assert!(found.exact);
        prop_assert_eq!(found.contains(&key(&value)), holds_for(checked.root(), Datum::of(&value)).unwrap());
    }

    #[test]
    fn paths_beside_the_value_leave_every_key_that_matches(asked in asked(&PATHS), value in likely()) {
        let checked = read(&asked);
        let found = ranges(checked.root(), BYTES);
        let holds = checked.matches(&json!({ "name": "a", "value": value })).unwrap();
        prop_assert!(found.contains(&key(&value)) || !holds);
        prop_assert_eq!(
            holds_for(checked.root(), Datum::of(&value)).unwrap(),
            checked.matches(&json!({ "value": value })).unwrap()
        );
    }

    #[test]
    fn a_key_that_suffices_decides(asked in asked(&["value"]), value in likely()) {
        let checked = read(&asked);
        let key = key(&value);
        if key_suffices(checked.root()) && !Key::is_cut(&key, BYTES) {
            let decoded = Key::decode(&key).unwrap();
            prop_assert_eq!(
                holds_for(checked.root(), decoded).unwrap(),
                holds_for(checked.root(), Datum::of(&value)).unwrap()
            );
        }
    }

    #[test]
    fn a_known_name_leaves_a_condition_on_the_value(asked in asked(&PATHS), name in "[ab]{0,2}", value in likely()) {
        let checked = read(&asked);
        let left = specialize(checked.root(), &name).unwrap();
        prop_assert_eq!(
            holds_for(&left, Datum::of(&value)).unwrap(),
            checked.matches(&json!({ "name": name, "value": value })).unwrap()
        );
        let found = ranges(&left, BYTES);
        prop_assert!(found.contains(&key(&value)) || !holds_for(&left, Datum::of(&value)).unwrap());
    }
}

#[test]
fn a_condition_on_another_name_never_holds() {
    let item =
        json!({"name": "host", "value": {"$regex": "(?!b)a"}, "other": null, "value.x": null});
    let on = |name| ranges(&specialize(read(&item).root(), name).unwrap(), BYTES);
    assert_eq!(on("mac"), Ranges::none());
    assert!(!on("host").ranges.is_empty());
}

#[test]
fn values_at_a_timestamp_are_the_dates_that_they_spell() {
    let paths = Paths {
        timestamps: &["value"],
        secrets: &[],
    };
    let checked = Parsed::from_value(&json!({"value": {"$gt": "2020-01-01"}}), &Limits::default())
        .unwrap()
        .check(&paths)
        .unwrap();
    for (value, expected) in [
        (json!("2020-01-02"), true),
        (json!("2019-12-31"), false),
        (json!({"$date": "2020-01-02"}), true),
    ] {
        assert_eq!(holds_for(checked.root(), Datum::of(&value)), Ok(expected));
        let found = ranges(checked.root(), BYTES);
        assert!(!found.exact && found.contains(&key(&value)), "{value}");
    }
}

/// Ranges save work only if they contain few keys, and are exact when the key decides.
#[test]
fn ranges_are_narrow() {
    let range = |from: &[u8], to: &[u8]| KeyRange {
        from: from.to_vec(),
        to: to.to_vec(),
    };
    let text = |from: &str, to: &str| {
        let key = |text: &str| [b"\x40", text.as_bytes()].concat();
        range(&key(from), &key(to))
    };
    let all_texts = range(b"\x40", b"\x41");
    for (condition, expected, exact) in [
        (json!("ab"), vec![text("ab", "ab\0")], true),
        (json!("abcd"), vec![text("abc", "abc\0")], false),
        (
            json!({"$in": ["b", "a"]}),
            vec![text("a", "a\0"), text("b", "b\0")],
            true,
        ),
        (json!({"$gte": "a", "$lt": "b"}), vec![text("a", "b")], true),
        (
            json!({"$gt": "abc"}),
            vec![range(b"\x40abc", b"\x41")],
            false,
        ),
        (json!({"$lt": "abcd"}), vec![text("", "abc\0")], false),
        (json!({"$regex": "^ab(c|d)"}), vec![text("ab", "ac")], false),
        (json!({"$regex": "b", "$gt": 1}), vec![], true),
        (json!({"$lte": "abcd"}), vec![text("", "abc\0")], false),
        (json!({"$regex": "^ab"}), vec![text("ab", "ac")], true),
        (json!({"$regex": "^a\\.b"}), vec![text("a.b", "a.c")], true),
        (json!({"$regex": "^abcd"}), vec![text("abc", "abd")], false),
        (json!({"$regex": "^ab.*c"}), vec![text("ab", "ac")], false),
        (json!({"$regex": "^ab*"}), vec![text("a", "b")], false),
        (json!({"$regex": "^ab|c"}), vec![all_texts.clone()], false),
        (
            json!({"$regex": "^ab", "$options": "m"}),
            vec![all_texts.clone()],
            false,
        ),
        (
            json!({"$regex": "^ab", "$options": "i"}),
            vec![all_texts.clone()],
            false,
        ),
        (json!({"$regex": "ab"}), vec![all_texts.clone()], false),
        (json!(null), vec![range(b"\x20", b"\x20\0")], true),
        (json!({"$gte": null}), vec![range(b"\x20", b"\x20\0")], true),
        (json!({"$gt": null}), vec![], true),
        (json!([1]), vec![], true),
        (json!({"$size": 1}), vec![], true),
        (
            json!({"$gte": true}),
            vec![range(b"\x70\x01", b"\x71")],
            true,
        ),
        (
            json!({"$type": "number"}),
            vec![range(b"\x30", b"\x31")],
            true,
        ),
        (
            json!({"$type": ["int", "bool"]}),
            vec![range(b"\x30", b"\x31"), range(b"\x70", b"\x71")],
            false,
        ),
        (
            json!({"$mod": [2, 0]}),
            vec![range(b"\x30", b"\x31")],
            false,
        ),
        (
            json!({"$exists": true}),
            vec![range(b"\x10", b"\x81")],
            true,
        ),
        (json!({"$exists": false}), vec![], true),
        (
            json!({"$ne": "a"}),
            vec![range(b"\x10", b"\x40a"), range(b"\x40a\0", b"\x81")],
            true,
        ),
        (json!({"$ne": "abcd"}), vec![range(b"\x10", b"\x81")], false),
    ] {
        let found = keys_of(&json!({ "value": condition }));
        assert_eq!(found.ranges, expected, "{condition}");
        assert_eq!(found.exact, exact, "{condition}");
    }
}

#[test]
fn a_point_is_a_range_of_one_key() {
    let points = |condition: Value| -> Vec<bool> {
        let found = keys_of(&json!({ "value": condition }));
        found.ranges.iter().map(KeyRange::is_point).collect()
    };
    assert_eq!(points(json!({"$in": [1, "a", null]})), [true; 3]);
    assert_eq!(points(json!({"$gt": 1})), [false]);
}
