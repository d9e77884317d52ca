//! `fields.<name>` as the value of a field, for known names.

use serde_json::{Value, json};
use stockroom_filter::Projection;

use crate::filter;

const KNOWN: [&str; 6] = ["host", "cpu.cores", "name", "value", "0", ""];

fn object(fields: &[(&str, Value)]) -> Value {
    let items = fields.iter();
    let items: Vec<Value> = items
        .map(|(name, value)| json!({"name": name, "value": value}))
        .collect();
    json!({"public_id": 1, "fields": items})
}

fn matches(asked: &Value, document: &Value) -> bool {
    let filter = filter(asked).unwrap();
    let filter = filter.with_fields(|name| KNOWN.contains(&name));
    filter.matches(document).unwrap()
}

#[test]
fn a_known_name_means_the_value_of_the_field() {
    let srv = object(&[
        ("host", json!("srv")),
        ("cpu.cores", json!(8)),
        ("", json!(5)),
    ]);
    let empty = object(&[("host", json!(null)), ("other", json!("srv"))]);
    let without = object(&[("other", json!(8))]);
    for (asked, expected) in [
        (json!({"fields.host": "srv"}), [true, false, false]),
        (json!({"fields.host": {"$ne": "srv"}}), [false, true, true]),
        (json!({"fields.host": null}), [false, true, true]),
        (
            json!({"fields.host": {"$in": [null, "x"]}}),
            [false, true, true],
        ),
        (
            json!({"fields.host": {"$exists": true}}),
            [true, true, false],
        ),
        (
            json!({"fields.host": {"$exists": false}}),
            [false, false, true],
        ),
        (
            json!({"fields.host": {"$type": "null"}}),
            [false, true, false],
        ),
        (
            json!({"fields.host": {"$not": {"$regex": "^s"}}}),
            [false, true, true],
        ),
        (
            json!({"fields.host": {"$regex": "^s"}}),
            [true, false, false],
        ),
        (
            json!({"fields.cpu.cores": {"$gte": 8, "$lt": 9}}),
            [true, false, false],
        ),
        (
            json!({"fields.cpu.cores": {"$mod": [4, 0]}}),
            [true, false, false],
        ),
        (json!({"fields.": 5}), [true, false, false]),
        (
            json!({"$or": [{"fields.host": "srv"}, {"public_id": 2}]}),
            [true, false, false],
        ),
        (
            json!({"$nor": [{"fields.host": "srv"}]}),
            [false, true, true],
        ),
        (
            json!({"$and": [{"$or": [{"fields.host": "srv"}]}]}),
            [true, false, false],
        ),
        // Unknown names, positions, and the members of items are paths into the document.
        (json!({"fields.other": "srv"}), [false, false, false]),
        (json!({"fields.name": "host"}), [true, true, false]),
        (json!({"fields.value": "srv"}), [true, true, false]),
        (json!({"fields.0.value": 8}), [false, false, true]),
        (
            json!({"fields": {"$elemMatch": {"fields.host": "srv"}}}),
            [false, false, false],
        ),
    ] {
        let found = [&srv, &empty, &without].map(|document| matches(&asked, document));
        assert_eq!(found, expected, "{asked}");
    }
}

#[test]
fn unusual_documents_have_every_value_or_none() {
    let twice = object(&[("host", json!("a")), ("host", json!(["b", "c"]))]);
    for (asked, expected) in [
        (json!({"fields.host": "a"}), true),
        (json!({"fields.host": "c"}), true),
        (json!({"fields.host": {"$ne": "a"}}), false),
        (json!({"fields.host": {"$size": 2}}), true),
        (json!({"fields.host": {"$elemMatch": {"$eq": "b"}}}), true),
        (json!({"fields.host": null}), false),
    ] {
        assert_eq!(matches(&asked, &twice), expected, "{asked}");
    }
    for document in [
        json!({}),
        json!({"fields": null}),
        json!({"fields": {"name": "host", "value": "a"}}),
        json!({"fields": ["host", {"name": 1, "value": "a"}]}),
    ] {
        assert!(
            matches(&json!({"fields.host": null}), &document),
            "{document}"
        );
        assert!(
            !matches(&json!({"fields.host": "a"}), &document),
            "{document}"
        );
    }
    assert!(matches(
        &json!({"fields.host": null}),
        &json!({"fields": [{"name": "host"}]})
    ));
}

#[test]
fn the_names_that_a_filter_may_mean_are_told() {
    let asked = json!({
        "fields.a.b": 1, "fields.name": 1, "fields.value.x": 1, "fields.7": 1, "fields.7a": 1, "fields": 1,
        "$or": [{"fields.c": {"$not": {"$gt": 1}}}, {"fields.a.b": 2}],
        "x": {"$elemMatch": {"fields.d": 1}},
    });
    let names = filter(&asked).unwrap().named_fields();
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["7a", "a.b", "c"]);
}

#[test]
fn a_projection_keeps_or_leaves_out_the_item_of_a_field() {
    let document = object(&[
        ("host", json!("srv")),
        ("cpu.cores", json!(8)),
        ("other", json!(1)),
    ]);
    for (asked, expected) in [
        (
            json!(["fields.host"]),
            json!({"fields": [{"name": "host", "value": "srv"}]}),
        ),
        (
            json!({"fields.cpu.cores": 1, "fields.name": 1, "public_id": 1}),
            json!({"public_id": 1, "fields": [{"name": "host"}, {"name": "cpu.cores", "value": 8}, {"name": "other"}]}),
        ),
        (
            json!(["fields", "fields.host"]),
            json!({"fields": document["fields"]}),
        ),
        (json!(["fields.other"]), json!({"fields": [{}, {}, {}]})),
        (
            json!({"fields.host": 0, "fields.cpu.cores": 0, "fields.value": 0}),
            json!({"public_id": 1, "fields": [{"name": "other"}]}),
        ),
        (
            json!({"fields.host": 0, "fields": 0}),
            json!({"public_id": 1}),
        ),
    ] {
        let projection = Projection::from_value(&asked).unwrap();
        let projection = projection.with_fields(|name| KNOWN.contains(&name));
        assert_eq!(projection.apply(&document), expected, "{asked}");
    }
}
