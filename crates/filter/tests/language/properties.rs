//! Properties that hold for every document and every filter.

use std::cmp::Ordering;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use stockroom_filter::{Datum, Order, Paths, Projection, Sort, compare};

use crate::{filter, matches};

/// Parts of regular expressions in any order; most combinations are valid.
pub(crate) const PATTERN: &str = r"([abAé1 ]|[.^$|]|\\[dwsbBDWSzZhRN]|\[\^?[a-b\]-]{1,3}\]|\((\?:|\?i:|\?m|\?>)?[ab$^|]{0,3}\)|[*+?]|\{1,2\}){0,7}";

const KEYS: [&str; 5] = ["a", "b", "0", "1", "c"];

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2..3_i64).prop_map(Value::from),
        prop::sample::select(vec![0.0, -0.0, 1.0, 0.5, -1.5, 1e300]).prop_map(Value::from),
        prop::sample::select(vec![i64::MAX, i64::MAX - 1, i64::MIN]).prop_map(Value::from),
        "[ab]{0,2}".prop_map(Value::from),
        (-1..2_i64).prop_map(|ms| json!({ "$date": ms })),
    ]
}

fn object(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::vec((prop::sample::select(&KEYS[..]), inner), 0..4).prop_map(|entries| {
        let entries = entries
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value));
        Value::Object(entries.collect::<Map<_, _>>())
    })
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            object(inner),
        ]
    })
}

fn document() -> impl Strategy<Value = Value> {
    object(value())
}

fn path() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&KEYS[..]), 1..4).prop_map(|names| names.join("."))
}

fn condition() -> impl Strategy<Value = Value> {
    let simple = prop_oneof![
        (
            prop::sample::select(vec!["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"]),
            value()
        )
            .prop_map(|(operator, value)| json!({ operator: value })),
        (
            prop::sample::select(vec!["$in", "$nin", "$all"]),
            prop::collection::vec(value(), 0..4)
        )
            .prop_map(|(operator, values)| json!({ operator: values })),
        any::<bool>().prop_map(|truth| json!({ "$exists": truth })),
        (0..4_u64).prop_map(|size| json!({ "$size": size })),
        (1..4_i64, -1..2_i64).prop_map(|(divisor, left)| json!({ "$mod": [divisor, left] })),
        prop::sample::select(vec!["^a", "b$", "(?!a)", ""])
            .prop_map(|pattern| json!({ "$regex": pattern })),
        prop::sample::select(vec!["number", "array", "object", "null", "date"])
            .prop_map(|name| json!({ "$type": name })),
    ];
    simple.prop_recursive(2, 8, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| json!({ "$not": inner })),
            inner
                .clone()
                .prop_map(|inner| json!({ "$elemMatch": inner })),
            (path(), inner).prop_map(|(path, inner)| json!({ "$elemMatch": { path: inner } })),
        ]
    })
}

fn asked() -> impl Strategy<Value = Value> {
    let single = (path(), condition()).prop_map(|(path, condition)| json!({ path: condition }));
    single.prop_recursive(2, 6, 3, |inner| {
        let clauses = prop::collection::vec(inner, 1..3);
        (prop::sample::select(vec!["$and", "$or", "$nor"]), clauses)
            .prop_map(|(operator, clauses)| json!({ operator: clauses }))
    })
}

fn cmp(left: &Value, right: &Value) -> Ordering {
    compare(Datum::of(left), Datum::of(right))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn not_is_the_complement(path in path(), condition in condition(), document in document()) {
        let plain = matches(&json!({ &path: condition }), &document);
        let negated = matches(&json!({ &path: { "$not": condition } }), &document);
        prop_assert_ne!(plain, negated);
    }

    #[test]
    fn clauses_combine_as_in_logic(left in asked(), right in asked(), document in document()) {
        let (one, other) = (matches(&left, &document), matches(&right, &document));
        let combined = |operator: &str| matches(&json!({ operator: [left, right] }), &document);
        prop_assert_eq!(combined("$and"), one && other);
        prop_assert_eq!(combined("$or"), one || other);
        prop_assert_eq!(combined("$nor"), !(one || other));
    }

    #[test]
    fn lists_are_made_of_equalities(path in path(), values in prop::collection::vec(value(), 1..5), document in document()) {
        let ask = |condition: Value| matches(&json!({ &path: condition }), &document);
        let equal: Vec<bool> = values.iter().map(|value| ask(json!({ "$eq": value }))).collect();
        prop_assert_eq!(ask(json!({ "$in": values })), equal.contains(&true));
        prop_assert_eq!(ask(json!({ "$nin": values })), !equal.contains(&true));
        prop_assert_eq!(ask(json!({ "$all": values })), !equal.contains(&false));
        prop_assert_eq!(ask(json!({ "$ne": values[0] })), !equal[0]);
        prop_assert_eq!(ask(values[0].clone()), equal[0]);
    }

    #[test]
    fn values_are_totally_ordered(one in value(), two in value(), three in value()) {
        prop_assert_eq!(cmp(&one, &two), cmp(&two, &one).reverse());
        prop_assert_eq!(cmp(&one, &one), Ordering::Equal);
        let mut sorted = [&one, &two, &three];
        sorted.sort_by(|left, right| cmp(left, right));
        prop_assert_ne!(cmp(sorted[0], sorted[2]), Ordering::Greater);
    }

    #[test]
    fn comparisons_agree_with_the_order_within_a_type(one in scalar(), two in scalar()) {
        let document = json!({ "x": one });
        let ask = |operator: &str| matches(&json!({ "x": { operator: two } }), &document);
        let same_type = Datum::of(&one).rank() == Datum::of(&two).rank();
        let order = cmp(&one, &two);
        prop_assert_eq!(ask("$eq"), order.is_eq());
        prop_assert_eq!(ask("$lt"), same_type && order.is_lt());
        prop_assert_eq!(ask("$lte"), same_type && order.is_le());
        prop_assert_eq!(ask("$gt"), same_type && order.is_gt());
        prop_assert_eq!(ask("$gte"), same_type && order.is_ge());
    }

    #[test]
    fn sort_keys_keep_the_order_of_values(one in value(), two in value()) {
        let sort = Sort::records("x", Order::Ascending, &Paths::default());
        // As the only item of an array, any value is its own sort key.
        let key = |value: &Value| sort.key(&json!({ "x": [value] }));
        prop_assert_eq!(sort.compare(&key(&one), &key(&two)), cmp(&one, &two));
    }

    #[test]
    fn both_engines_find_the_same(pattern in PATTERN, options in "[imsx]{0,2}", text in "[abAB1\n é-]{0,6}") {
        let ask = |pattern: &str| filter(&json!({ "x": { "$regex": pattern, "$options": options } }));
        if let Ok(plain) = ask(&pattern) {
            // The look-ahead never fails on these texts; it only forces the other engine to run the
            // same expression.
            let backtracking = ask(&format!("(?!z)(?:{pattern})"));
            let document = json!({ "x": text });
            prop_assert_eq!(plain.matches(&document), backtracking.unwrap().matches(&document));
        }
    }

    #[test]
    fn a_projection_and_its_opposite_share_the_document(paths in prop::collection::vec(path(), 1..4), document in document()) {
        let ask = |choice: u8| {
            let paths: Map<String, Value> = paths.iter().map(|path| (path.clone(), json!(choice))).collect();
            Projection::parse(&Value::from(paths).to_string()).unwrap().apply(&document)
        };
        let mut shared = leaves(&ask(1));
        shared.extend(leaves(&ask(0)));
        shared.sort();
        let mut whole = leaves(&document);
        whole.sort();
        prop_assert_eq!(shared, whole);
    }
}

/// The scalars of a document with their keys. Positions in arrays are omitted, because they shift
/// when items are removed.
fn leaves(value: &Value) -> Vec<String> {
    let below = |key: &str, value: &Value| -> Vec<String> {
        leaves(value)
            .into_iter()
            .map(|leaf| format!("{key}.{leaf}"))
            .collect()
    };
    match Datum::of(value) {
        Datum::Array(items) => items.iter().flat_map(|item| below("[]", item)).collect(),
        Datum::Object(entries) => entries
            .iter()
            .flat_map(|(key, value)| below(key, value))
            .collect(),
        _ => vec![value.to_string()],
    }
}
