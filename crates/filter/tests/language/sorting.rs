//! The order of lists.

use std::cmp::Ordering;

use serde_json::{Value, json};
use stockroom_filter::{Order, Paths, Sort, SortPath};

const NO_PATHS: Paths = Paths {
    timestamps: &[],
    secrets: &[],
};

/// Asserts that the documents are in strictly ascending order, and descending in reverse.
fn ascends(sort: impl Fn(Order) -> Sort, documents: &[Value]) {
    for (order, forward) in [(Order::Ascending, true), (Order::Descending, false)] {
        let sort = sort(order);
        for (left, one) in documents.iter().enumerate() {
            for (right, other) in documents.iter().enumerate() {
                let expected = if forward {
                    left.cmp(&right)
                } else {
                    right.cmp(&left)
                };
                let found = sort.compare(&sort.key(one), &sort.key(other));
                assert_eq!(found, expected, "{order:?}: {one} and {other}");
            }
        }
    }
}

fn same(sort: &Sort, documents: &[Value]) {
    for pair in documents.windows(2) {
        let order = sort.compare(&sort.key(&pair[0]), &sort.key(&pair[1]));
        assert_eq!(order, Ordering::Equal, "{} and {}", pair[0], pair[1]);
    }
}

#[test]
fn types_stand_in_the_order_of_mongodb() {
    let values = [
        json!([]),
        json!(null),
        json!(-1e300),
        json!(9_007_199_254_740_992.0),
        json!(9_007_199_254_740_993_i64),
        json!(""),
        json!("Z"),
        json!("a"),
        json!("é"),
        json!({}),
        json!({"b": 1}),
        json!({"b": 1, "a": 1}),
        json!({"a": "x"}),
        json!([[]]),
        json!([[1]]),
        json!(false),
        json!(true),
        json!({"$date": -1}),
        json!({"$date": 0}),
    ];
    let documents: Vec<Value> = values.iter().map(|value| json!({ "a": value })).collect();
    ascends(|order| Sort::records("a", order, &NO_PATHS), &documents);
}

#[test]
fn arrays_sort_by_their_smallest_or_largest_item() {
    let key =
        |order, value: Value| Sort::records("a", order, &NO_PATHS).key(&json!({ "a": value }));
    let array = json!([5, "x", 1]);
    assert_eq!(
        key(Order::Ascending, array.clone()),
        key(Order::Ascending, json!(1))
    );
    assert_eq!(
        key(Order::Descending, array),
        key(Order::Descending, json!("x"))
    );
}

#[test]
fn paths_lead_through_arrays() {
    let sort = Sort::records("a.b", Order::Descending, &NO_PATHS);
    same(
        &sort,
        &[
            json!({"a": [{"b": 1}, {"b": 3}]}),
            json!({"a": {"b": 3}}),
            json!({"a": [{"b": [2, 3]}, {}, 9]}),
        ],
    );
    let sort = Sort::records("a.b", Order::Ascending, &NO_PATHS);
    same(
        &sort,
        &[
            json!({"a": [{"b": 1}, {}]}),
            json!({}),
            json!({"a": []}),
            json!({"a": [7]}),
            json!({"a": {"b": null}}),
            json!({"a": 7}),
        ],
    );
    let sort = Sort::records("a.1", Order::Ascending, &NO_PATHS);
    same(
        &sort,
        &[
            json!({"a": [1, 5]}),
            json!({"a": {"1": 5}}),
            json!({"a": [1, [5, 6]]}),
        ],
    );
}

#[test]
fn texts_count_with_their_first_512_bytes() {
    let text = |tail: &str| json!({"a": "x".repeat(511) + tail});
    let sort = Sort::records("a", Order::Ascending, &NO_PATHS);
    same(&sort, &[text("ya"), text("yb"), text("y")]);
    // The cut splits a character of two bytes.
    same(&sort, &[text("é"), text("è")]);
    ascends(
        |order| Sort::records("a", order, &NO_PATHS),
        &[text(""), text("y"), text("z"), text("é")],
    );
}

#[test]
fn fields_of_objects_sort_by_name() {
    let object = |fields: Value| json!({"fields": fields, "a": 1});
    let documents = [
        object(json!([{"name": "host", "value": []}])),
        object(json!([{"name": "other", "value": 9}])),
        object(json!([{"name": "other", "value": 0}, {"name": "host", "value": 1}])),
        object(json!([{"name": "host", "value": ["c", "b"]}])),
        object(json!([{"name": "host", "value": {"$date": 0}}, {"name": "other", "value": 0}])),
    ];
    ascends(|order| Sort::objects("fields.host", order), &documents);
    same(
        &Sort::objects("fields.host", Order::Ascending),
        &[
            json!({}),
            json!({"fields": null}),
            object(json!([{"name": "host"}])),
            object(json!([7])),
        ],
    );
}

#[test]
fn what_follows_fields_is_a_name_unless_it_starts_with_an_integer() {
    let path = |path: &str| Sort::objects(path, Order::Ascending).path;
    for (asked, name) in [
        ("fields.a", "a"),
        ("fields.a.b", "a.b"),
        ("fields.0x", "0x"),
        ("fields.value", "value"),
        ("fields.-1", "-1"),
        ("fields.", ""),
    ] {
        assert_eq!(path(asked), SortPath::Field(name.to_owned()), "{asked}");
    }
    for asked in [
        "fields.0.value",
        "fields.12",
        "fields",
        "fieldsx",
        "public_id",
    ] {
        assert!(
            matches!(path(asked), SortPath::Path(found) if found.to_dotted() == asked),
            "{asked}"
        );
    }
}

#[test]
fn secrets_sort_as_missing() {
    let paths = Paths {
        timestamps: &[],
        secrets: &["password", "login.hash"],
    };
    for path in ["password", "password.x", "login.hash", "login"] {
        let sort = Sort::records(path, Order::Ascending, &paths);
        same(
            &sort,
            &[
                json!({"password": "a", "login": {"hash": "b"}}),
                json!({"password": "z", "login": {"hash": "z"}}),
                json!({}),
            ],
        );
    }
}

#[test]
fn every_order_but_one_is_descending() {
    for (number, order) in [
        (1, Order::Ascending),
        (-1, Order::Descending),
        (0, Order::Descending),
        (2, Order::Descending),
    ] {
        assert_eq!(Order::from(number), order);
    }
}
