//! `sort` and `order` (`docs/guide/src/lists.md`).

use serde_json::{Value, json};
use stockroom_testkit::{Client, Engine, Setup, TestServer, apply, both};

use crate::fixture::{document, list};

/// Objects with the ids 1, 2, … and these fields.
async fn objects(engine: Engine, fields: &[&[(&str, Value)]]) -> TestServer {
    let documents = (1..)
        .zip(fields)
        .map(|(id, fields)| document(id, 7, fields))
        .collect();
    Setup {
        documents,
        ..Setup::default()
    }
    .start(engine)
    .await
}

async fn sorted(client: &Client, sort: &str, order: &str) -> Vec<i64> {
    list(client, &[("sort", sort), ("order", order), ("limit", "0")])
        .await
        .expect(200)
        .ids()
}

#[apply(both)]
async fn values_of_all_kinds_stand_in_the_order_of_mongodb(engine: Engine) {
    let ascending = [
        json!([]),
        json!(null),
        json!(-1e300),
        json!(-3),
        json!(-0.5),
        json!(0),
        json!(9_007_199_254_740_992_i64),
        json!(9_007_199_254_740_993_i64),
        json!(1e300),
        json!(""),
        json!("10"),
        json!("9"),
        json!("Z"),
        json!("a"),
        json!("aa"),
        json!("é"),
        json!({"a": 1}),
        json!({"a": 2}),
        json!([["x"]]),
        json!(false),
        json!(true),
        json!({"$date": -1}),
        json!({"$date": 0}),
        json!({"$date": "2020-01-01"}),
    ];
    // Insert them in an order that no sort produces.
    let stored: Vec<usize> = (0..ascending.len())
        .map(|index| index * 7 % ascending.len())
        .collect();
    let fields: Vec<[(&str, Value); 1]> = stored
        .iter()
        .map(|rank| [("v", ascending[*rank].clone())])
        .collect();
    let fields: Vec<&[(&str, Value)]> = fields.iter().map(|fields| &fields[..]).collect();
    let server = objects(engine, &fields).await;
    let id_of =
        |rank: usize| 1 + i64::try_from(stored.iter().position(|it| *it == rank).unwrap()).unwrap();
    let expected: Vec<i64> = (0..ascending.len()).map(id_of).collect();
    assert_eq!(sorted(&server.admin(), "fields.v", "1").await, expected);
    let reversed: Vec<i64> = expected.iter().rev().copied().collect();
    for order in ["-1", "0", "2", "down"] {
        assert_eq!(
            sorted(&server.admin(), "fields.v", order).await,
            reversed,
            "{order}: any other value is descending"
        );
    }
}

#[apply(both)]
async fn a_missing_field_sorts_as_null(engine: Engine) {
    let server = objects(
        engine,
        &[
            &[("v", json!(1))],
            &[("w", json!(5))],
            &[("v", json!(null))],
            &[("v", json!(0))],
        ],
    )
    .await;
    assert_eq!(sorted(&server.admin(), "fields.v", "1").await, [2, 3, 4, 1]);
    assert_eq!(
        sorted(&server.admin(), "fields.v", "-1").await,
        [1, 4, 2, 3]
    );
    assert_eq!(
        sorted(&server.admin(), "fields.nowhere", "-1").await,
        [1, 2, 3, 4]
    );
}

#[apply(both)]
async fn a_list_sorts_by_its_least_or_greatest_item(engine: Engine) {
    let server = objects(
        engine,
        &[
            &[("v", json!([5, 1]))],
            &[("v", json!(3))],
            &[("v", json!([2, 4]))],
        ],
    )
    .await;
    assert_eq!(sorted(&server.admin(), "fields.v", "1").await, [1, 3, 2]);
    assert_eq!(sorted(&server.admin(), "fields.v", "-1").await, [1, 3, 2]);
}

#[apply(both)]
async fn names_of_fields_may_hold_dots_and_start_with_digits(engine: Engine) {
    let names = [
        "cpu.cores",
        "0a.b",
        "a..b",
        "value",
        "name",
        "$x",
        "mit Leerzeichen & Ümlaut",
    ];
    let rows: Vec<Vec<(&str, Value)>> = [3, 1, 2]
        .iter()
        .map(|value| names.map(|name| (name, json!(value))).to_vec())
        .collect();
    let rows: Vec<&[(&str, Value)]> = rows.iter().map(Vec::as_slice).collect();
    let server = objects(engine, &rows).await;
    for name in names {
        assert_eq!(
            sorted(&server.admin(), &format!("fields.{name}"), "1").await,
            [2, 3, 1],
            "{name}"
        );
    }
}

#[apply(both)]
async fn a_path_that_goes_on_with_an_integer_is_that_of_mongodb(engine: Engine) {
    let server = objects(
        engine,
        &[
            &[("a", json!(1)), ("b", json!(9))],
            &[("c", json!(3)), ("7", json!(8))],
            &[("b", json!(2)), ("a", json!(7))],
        ],
    )
    .await;
    let admin = server.admin();
    assert_eq!(sorted(&admin, "fields.0.value", "1").await, [1, 3, 2]);
    assert_eq!(sorted(&admin, "fields.1.value", "1").await, [3, 2, 1]);
    assert_eq!(sorted(&admin, "fields.0.name", "-1").await, [2, 3, 1]);
    assert_eq!(
        sorted(&admin, "fields.7", "-1").await,
        [1, 2, 3],
        "a place, not the field of that name"
    );
}

#[apply(both)]
async fn members_of_the_object_sort_too(engine: Engine) {
    let mut documents: Vec<Value> = (1..=3).map(|id| document(id, 10 - id, &[])).collect();
    documents[0]["views"] = json!(2);
    documents[1]["creation_time"] = json!({"$date": 5});
    documents[2]["active"] = json!(false);
    documents[2]["tags"] = json!({"depth": [{"x": 1}]});
    let server = Setup {
        documents,
        ..Setup::default()
    }
    .start(engine)
    .await;
    let admin = server.admin();
    for (sort, expected) in [
        ("public_id", [1, 2, 3]),
        ("type_id", [3, 2, 1]),
        ("views", [2, 3, 1]),
        ("creation_time", [2, 1, 3]),
        ("active", [3, 1, 2]),
        ("tags.depth.x", [1, 2, 3]),
        ("", [1, 2, 3]),
    ] {
        assert_eq!(sorted(&admin, sort, "1").await, expected, "{sort}");
    }
    assert_eq!(sorted(&admin, "tags.depth.x", "-1").await, [3, 1, 2]);
}

#[apply(both)]
async fn texts_sort_by_their_first_512_bytes_then_by_id(engine: Engine) {
    let long = |end: &str| json!(format!("{}{end}", "x".repeat(512)));
    let server = objects(
        engine,
        &[
            &[("v", long("b"))],
            &[("v", long("a"))],
            &[("v", json!("x".repeat(511)))],
        ],
    )
    .await;
    assert_eq!(sorted(&server.admin(), "fields.v", "1").await, [3, 1, 2]);
    assert_eq!(sorted(&server.admin(), "fields.v", "-1").await, [1, 2, 3]);
}
