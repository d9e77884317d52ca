//! A filter gives the same answer on the text of a document as on the document itself.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use stockroom_filter::{Checked, Limits, Order, Parsed, Paths, Sort, Unanswered};

const OBJECTS: Paths = Paths {
    timestamps: &["creation_time"],
    secrets: &[],
};
const NAMES: [&str; 7] = [
    "cores",
    "host",
    "hôst",
    "a\"b",
    "a\\",
    "",
    "host\",\"value\":",
];
const KEYS: [&str; 7] = [
    "fields",
    "creation_time",
    "views",
    "x\ty",
    "name",
    "value",
    "0",
];
/// Texts that look like numbers, dates or JSON, or are prefixes of each other.
const TEXTS: [&str; 17] = [
    "",
    "1",
    "null",
    "srv",
    "srv-01",
    "srv-01.local",
    "2020-01-02",
    "\"",
    "\\",
    "a\\\"b",
    "\u{0}\u{1f}\u{7f}\n",
    "ä🦀\u{2028}",
    "{\"name\":\"host\"}",
    "],[",
    "srv\"}",
    "12345678",
    "123456789\"0",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(&TEXTS[..]).prop_map(str::to_owned),
        1 => any::<String>(),
    ]
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-3..4_i64).prop_map(Value::from),
        prop::sample::select(vec![i64::MAX, i64::MAX - 1, i64::MIN]).prop_map(Value::from),
        prop::sample::select(vec![u64::MAX, 1 << 63]).prop_map(Value::from),
        prop::sample::select(vec![
            0.0,
            -0.0,
            1.0,
            0.5,
            -1.5,
            1e300,
            5e-324,
            9.007_199_254_740_992e15
        ])
        .prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
    ]
}

fn date() -> impl Strategy<Value = Value> {
    prop_oneof![
        prop::sample::select(vec![0, 1, -1, 1_577_923_200_000, i64::MAX]).prop_map(Value::from),
        prop::sample::select(vec!["2020-01-02", "2020-01-02T00:00:00Z", "never"])
            .prop_map(Value::from),
        Just(json!(1.0)),
        Just(Value::Null),
        Just(json!([1])),
    ]
    .prop_map(|time| json!({ "$date": time }))
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number(),
        text().prop_map(Value::from),
        date(),
    ]
}

fn key() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        prop::sample::select(&KEYS[..]),
        prop::sample::select(&NAMES[..]),
        Just("$date"),
    ]
}

fn object(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::vec((key(), inner), 0..4).prop_map(|entries| {
        entries
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect::<Map<_, _>>()
            .into()
    })
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            object(inner),
        ]
    })
}

/// Mostly a name and a scalar, in this order; else an item that no field should have.
fn item() -> impl Strategy<Value = Value> {
    let name = || prop::sample::select(&NAMES[..]);
    prop_oneof![
        6 => (name(), scalar()).prop_map(|(name, value)| json!({ "name": name, "value": value })),
        2 => (name(), value()).prop_map(|(name, value)| json!({ "name": name, "value": value })),
        1 => (name(), value()).prop_map(|(name, value)| json!({ "value": value, "more": [], "name": name })),
        1 => name().prop_map(|name| json!({ "name": name })),
        1 => scalar().prop_map(|value| json!({ "value": value })),
        1 => value(),
    ]
}

fn document() -> impl Strategy<Value = Value> {
    let fields = prop_oneof![
        5 => prop::collection::vec(item(), 0..6).prop_map(Value::from),
        1 => value(),
    ];
    prop_oneof![
        8 => (object(value()), fields, object(value())).prop_map(|(before, fields, after)| {
            let mut document = Map::new();
            document.extend(before.as_object().cloned().unwrap_or_default());
            document.insert("fields".to_owned(), fields);
            document.extend(after.as_object().cloned().unwrap_or_default());
            Value::from(document)
        }),
        1 => value(),
    ]
}

fn more() -> impl Strategy<Value = Vec<(&'static str, i64)>> {
    prop::collection::vec(
        (prop_oneof![3 => Just("views"), 1 => key()], -2..4_i64),
        0..2,
    )
}

fn path() -> impl Strategy<Value = String> {
    let any = prop::collection::vec(key(), 1..4).prop_map(|names| names.join("."));
    let usual = vec![
        "fields",
        "fields.name",
        "fields.value",
        "fields.value.0",
        "fields.1.value",
        "fields.0",
        "views",
        "creation_time",
    ];
    let named = prop::sample::select(&NAMES[..]).prop_map(|name| format!("fields.{name}"));
    prop_oneof![3 => prop::sample::select(usual).prop_map(str::to_owned), 2 => named, 1 => any]
}

/// A valid operand of a filter: contains no invalid `$date`.
fn operand() -> impl Strategy<Value = Value> {
    prop_oneof![4 => scalar(), 1 => value()]
}

fn condition() -> impl Strategy<Value = Value> {
    let operators = vec!["$eq", "$eq", "$eq", "$ne", "$gt", "$gte", "$lt", "$lte"];
    let simple = prop_oneof![
        4 => (prop::sample::select(operators), operand()).prop_map(|(operator, value)| json!({ operator: value })),
        2 => (prop::sample::select(vec!["$in", "$nin", "$all"]), prop::collection::vec(operand(), 0..4))
            .prop_map(|(operator, values)| json!({ operator: values })),
        1 => any::<bool>().prop_map(|truth| json!({ "$exists": truth })),
        1 => (0..4_u64).prop_map(|size| json!({ "$size": size })),
        1 => (1..4_i64, -1..2_i64).prop_map(|(divisor, left)| json!({ "$mod": [divisor, left] })),
        2 => prop::sample::select(vec!["^srv", "01$", "srv-?01", r"v\.l*oc", "(?!s)", "", r"1\d*", "\"", r"\\", "🦀", "s.v+-", "name"])
            .prop_map(|pattern| json!({ "$regex": pattern })),
        1 => prop::sample::select(vec!["number", "int", "double", "long", "string", "array", "object", "null", "date", "bool"])
            .prop_map(|name| json!({ "$type": name })),
    ];
    simple.prop_recursive(2, 8, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| json!({ "$not": inner })),
            inner
                .clone()
                .prop_map(|inner| json!({ "$elemMatch": inner })),
            (key(), inner.clone()).prop_map(|(key, inner)| json!({ "$elemMatch": { key: inner } })),
            (prop::sample::select(&NAMES[..]), inner).prop_map(
                |(name, inner)| json!({ "$elemMatch": { "name": name, "value": inner } })
            ),
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

/// Some generated operands are invalid, such as `{"$date": null}`.
fn read(asked: &Value) -> Option<Checked> {
    let parsed = Parsed::from_value(asked, &Limits::default()).ok()?;
    let checked = parsed.check(&OBJECTS).ok()?;
    Some(checked.with_fields(|name| NAMES.contains(&name)))
}

fn completed(document: &Value, more: &[(&str, i64)]) -> Value {
    let mut document = document.clone();
    if let Value::Object(entries) = &mut document {
        entries.extend(
            more.iter()
                .map(|(name, number)| ((*name).to_owned(), json!(number))),
        );
    }
    document
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_048, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_text_matches_as_its_document(
        filters in prop::collection::vec(asked(), 1..8),
        document in document(),
        more in more(),
    ) {
        let whole = completed(&document, &more);
        let text = document.to_string();
        for asked in filters {
            if let Some(filter) = read(&asked) {
                let expected = filter.matches(&whole).map_err(Unanswered::from);
                prop_assert_eq!(filter.matches_text(&text, &more), expected, "{} of {} {:?}", asked, text, more);
            }
        }
    }

    #[test]
    fn a_value_of_the_document_is_found_in_its_text(document in document(), pick in any::<prop::sample::Index>()) {
        let items: Vec<&Value> = document["fields"].as_array().into_iter().flatten().collect();
        if items.is_empty() {
            return Ok(());
        }
        let item = pick.get(&items);
        let (Some(name), Some(value)) = (item.get("name"), item.get("value")) else { return Ok(()) };
        for asked in [
            json!({ "fields": { "$elemMatch": { "name": name, "value": value } } }),
            json!({ "fields.value": value }),
            json!({ "fields": item }),
        ] {
            if let Some(filter) = read(&asked) {
                prop_assert_eq!(filter.matches_text(&document.to_string(), &[]), Ok(filter.matches(&document).unwrap()));
            }
        }
    }

    #[test]
    fn a_text_sorts_as_its_document(document in document(), more in more(), path in path(), name in text(), descending in any::<bool>()) {
        let order = if descending { Order::Descending } else { Order::Ascending };
        let whole = completed(&document, &more);
        for path in [path, format!("fields.{name}"), format!("values.{name}"), "fields.cores".to_owned()] {
            for sort in [Sort::objects(&path, order), Sort::records(&path, order, &OBJECTS)] {
                prop_assert_eq!(sort.key_of_text(&document.to_string(), &more), Ok(sort.key(&whole)), "{} {}", path, document);
            }
        }
    }

    #[test]
    fn a_damaged_text_never_panics(
        asked in asked(),
        path in path(),
        document in document(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), 0..4_usize, prop::sample::select(vec!["", "\"", "\\", "{", "}", "[", "]", ",", ":", "1", "-", "é", "\\u12", "\0"])), 1..4),
    ) {
        let mut text: Vec<char> = document.to_string().chars().collect();
        for (place, gone, put) in damage {
            let from = place.index(text.len() + 1);
            let to = text.len().min(from + gone);
            text.splice(from..to, put.chars());
        }
        let text: String = text.into_iter().collect();
        let _ = Sort::objects(&path, Order::Ascending).key_of_text(&text, &[("views", 1)]);
        if let Some(filter) = read(&asked) {
            let _ = filter.matches_text(&text, &[("views", 1)]);
        }
    }
}

#[test]
fn damage_on_the_way_to_the_answer_is_told() {
    let filter =
        read(&json!({"fields": {"$elemMatch": {"name": "cores", "value": {"$gt": 3}}}})).unwrap();
    let whole =
        r#"{"public_id":1,"fields":[{"name":"cores","value":2},{"name":"x","value":"\n"}]}"#;
    assert_eq!(filter.matches_text(whole, &[]), Ok(false));
    for damaged in [
        "",
        "{",
        "cores",
        r#"{"fields":[{"name":"cores","value":2}]"#,
        r#"{"fields":[{"name":"cores","value":2]}"#,
        r#"{"fields":[{"name":"cores","value":}]}"#,
        r#"{"fields":[{"name":"cores","value":two}]}"#,
        r#"{"fields":[{"name":"cores","value":-}]}"#,
        r#"{"fields":[{"name":"cores","value":01}]}"#,
        r#"{"fields":[{"name":"cores" "value":2}]}"#,
        r#"{"fields":[{"name":"cores","value":"\q"}]}"#,
        r#"{"fields":[{"name":"cores","value":2},]}"#,
        r#"{"fields":[{"name":"cores","value":2}"x"]}"#,
        r#"{"fields" [{"name":"cores","value":2}]}"#,
        r#"{"fields":[{"name":"cores","value":2}}}"#,
    ] {
        let answer = filter.matches_text(damaged, &[]);
        assert!(
            matches!(answer, Err(Unanswered::Damaged(_))),
            "{damaged} {answer:?}"
        );
    }
}

#[test]
fn text_that_nests_without_end_does_not_exhaust_the_stack() {
    let path = vec!["0"; 100_000].join(".");
    for (opening, closing) in [("[", "]"), ("{\"0\":", "}"), ("[{\"0\":", "}]")] {
        let text = format!(
            "{{\"0\":{}1{}}}",
            opening.repeat(100_000),
            closing.repeat(100_000)
        );
        let filter = read(&json!({ &path: 1 })).unwrap();
        assert!(matches!(
            filter.matches_text(&text, &[]),
            Err(Unanswered::Damaged(_))
        ));
    }
}

#[test]
fn what_a_match_can_do_without_is_not_looked_for() {
    for (asked, value) in [
        (json!({"$regex": "srv-?01"}), json!("srv01")),
        (json!({"$regex": "srv-*01"}), json!("srv01")),
        (json!({"$regex": r"srv\.local"}), json!("srv.local")),
        (json!({"$regex": r#"say "a\\b""#}), json!("say \"a\\b\"")),
        (json!({"$regex": "tab\there"}), json!("tab\there")),
        (json!({"$regex": "SRV", "$options": "i"}), json!("srv")),
        (json!({"$regex": "s r v", "$options": "x"}), json!("srv")),
        (json!({"$in": ["srv", null]}), Value::Null),
        (json!({"$ne": "srv"}), json!("other")),
        (json!(["srv"]), json!(["srv"])),
        (json!({"$elemMatch": {"$regex": "^srv"}}), json!(["srv"])),
        (json!(1000), json!(1e3)),
    ] {
        let filter = read(&json!({ "x": asked })).unwrap();
        let document = json!({ "x": value });
        assert_eq!(filter.matches(&document), Ok(true), "{asked} {document}");
        assert_eq!(
            filter.matches_text(&document.to_string(), &[]),
            Ok(true),
            "{asked} {document}"
        );
    }
}
