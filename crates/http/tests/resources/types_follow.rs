//! How changes of a type affect its objects and categories, and the other way round.

use serde_json::{Value, json};
use stockroom_testkit::inventory::{insert, object};
use stockroom_testkit::{Client, TestServer, apply, both};

use crate::fixture::read;

const PATH: &str = "/rest/types";
const OBJECTS: &str = "/rest/objects";

fn field(kind: &str, name: &str) -> Value {
    json!({"type": kind, "name": name, "label": name})
}

async fn make_type(admin: &Client, fields: &[Value]) -> i64 {
    insert(
        admin,
        PATH,
        json!({"name": "things", "author_id": 1, "fields": fields}),
    )
    .await
}

async fn redefine(admin: &Client, id: i64, fields: &[Value]) {
    let _ = admin
        .patch(&format!("{PATH}/{id}"), json!({"fields": fields}))
        .await
        .expect(202);
}

async fn native(client: &Client, id: i64, name: &str) -> Value {
    let document = client
        .get(&format!("{OBJECTS}/{id}/native"))
        .await
        .expect(200)
        .json();
    value(&document, name)
}

async fn listed(client: &Client, id: i64, name: &str) -> Value {
    let filter = json!({"public_id": id}).to_string();
    let list = client
        .query(OBJECTS, &[("filter", &filter)])
        .await
        .expect(200);
    value(&list.member("results")[0], name)
}

fn value(document: &Value, name: &str) -> Value {
    let fields = document["fields"].as_array().unwrap();
    fields.iter().find(|field| field["name"] == name).unwrap()["value"].clone()
}

#[apply(both)]
async fn a_type_with_objects_is_not_deleted_and_says_how_many_there_are(server: TestServer) {
    let admin = server.admin();
    let id = make_type(&admin, &[field("text", "a")]).await;
    let mut objects = Vec::new();
    for _ in 0..3 {
        objects.push(insert(&admin, OBJECTS, object(id, &[("a", json!("x"))])).await);
    }
    for (left, counted) in [(3, "3 objects"), (2, "2 objects"), (1, "1 object")] {
        for path in [format!("{PATH}/{id}"), format!("/rest/type/{id}")] {
            let refused = admin.delete(&path).await.expect(400);
            assert!(refused.detail().contains(counted), "{left} left: {refused}");
        }
        let _ = admin
            .delete(&format!("{OBJECTS}/{}", objects.pop().unwrap()))
            .await
            .expect(200);
    }
    let _ = admin.delete(&format!("{PATH}/{id}")).await.expect(202);
}

#[apply(both)]
async fn categories_forget_a_type_that_is_deleted(server: TestServer) {
    let admin = server.admin();
    let gone = make_type(&admin, &[]).await;
    let other = insert(&admin, PATH, json!({"name": "other", "author_id": 1})).await;
    let first = insert(
        &admin,
        "/rest/categories",
        json!({"name": "a", "types": [other, gone, 77]}),
    )
    .await;
    let second = insert(
        &admin,
        "/rest/categories",
        json!({"name": "b", "types": [gone]}),
    )
    .await;
    let untouched = insert(
        &admin,
        "/rest/categories",
        json!({"name": "c", "types": [other]}),
    )
    .await;
    let _ = admin.delete(&format!("{PATH}/{gone}")).await.expect(202);
    for (id, types, revision) in [
        (first, json!([other, 77]), "\"2\""),
        (second, json!([]), "\"2\""),
        (untouched, json!([other]), "\"1\""),
    ] {
        let answer = admin
            .get(&format!("/rest/categories/{id}"))
            .await
            .expect(200);
        assert_eq!(
            (&answer.member("result")["types"], answer.header("etag")),
            (&types, revision),
            "category {id}"
        );
    }
}

#[apply(both)]
async fn references_follow_the_kind_of_a_field(server: TestServer) {
    let admin = server.admin();
    let id = make_type(&admin, &[field("text", "peer")]).await;
    let target = insert(&admin, OBJECTS, object(id, &[("peer", json!(null))])).await;
    let referrer = insert(
        &admin,
        OBJECTS,
        object(id, &[("peer", json!(target.to_string()))]),
    )
    .await;
    let references = format!("{OBJECTS}/{target}/references");
    for (peer, ids) in [
        (field("text", "peer"), vec![]),
        (field("ref", "peer"), vec![referrer]),
        (field("text", "peer"), vec![]),
        (field("location", "peer"), vec![referrer]),
        (field("ref-section-field", "peer"), vec![referrer]),
        (
            json!({"type": "text", "name": "peer", "label": "", "ref_types": [id]}),
            vec![referrer],
        ),
        (field("ref", "other"), vec![]),
    ] {
        redefine(&admin, id, std::slice::from_ref(&peer)).await;
        assert_eq!(
            admin.get(&references).await.expect(200).ids(),
            ids,
            "{peer}"
        );
        let value = native(&admin, referrer, "peer").await;
        assert_eq!(
            value,
            json!(target.to_string()),
            "the value itself stays: {peer}"
        );
    }
}

#[apply(both)]
async fn values_of_a_field_that_becomes_a_password_are_hidden(server: TestServer) {
    let admin = server.admin();
    let id = make_type(&admin, &[field("text", "pin"), field("number", "code")]).await;
    let full = insert(
        &admin,
        OBJECTS,
        object(id, &[("pin", json!("s3cret")), ("code", json!(42))]),
    )
    .await;
    let empty = insert(
        &admin,
        OBJECTS,
        object(id, &[("pin", json!(null)), ("code", json!(null))]),
    )
    .await;
    let by_value = [("filter", r#"{"fields.value": "s3cret"}"#)];
    assert_eq!(
        admin.query(OBJECTS, &by_value).await.expect(200).ids(),
        [full]
    );
    redefine(
        &admin,
        id,
        &[field("password", "pin"), field("password", "code")],
    )
    .await;
    assert_eq!(
        admin.query(OBJECTS, &by_value).await.expect(200).ids(),
        [0; 0]
    );
    for name in ["pin", "code"] {
        assert_eq!(listed(&admin, full, name).await, "••••••");
        assert_eq!(listed(&admin, empty, name).await, Value::Null);
        assert_eq!(native(&admin, empty, name).await, Value::Null);
    }
    assert_eq!(native(&admin, full, "pin").await, "s3cret");
    assert_eq!(native(&admin, full, "code").await, "42");
    let viewer = server
        .user_with(&["base.framework.object.view"])
        .await
        .client;
    assert_eq!(native(&viewer, full, "pin").await, "••••••");
}

#[apply(both)]
async fn a_password_field_stays_one_as_long_as_values_are_set(server: TestServer) {
    let admin = server.admin();
    let id = make_type(&admin, &[field("text", "name"), field("password", "pin")]).await;
    let holder = insert(
        &admin,
        OBJECTS,
        object(id, &[("name", json!("a")), ("pin", json!("s3cret"))]),
    )
    .await;
    insert(
        &admin,
        OBJECTS,
        object(id, &[("name", json!("b")), ("pin", json!(null))]),
    )
    .await;
    let readable = json!({"fields": [field("text", "name"), field("text", "pin")]});
    let path = format!("{PATH}/{id}");
    let before = read(&admin, &path).await;
    let refused = admin.patch(&path, readable.clone()).await;
    assert_eq!(refused.pointers(), ["/fields/1/type"]);
    assert!(refused.detail().contains("1 object "), "{refused}");
    assert_eq!(read(&admin, &path).await, before);
    assert_eq!(native(&admin, holder, "pin").await, "s3cret");
    let cleared = json!({"fields": [{"name": "pin", "value": null}]});
    let _ = admin
        .patch(&format!("{OBJECTS}/{holder}"), cleared)
        .await
        .expect(200);
    let _ = admin.patch(&path, readable).await.expect(202);
    assert_eq!(listed(&admin, holder, "pin").await, Value::Null);
}

#[apply(both)]
async fn an_inactive_type_refuses_new_objects_and_nothing_else(server: TestServer) {
    let admin = server.admin();
    let id = make_type(&admin, &[field("text", "a")]).await;
    let kept = insert(&admin, OBJECTS, object(id, &[("a", json!("x"))])).await;
    let path = format!("{PATH}/{id}");
    let _ = admin
        .patch(&path, json!({"active": false}))
        .await
        .expect(202);
    let _ = admin
        .post(OBJECTS, object(id, &[("a", json!("y"))]))
        .await
        .expect(403);
    let of_object = format!("{OBJECTS}/{kept}");
    let document = admin
        .get(&format!("{of_object}/native"))
        .await
        .expect(200)
        .json();
    let _ = admin.get(&of_object).await.expect(200);
    let _ = admin.put(&of_object, document).await.expect(200);
    let _ = admin
        .patch(&of_object, json!({"fields": [{"name": "a", "value": "z"}]}))
        .await
        .expect(200);
    let _ = admin
        .put(&format!("{of_object}/state"), json!(false))
        .await
        .expect(200);
    let _ = admin
        .put(&format!("{OBJECTS}/clean/{id}"), json!(null))
        .await
        .expect(200);
    assert_eq!(admin.get(OBJECTS).await.expect(200).ids(), [kept]);
    redefine(&admin, id, &[field("text", "a"), field("text", "b")]).await;
    let _ = admin.delete(&of_object).await.expect(200);
    let _ = admin
        .patch(&path, json!({"active": true}))
        .await
        .expect(202);
    let _ = admin
        .post(
            OBJECTS,
            object(id, &[("a", json!("y")), ("b", json!(null))]),
        )
        .await
        .expect(200);
}

#[apply(both)]
async fn objects_follow_the_fields_that_are_added_and_removed(server: TestServer) {
    let admin = server.admin();
    let id = make_type(&admin, &[field("text", "a")]).await;
    let only = insert(&admin, OBJECTS, object(id, &[("a", json!("x"))])).await;
    let unclean = format!("{OBJECTS}/clean/{id}");
    assert_eq!(admin.get(&unclean).await.expect(200).ids(), [0; 0]);
    for fields in [
        vec![field("text", "a"), field("text", "b")],
        vec![field("text", "b")],
        vec![],
    ] {
        redefine(&admin, id, &fields).await;
        assert_eq!(
            admin.get(&unclean).await.expect(200).ids(),
            [only],
            "{fields:?}"
        );
        assert_eq!(native(&admin, only, "a").await, "x", "until it is cleaned");
    }
    redefine(&admin, id, &[field("text", "a")]).await;
    assert_eq!(admin.get(&unclean).await.expect(200).ids(), [0; 0]);
}

#[apply(both)]
async fn an_acl_hides_objects_but_not_the_type(server: TestServer) {
    let admin = server.admin();
    let id = make_type(&admin, &[field("text", "a")]).await;
    let only = insert(&admin, OBJECTS, object(id, &[("a", json!("x"))])).await;
    let path = format!("{PATH}/{id}");
    let closed = json!({"acl": {"activated": true, "groups": {"includes": {"1": ["UPDATE"]}}}});
    let _ = admin.patch(&path, closed).await.expect(202);
    let _ = admin.get(&format!("{OBJECTS}/{only}")).await.expect(403);
    assert_eq!(
        admin.get(OBJECTS).await.expect(200).member("total"),
        0,
        "administrators are not spared"
    );
    assert_eq!(admin.get(PATH).await.expect(200).ids(), [id]);
    let refused = admin.delete(&path).await.expect(400);
    assert!(
        refused.detail().contains("objects that you may not read"),
        "{refused}"
    );
    let open = json!({"acl": {"activated": false}});
    let _ = admin.patch(&path, open).await.expect(202);
    assert_eq!(admin.get(OBJECTS).await.expect(200).ids(), [only]);
}
