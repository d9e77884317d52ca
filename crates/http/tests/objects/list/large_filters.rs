//! Filters with very many conditions.

use serde_json::{Value, json};
use stockroom_testkit::{Client, Engine, apply, both};

use crate::fixture::{document, stored};

/// More than SQLite takes in a union, or one in another.
const MANY: i64 = 1_500;

fn many(condition: impl Fn(i64) -> Value) -> Vec<Value> {
    (0..MANY).map(condition).collect()
}

async fn ids(client: &Client, filter: &Value) -> Vec<i64> {
    let body = json!({"filter": filter, "sort": "public_id"});
    let answer = client.post("/rest/objects/query", body).await.expect(200);
    let results = answer.member("results");
    let ids = results.as_array().unwrap().iter();
    ids.map(|object| object["public_id"].as_i64().unwrap())
        .collect()
}

#[apply(both)]
async fn any_number_of_conditions_is_answered(engine: Engine) {
    let one = |id: i64| document(id, 7, &[("n", json!(id)), ("t", json!(format!("x{id}")))]);
    let server = stored((1..=5).map(one).collect(), engine).await;
    let admin = server.admin();
    let all = [1, 2, 3, 4, 5];
    for (filter, expected) in [
        (
            json!({"$or": many(|i| json!({"fields.value": {"$gt": format!("x4{i}")}}))}),
            &all[4..],
        ),
        (
            json!({"$or": many(|i| json!({"fields.value": {"$in": [i, "y"]}}))}),
            &all[..],
        ),
        (
            json!({"$or": many(|i| json!({"public_id": {"$gt": 3 + i}}))}),
            &all[3..],
        ),
        (
            json!({"$and": many(|i| json!({"public_id": {"$gt": 2 - i}}))}),
            &all[2..],
        ),
        (
            json!({"$nor": many(|i| json!({"fields.n": {"$gt": 2 + i}}))}),
            &all[..2],
        ),
        (
            json!({"$or": many(|i| json!({"fields.n": {"$mod": [1_000, 4 + i]}}))}),
            &all[3..],
        ),
        (
            json!({"$and": many(|i| json!({"fields.t": {"$not": {"$in": ["x1", i]}}}))}),
            &all[1..],
        ),
        (
            json!({"$nor": many(|i| json!({"creation_time": {"$lt": {"$date": i}}}))}),
            &all[..],
        ),
    ] {
        let found = ids(&admin, &filter).await;
        let begin: String = filter.to_string().chars().take(80).collect();
        assert_eq!(found, expected, "{begin}");
    }
}

/// Each name needs a copy of the condition, and here a different one.
#[apply(both)]
async fn a_large_condition_is_not_copied_for_each_name(engine: Engine) {
    let names: Vec<String> = (0..1_000).map(|i| format!("f{i}")).collect();
    let fields: Vec<_> = names
        .iter()
        .map(|name| (name.as_str(), json!("a")))
        .collect();
    let server = stored(vec![document(1, 7, &fields)], engine).await;
    let admin = server.admin();
    let texts: Vec<String> = (0..5_000).map(|i| format!("x{i}")).collect();
    let among = json!({"value": {"$in": texts}});
    let filter = json!({"fields": {"$elemMatch": among}});
    assert!(ids(&admin, &filter).await.is_empty());
    // Each value of the record is compared with each condition, which is more than it may take.
    let named = (0..500).map(|i| json!({"name": names[i], "value": texts[i]}));
    let either: Vec<Value> = named.chain([among]).collect();
    let filter = json!({"fields": {"$elemMatch": {"$or": either}}});
    let body = json!({"filter": filter});
    let answer = admin.post("/rest/objects/query", body).await.expect(400);
    let detail = answer.detail();
    assert!(detail.contains("too many steps on one record"), "{detail}");
}
