//! `filter` (`docs/guide/src/filters.md`). The corpus tests the operators; this tests what is
//! specific to objects.

use serde_json::json;
use stockroom_testkit::{Engine, Setup, TestServer, apply, both};

use crate::fixture::{document, list};

#[apply(both)]
async fn timestamps_of_the_record_compare_with_texts(engine: Engine) {
    let days = [
        1_577_836_800_000_i64,
        1_577_923_200_000,
        1_577_923_200_000 + 3_600_000,
    ];
    let documents = (1..).zip(days).map(|(id, millis)| {
        let mut document = document(
            id,
            7,
            &[
                ("day", json!({"$date": millis})),
                ("text", json!("2020-01-02")),
            ],
        );
        document["creation_time"] = json!({"$date": millis});
        document["last_edit_time"] = json!({"$date": millis});
        document
    });
    let server = Setup {
        documents: documents.collect(),
        ..Setup::default()
    }
    .start(engine)
    .await;
    for (filter, expected) in [
        (json!({"creation_time": "2020-01-02"}), vec![2]),
        (json!({"creation_time": {"$gte": "2020-01-02"}}), vec![2, 3]),
        (
            json!({"last_edit_time": {"$gt": "2020-01-02 00:30"}}),
            vec![3],
        ),
        (
            json!({"last_edit_time": {"$lt": "2020-01-02T01:00:00"}}),
            vec![1, 2],
        ),
        (
            json!({"creation_time": {"$in": ["2020-01-01", "2020-01-02T01:00"]}}),
            vec![1, 3],
        ),
        (json!({"creation_time": {"$ne": "2020-01-02"}}), vec![1, 3]),
        (
            json!({"$or": [{"creation_time": {"$not": {"$gte": "2020-01-02"}}}]}),
            vec![1],
        ),
        (json!({"creation_time": {"$date": "2020-01-02"}}), vec![2]),
        (
            json!({"creation_time": {"$gte": {"$date": days[2]}}}),
            vec![3],
        ),
        (json!({"creation_time": "yesterday"}), vec![]),
        (
            json!({"fields": {"$elemMatch": {"name": "day", "value": "2020-01-02"}}}),
            vec![],
        ),
        (
            json!({"fields": {"$elemMatch": {"name": "day", "value": {"$gte": {"$date": "2020-01-02"}}}}}),
            vec![2, 3],
        ),
        (json!({"fields.value": "2020-01-02"}), vec![1, 2, 3]),
    ] {
        let answer = list(&server.admin(), &[("filter", &filter.to_string())])
            .await
            .expect(200);
        assert_eq!(answer.ids(), expected, "{filter}");
    }
}

#[apply(both)]
async fn a_refused_filter_names_the_operator_and_its_place(server: TestServer) {
    for (filter, place, word) in [
        (r#"{"$where": "this.a"}"#, "filter/$where", "$where"),
        (r#"{"$expr": {}}"#, "filter/$expr", "$expr"),
        (r#"{"$text": {"$search": "a"}}"#, "filter/$text", "$text"),
        (r#"{"a": {"$near": 1}}"#, "filter/a/$near", "$near"),
        (
            r#"{"$or": [{"a": 1}, {"b": {"$foo": 1}}]}"#,
            "filter/$or/1/b/$foo",
            "$foo",
        ),
        (
            r#"{"fields": {"$elemMatch": {"value": {"$bar": 1}}}}"#,
            "filter/fields/$elemMatch/value/$bar",
            "$bar",
        ),
        (r#"{"a": {"$regex": "("}}"#, "filter/a/$regex", "$regex"),
        (r#"{"a": {"$in": 5}}"#, "filter/a/$in", "$in"),
        (r#"{"$and": []}"#, "filter/$and", "$and"),
        (r#"{"a/b": {"$size": -1}}"#, "filter/a~1b/$size", "$size"),
        ("[]", "filter", "object"),
        ("5", "filter", "object"),
        ("null", "filter", "object"),
        ("{", "filter", "JSON"),
        (r#"{"a": 1, "a": 2}"#, "filter", "JSON"),
    ] {
        let answer = list(&server.admin(), &[("filter", filter)])
            .await
            .expect(400);
        assert_eq!(answer.pointers(), [place], "{filter}\n{answer}");
        let said = answer.detail() + place;
        assert!(
            said.contains(word),
            "{filter}: {word} is not named\n{answer}"
        );
    }
}

#[apply(both)]
async fn a_pattern_that_would_take_forever_is_refused(engine: Engine) {
    let documents = vec![document(1, 7, &[("text", json!("ab".repeat(40)))])];
    let server = Setup {
        documents,
        ..Setup::default()
    }
    .start(engine)
    .await;
    let filter = json!({"fields.value": {"$regex": "^(?:a|b|ab)*(?!x)bc$"}}).to_string();
    let answer = list(&server.admin(), &[("filter", &filter)])
        .await
        .expect(400);
    assert_eq!(answer.pointers(), ["filter"]);
    assert!(answer.detail().contains("too expensive"), "{answer}");
}

#[apply(both)]
async fn active_and_the_filter_are_both_met(engine: Engine) {
    let mut documents = vec![
        document(1, 7, &[]),
        document(2, 7, &[]),
        document(3, 8, &[]),
    ];
    documents[0]["active"] = json!(false);
    let server = Setup {
        documents,
        ..Setup::default()
    }
    .start(engine)
    .await;
    let of_seven = ("filter", r#"{"type_id": 7}"#);
    for (parameters, expected) in [
        (vec![of_seven], vec![1, 2]),
        (vec![of_seven, ("active", "true")], vec![2]),
        (vec![of_seven, ("active", "1")], vec![2]),
        (vec![of_seven, ("active", "")], vec![2]),
        (vec![("active", "TRUE")], vec![2, 3]),
        (vec![("active", "false")], vec![1, 2, 3]),
        (vec![("active", "0")], vec![1, 2, 3]),
        (vec![("filter", r#"{"active": false}"#)], vec![1]),
        (
            vec![("filter", r#"{"active": false}"#), ("active", "true")],
            vec![],
        ),
    ] {
        let answer = list(&server.admin(), &parameters).await.expect(200);
        assert_eq!(answer.ids(), expected, "{parameters:?}");
        assert_eq!(answer.member("total"), expected.len(), "{parameters:?}");
    }
    let _ = list(&server.admin(), &[("active", "maybe")])
        .await
        .expect(400);
}
