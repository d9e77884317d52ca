//! A filter is read or refused. It has the same meaning on parsed documents and on their texts.

use serde_json::{Value, json};
use stockroom_filter::{Limits, Parsed, Paths};

use crate::harness::{fuzz, kind};

const WORDS: &[&str] = &[
    "$and",
    "$or",
    "$nor",
    "$not",
    "$eq",
    "$ne",
    "$gt",
    "$gte",
    "$lt",
    "$lte",
    "$in",
    "$nin",
    "$exists",
    "$type",
    "$mod",
    "$regex",
    "$options",
    "$all",
    "$elemMatch",
    "$size",
    "$date",
    "fields",
    "name",
    "value",
    "\"a\":",
    "{}",
    "[]",
    "null",
    "{\"$elemMatch\":{\"name\":\"a\",\"value\":",
    "creation_time",
    "fields.value",
    "fields.0.value",
];

fn documents() -> Vec<Value> {
    let fields = |values: &[Value]| -> Vec<Value> {
        let names = ["a", "b", "a"].iter().cycle();
        let items = names.zip(values);
        items
            .map(|(name, value)| json!({"name": name, "value": value}))
            .collect()
    };
    let date = json!({"$date": 1_600_000_000_000_i64});
    [
        fields(&[json!(1), json!("a"), json!(null)]),
        fields(&[date.clone(), json!([1, "a", {"b": 2}]), json!(1.5)]),
        fields(&[json!({"a": {"b": [[]]}}), json!("é\n\"\\"), json!(true)]),
        Vec::new(),
    ]
    .into_iter()
    .map(|fields| json!({"public_id": 1, "creation_time": date, "fields": fields, "a": [1, {"b": "x"}]}))
    .collect()
}

#[test]
fn filters_mean_the_same_on_values_and_on_texts() {
    let paths = Paths {
        timestamps: &["creation_time"],
        secrets: &["a.b"],
    };
    let limits = Limits::default();
    let documents: Vec<(Value, String)> = documents()
        .into_iter()
        .map(|document| (document.clone(), document.to_string()))
        .collect();
    fuzz("filters", WORDS, |input| {
        let text = String::from_utf8_lossy(input);
        let checked = match Parsed::parse(&text, &limits).and_then(|parsed| parsed.check(&paths)) {
            Ok(checked) => checked,
            Err(invalid) => return kind(&invalid.detail),
        };
        let mut answers = Vec::new();
        for (document, text) in &documents {
            let of_value = checked.matches(document).ok();
            let of_text = checked.matches_text(text, &[]).ok();
            assert_eq!(of_value, of_text, "on {document}");
            answers.push(of_value);
        }
        kind(&(answers, checked.root()))
    });
}
