//! Queries of lists: filters with all operators and paths, sorts, windows.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::values::{NAMES, date, number, scalar, short_text};

/// A query as a caller would send it; indices of types and objects are taken modulo their number.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub(super) filter: Value,
    pub(super) sort: String,
    pub(super) descending: bool,
    pub(super) active_only: bool,
    pub(super) narrowed: Narrowed,
    /// Indices of types that the caller may not see.
    pub(super) hidden: Vec<usize>,
    pub(super) offset: usize,
    pub(super) limit: usize,
}

/// The restriction by the route.
#[derive(Debug, Clone)]
pub(super) enum Narrowed {
    No,
    References(i64),
    Unclean(usize),
}

pub(super) fn asked() -> impl Strategy<Value = Asked> {
    let narrowed = prop_oneof![
        8 => Just(Narrowed::No),
        1 => (1..6_i64).prop_map(Narrowed::References),
        1 => (0..4_usize).prop_map(Narrowed::Unclean),
    ];
    let hidden = prop_oneof![
        4 => Just(Vec::new()),
        1 => prop::collection::vec(0..4_usize, 1..3),
    ];
    (
        filter(),
        sort(),
        any::<bool>(),
        prop::bool::weighted(0.3),
        narrowed,
        hidden,
        (0..8_usize, 0..12_usize),
    )
        .prop_map(
            |(filter, sort, descending, active_only, narrowed, hidden, (offset, limit))| Asked {
                filter,
                sort,
                descending,
                active_only,
                narrowed,
                hidden,
                offset,
                limit,
            },
        )
}

fn sort() -> impl Strategy<Value = String> {
    let members = [
        "type_id",
        "creation_time",
        "last_edit_time",
        "author_id",
        "version",
        "views",
        "active",
        "missing",
        "fields.0.value",
        "fields.value",
        "fields.none",
    ];
    prop_oneof![
        3 => Just("public_id".to_owned()),
        4 => prop::sample::select(members.to_vec()).prop_map(str::to_owned),
        3 => prop::sample::select(NAMES.to_vec()).prop_map(|name| format!("fields.{name}")),
    ]
}

fn filter() -> impl Strategy<Value = Value> {
    let nested = condition().prop_recursive(3, 8, 3, |inner| {
        let clauses = prop::collection::vec(inner, 1..4);
        (prop::sample::select(vec!["$and", "$or", "$nor"]), clauses)
            .prop_map(|(operator, clauses)| json!({ operator: clauses }))
    });
    prop_oneof![
        1 => Just(json!({})),
        6 => typical(),
        3 => (condition(), others()).prop_map(|(one, other)| json!({ "$and": [one, other] })),
        12 => nested.clone(),
        4 => (ids(), nested).prop_map(|(ids, nested)| merged(ids, nested)),
    ]
}

/// A condition on one field of the objects of one type, or of all.
fn typical() -> impl Strategy<Value = Value> {
    let literal = prop_oneof![2 => number(), 1 => scalar()].boxed();
    let test = prop_oneof![2 => literal.clone(), 1 => operators(&literal)];
    let name = prop::sample::select(NAMES.to_vec());
    let named = any::<bool>();
    (prop::option::of(1..4_i64), name, test, named).prop_map(|(type_id, name, test, named)| {
        let of_type = type_id.map_or(json!({}), |id| json!({ "type_id": id }));
        let field = if named {
            let path = format!("fields.{name}");
            json!({ path: test })
        } else {
            let element = json!({ "$elemMatch": { "name": name, "value": test } });
            json!({ "fields": element })
        };
        merged(of_type, field)
    })
}

/// Both conditions in one object; the second one wins if both name the same path.
fn merged(one: Value, two: Value) -> Value {
    let mut all = Map::new();
    for entries in [one, two] {
        if let Value::Object(entries) = entries {
            all.extend(entries);
        }
    }
    Value::Object(all)
}

fn condition() -> BoxedStrategy<Value> {
    prop_oneof![
        3 => ids(),
        3 => members(),
        2 => (prop::sample::select(vec!["fields.value", "fields.name"]), predicate(value()))
            .prop_map(|(path, predicate)| json!({ path: predicate })),
        6 => named_field(),
        8 => element().prop_map(|element| json!({ "fields": { "$elemMatch": element } })),
        2 => element().prop_map(|element| json!({ "fields": { "$not": { "$elemMatch": element } } })),
        2 => others(),
    ]
    .boxed()
}

/// Conditions on the value of a field, by its name.
fn named_field() -> BoxedStrategy<Value> {
    let null = Just(Value::Null);
    let operand = prop_oneof![5 => value(), 1 => null].boxed();
    (prop::sample::select(NAMES.to_vec()), predicate(operand))
        .prop_map(|(name, predicate)| {
            let path = format!("fields.{name}");
            json!({ path: predicate })
        })
        .boxed()
}

/// Conditions on the columns of an object.
fn ids() -> BoxedStrategy<Value> {
    let id = |highest: i64| {
        prop_oneof![
            8 => (0..highest).prop_map(Value::from),
            1 => number(),
            1 => scalar(),
        ]
        .boxed()
    };
    prop_oneof![
        2 => predicate(id(70)).prop_map(|predicate| json!({ "public_id": predicate })),
        3 => predicate(id(6)).prop_map(|predicate| json!({ "type_id": predicate })),
        1 => predicate(prop_oneof![3 => any::<bool>().prop_map(Value::from), 1 => scalar()].boxed())
            .prop_map(|predicate| json!({ "active": predicate })),
    ]
    .boxed()
}

/// Conditions on the members that have index rows.
fn members() -> BoxedStrategy<Value> {
    let times = prop::sample::select(vec!["creation_time", "last_edit_time"]);
    let time = prop_oneof![3 => date(), 1 => short_text().prop_map(Value::from), 1 => scalar()];
    prop_oneof![
        2 => (times, predicate(time.boxed())).prop_map(|(path, predicate)| json!({ path: predicate })),
        1 => predicate(prop_oneof![3 => (0..4_i64).prop_map(Value::from), 1 => scalar()].boxed())
            .prop_map(|predicate| json!({ "author_id": predicate })),
    ]
    .boxed()
}

/// Conditions that only the document can decide.
fn others() -> BoxedStrategy<Value> {
    let paths = [
        "version",
        "views",
        "missing",
        "",
        "fields",
        "fields.0.value",
        "fields.1",
        "fields.value.k",
        "fields.label",
        "creation_time.$date",
        "author_id.k",
    ];
    let version = prop::sample::select(vec!["1.0.0", "1.0.1"]).prop_map(Value::from);
    let literal = prop_oneof![1 => version, 2 => value()].boxed();
    (prop::sample::select(paths.to_vec()), predicate(literal))
        .prop_map(|(path, predicate)| json!({ path: predicate }))
        .boxed()
}

/// A test on an item of `fields`.
fn element() -> BoxedStrategy<Value> {
    let name = || prop::sample::select([&NAMES[..], &["none"]].concat()).prop_map(Value::from);
    let of_value = || predicate(value());
    let of_name = || predicate(name().boxed());
    let clause = prop_oneof![
        of_value().prop_map(|value| json!({ "value": value })),
        of_name().prop_map(|name| json!({ "name": name })),
        (name(), of_value()).prop_map(|(name, value)| json!({ "name": name, "value": value })),
        of_value().prop_map(|value| json!({ "value.k": value })),
    ];
    let clauses = prop::collection::vec(clause.clone(), 1..4);
    let joint = (prop::sample::select(vec!["$and", "$or", "$nor"]), clauses)
        .prop_map(|(operator, clauses)| json!({ operator: clauses }));
    prop_oneof![
        10 => (name(), of_value()).prop_map(|(name, value)| json!({ "name": name, "value": value })),
        3 => (of_name(), of_value()).prop_map(|(name, value)| json!({ "name": name, "value": value })),
        2 => clause,
        1 => joint.clone(),
        1 => (name(), joint).prop_map(|(name, joint)| merged(json!({ "name": name }), joint)),
    ]
    .boxed()
}

/// Mostly scalars, as in fields of regular objects.
fn value() -> BoxedStrategy<Value> {
    prop_oneof![
        20 => scalar(),
        1 => prop::sample::select(NAMES.to_vec()).prop_map(Value::from),
        1 => prop::collection::vec(scalar(), 0..3).prop_map(Value::from),
        1 => short_text().prop_map(|text| json!({ "k": text })),
    ]
    .boxed()
}

fn predicate(literal: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    let operators = operators(&literal).boxed();
    prop_oneof![
        4 => literal,
        8 => operators.clone(),
        2 => operators.clone().prop_map(|operators| json!({ "$not": operators })),
        1 => operators.prop_map(|operators| json!({ "$elemMatch": operators })),
    ]
    .boxed()
}

fn operators(literal: &BoxedStrategy<Value>) -> impl Strategy<Value = Value> + use<> {
    let pair = (
        prop::sample::select(vec!["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"]),
        literal.clone(),
    )
        .prop_map(|(operator, value)| json!({ operator: value }));
    let range = (literal.clone(), literal.clone())
        .prop_map(|(from, to)| json!({ "$gte": from, "$lt": to }));
    let list = (
        prop::sample::select(vec!["$in", "$nin", "$all"]),
        prop::collection::vec(literal.clone(), 0..5),
    )
        .prop_map(|(operator, values)| json!({ operator: values }));
    // More gaps than are scanned one by one.
    let many = (60..80_i64).prop_map(
        |count| json!({ "$nin": (0..count).map(|number| number * 2).collect::<Vec<_>>() }),
    );
    let types = [
        "number", "int", "int", "long", "double", "double", "string", "bool", "date", "null",
        "array", "object",
    ];
    let patterns = [
        "^", "^a", "^p", "^é", "b$", "a|1", "p$", "^$", "^1\\.", "p{31}", "[ab]", ".",
    ];
    let lengthy = (30..35_usize).prop_map(|bytes| format!("^{}", "p".repeat(bytes)));
    let pattern =
        prop_oneof![8 => prop::sample::select(patterns.map(str::to_owned).to_vec()), 1 => lengthy];
    let regex = (pattern, prop::sample::select(vec!["", "", "i", "s"]))
        .prop_map(|(pattern, options)| json!({ "$regex": pattern, "$options": options }));
    prop_oneof![
        12 => pair,
        3 => range,
        6 => list,
        1 => many,
        2 => any::<bool>().prop_map(|truth| json!({ "$exists": truth })),
        3 => prop::sample::select(types.to_vec()).prop_map(|name| json!({ "$type": name })),
        1 => (1..4_i64, -1..2_i64).prop_map(|(divisor, left)| json!({ "$mod": [divisor, left] })),
        4 => regex,
        1 => (0..3_u64).prop_map(|size| json!({ "$size": size })),
    ]
}
