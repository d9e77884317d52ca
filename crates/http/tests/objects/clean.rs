//! `GET` and `PUT /objects/clean/{type_id}`: objects whose set of field names differs from their
//! type's.

use serde_json::{Value, json};
use stockroom_testkit::{Client, Engine, Setup, TestServer, apply, both};

use crate::fixture::{
    OBJECTS, document, field, field_with, insert, make_type, native, patch_type, path, restrict,
    value,
};

const CLEANER: &[&str] = &["base.framework.object.*", "base.framework.type.clean"];

fn clean(type_id: i64) -> String {
    format!("/rest/objects/clean/{type_id}")
}

async fn unclean(client: &Client, type_id: i64) -> Vec<i64> {
    client.get(&clean(type_id)).await.expect(200).ids()
}

/// A type with the fields `a` and `b`, and objects with these fields.
async fn objects_with(server: &TestServer, fields: &[&[(&str, Value)]]) -> (i64, Vec<i64>) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host", &[field("text", "a"), field("text", "b")]).await;
    let mut ids = Vec::new();
    for values in fields {
        ids.push(insert(&admin, type_id, values).await);
    }
    (type_id, ids)
}

#[apply(both)]
async fn an_object_is_unclean_if_its_field_names_are_not_those_of_its_type(server: TestServer) {
    let admin = server.admin();
    let (a, b, c) = (("a", json!("1")), ("b", json!("2")), ("c", json!("3")));
    let (type_id, ids) = objects_with(
        &server,
        &[
            &[a.clone(), b.clone()],
            &[b.clone(), a.clone()],
            std::slice::from_ref(&a),
            &[],
            &[a.clone(), b.clone(), c.clone()],
            &[a.clone(), c.clone()],
        ],
    )
    .await;
    assert_eq!(unclean(&admin, type_id).await, ids[2..]);
    let answer = admin.get(&clean(type_id)).await.expect(200);
    assert_eq!(
        (answer.member("total"), answer.header("x-total-count")),
        (json!(4), "4")
    );
    let mut shown = answer.member("results");
    assert_eq!(shown[0].take(), native(&admin, ids[2]).await);
    let page = admin
        .get(&format!("{}?limit=1&page=2&order=-1", clean(type_id)))
        .await
        .expect(200);
    assert_eq!((page.ids(), page.member("total")), (vec![ids[4]], json!(4)));
}

#[apply(both)]
async fn cleaning_removes_what_is_unknown_and_adds_what_is_missing(server: TestServer) {
    let admin = server.admin();
    let (a, b, c) = (("a", json!("1")), ("b", json!("2")), ("c", json!("3")));
    let (type_id, ids) = objects_with(
        &server,
        &[&[b.clone(), a.clone()], &[c.clone(), b.clone()], &[]],
    )
    .await;
    let untouched = native(&admin, ids[0]).await;
    let person = server.user_with(CLEANER).await;
    server.advance(std::time::Duration::from_secs(60));
    let answer = person
        .client
        .put(&clean(type_id), json!({}))
        .await
        .expect(200);
    assert_eq!(
        answer.member("result"),
        json!({"type_id": type_id, "cleaned": 2})
    );
    assert_eq!(
        [&answer.json()["response_type"], &answer.json()["model"]],
        ["UPDATE", "Object"]
    );
    assert_eq!(unclean(&admin, type_id).await, [0_i64; 0]);
    assert_eq!(native(&admin, ids[0]).await, untouched);
    let cleaned = admin
        .get(&format!("{}/native", path(ids[1])))
        .await
        .expect(200);
    assert_eq!(cleaned.header("etag"), "\"2\"");
    let cleaned = cleaned.json();
    assert_eq!(
        cleaned["fields"],
        json!([{"name": "b", "value": "2"}, {"name": "a", "value": null}])
    );
    assert_eq!(
        [&cleaned["editor_id"], &cleaned["last_edit_time"]],
        [&json!(null), &json!(null)],
        "upkeep is no edit"
    );
    let again = person
        .client
        .put(&clean(type_id), json!({}))
        .await
        .expect(200);
    assert_eq!(
        again.member("result")["cleaned"],
        0,
        "a second time there is nothing left to do"
    );
    assert_eq!(native(&admin, ids[1]).await, cleaned);
}

#[apply(both)]
async fn missing_fields_start_with_the_value_then_the_default_then_null(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host", &[]).await;
    let id = insert(&admin, type_id, &[]).await;
    let fields = json!({"fields": [
        field_with("text", "by-value", &json!({"value": "v", "default": 5})),
        field_with("number", "by-default", &json!({"default": 5})),
        field_with("number", "zero", &json!({"value": null, "default": 0})),
        field("text", "nothing"),
        field_with("password", "secret", &json!({"value": "do not store me"})),
    ]});
    let answer = patch_type(&admin, type_id, fields).await;
    assert_eq!(answer.status, 202, "{answer}");
    let _ = admin.put(&clean(type_id), json!({})).await.expect(200);
    let object = native(&admin, id).await;
    let names = ["by-value", "by-default", "zero", "nothing", "secret"];
    let values: Vec<&Value> = names.iter().map(|name| value(&object, name)).collect();
    assert_eq!(
        values,
        [
            &json!("v"),
            &json!(5),
            &json!(0),
            &json!(null),
            &json!(null)
        ]
    );
}

#[apply(both)]
async fn a_field_that_stands_twice_is_unclean_and_stays_once(engine: Engine) {
    let documents = vec![
        document(1, 7, &[("a", json!(1)), ("a", json!(2)), ("b", json!(3))]),
        document(2, 7, &[("a", json!(1)), ("b", json!(2))]),
    ];
    let server = Setup {
        documents,
        ..Setup::default()
    }
    .start(engine)
    .await;
    let admin = server.admin();
    assert_eq!(unclean(&admin, 7).await, [1]);
    let _ = admin.put(&clean(7), json!({})).await.expect(200);
    assert_eq!(
        native(&admin, 1).await["fields"],
        json!([{"name": "a", "value": 1}, {"name": "b", "value": 3}])
    );
    assert_eq!(unclean(&admin, 7).await, [0_i64; 0]);
}

#[apply(both)]
async fn a_cleaned_object_references_no_more_than_it_says(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host", &[field("ref", "old"), field("ref", "kept")]).await;
    let targets = [
        insert(&admin, type_id, &[]).await,
        insert(&admin, type_id, &[]).await,
    ];
    let id = insert(
        &admin,
        type_id,
        &[("old", json!(targets[0])), ("kept", json!(targets[1]))],
    )
    .await;
    let _ = patch_type(&admin, type_id, json!({"fields": [field("ref", "kept")]}))
        .await
        .expect(202);
    let _ = admin.put(&clean(type_id), json!({})).await.expect(200);
    for (target, expected) in [(targets[0], vec![]), (targets[1], vec![id])] {
        let references = admin
            .get(&format!("{}/references", path(target)))
            .await
            .expect(200);
        assert_eq!(references.ids(), expected, "{target}");
    }
}

#[apply(both)]
async fn everything_is_cleaned_however_much_there_is(engine: Engine) {
    let mut documents: Vec<Value> = (1..=1_100)
        .map(|id| document(id, 7, &[("a", json!(id))]))
        .collect();
    documents.push(document(1_101, 7, &[("b", json!(1))]));
    documents.push(document(1_102, 8, &[("c", json!(1))]));
    let server = Setup {
        documents,
        ..Setup::default()
    }
    .start(engine)
    .await;
    let admin = server.admin();
    let answer = admin.put(&clean(7), json!({})).await.expect(200);
    assert_eq!(answer.member("result")["cleaned"], 1_101);
    let left = admin.get(&clean(7)).await.expect(200);
    assert_eq!(left.member("total"), 0);
    let other = admin.get("/rest/objects/1102/native").await.expect(200);
    assert_eq!(other.header("etag"), "\"1\"", "other types are left alone");
}

#[apply(both)]
async fn cleaning_needs_a_type_a_right_and_the_access_list(server: TestServer) {
    let admin = server.admin();
    let (type_id, ids) = objects_with(&server, &[&[]]).await;
    for missing in ["999", "0", "x"] {
        let path = format!("/rest/objects/clean/{missing}");
        let _ = admin.get(&path).await.expect(404);
        let _ = admin.put(&path, json!({})).await.expect(404);
    }
    let person = server.user_with(OBJECTS).await;
    for answer in [
        person.client.get(&clean(type_id)).await,
        person.client.put(&clean(type_id), json!({})).await,
    ] {
        assert!(
            answer
                .expect(403)
                .detail()
                .contains("base.framework.type.clean")
        );
    }
    let cleaner = server.user_with(CLEANER).await;
    for (operations, get, put) in [
        (&["UPDATE"][..], 403, 403),
        (&["READ", "DELETE"][..], 200, 403),
        (&["READ", "UPDATE"][..], 200, 200),
    ] {
        restrict(&admin, type_id, cleaner.group_id, operations).await;
        let _ = cleaner.client.get(&clean(type_id)).await.expect(get);
        let before = native(&admin, ids[0]).await;
        let _ = cleaner
            .client
            .put(&clean(type_id), json!({}))
            .await
            .expect(put);
        assert_eq!(
            native(&admin, ids[0]).await == before,
            put == 403,
            "{operations:?}"
        );
    }
}
