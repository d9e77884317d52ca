//! `POST /objects/`

use serde_json::{Value, json};
use stockroom_testkit::{START, TestServer, apply, both, inventory};

use crate::fixture::{
    OBJECTS, field, field_with, insert, list, make_type, native, patch_type, path, restrict,
};

const NO_TYPE: i64 = 999;

/// A type with a required text field.
async fn hosts(server: &TestServer) -> i64 {
    let name = field_with("text", "name", &json!({"required": true}));
    make_type(&server.admin(), "host", &[name]).await
}

fn host(type_id: i64, name: &str) -> Value {
    inventory::object(type_id, &[("name", json!(name))])
}

#[apply(both)]
async fn only_type_author_and_fields_are_required(server: TestServer) {
    let admin = server.admin();
    let type_id = hosts(&server).await;
    let answer = admin
        .post("/rest/objects/", host(type_id, "a"))
        .await
        .expect(200);
    let id = answer.member("result_id");
    let created = START.to_date();
    let expected = json!({
        "public_id": id, "type_id": type_id, "status": true, "version": "1.0.0", "author_id": 1, "creation_time": created,
        "last_edit_time": null, "editor_id": null, "active": true, "fields": [{"name": "name", "value": "a"}], "views": 0,
    });
    assert_eq!(answer.member("raw"), expected);
    let null = json!({
        "active": null, "status": null, "version": null, "views": null, "public_id": null,
        "creation_time": null,
    });
    let mut body = host(type_id, "a");
    body.as_object_mut()
        .unwrap()
        .extend(null.as_object().unwrap().clone());
    let raw = admin
        .post("/rest/objects/", body)
        .await
        .expect(200)
        .member("raw");
    for (key, default) in expected
        .as_object()
        .unwrap()
        .iter()
        .filter(|(key, _)| *key != "public_id")
    {
        assert_eq!(raw[key], *default, "{key}: null means the default");
    }
}

#[apply(both)]
async fn the_answer_is_an_insert_envelope_and_leads_to_the_object(server: TestServer) {
    let admin = server.admin();
    let type_id = hosts(&server).await;
    let answer = admin
        .post("/rest/objects/", host(type_id, "a"))
        .await
        .expect(200);
    let id = answer.member("result_id").as_i64().unwrap();
    assert_eq!(
        answer.header("location"),
        format!("http://inventory.example/rest/objects/{id}")
    );
    assert_eq!(answer.header("etag"), "\"1\"");
    assert_eq!(answer.header("x-api-version"), "1.0");
    let body = answer.json();
    assert_eq!(body["raw"], native(&admin, id).await);
    assert_eq!(
        [&body["response_type"], &body["model"], &body["time"]],
        ["INSERT", "Object", "2026-03-04T05:06:07.089012"]
    );
    assert_eq!(body.get("warnings"), None, "there is nothing to warn about");
}

#[apply(both)]
async fn what_a_client_sends_is_kept(server: TestServer) {
    let admin = server.admin();
    let type_id = hosts(&server).await;
    let sent = json!({
        "public_id": 4_711, "type_id": type_id, "status": false, "version": "7.3-beta", "author_id": 99,
        "creation_time": {"$date": 1_000}, "last_edit_time": {"$date": 2_000}, "editor_id": 98, "active": false,
        "fields": [{"name": "name", "value": "a"}], "views": 42,
    });
    let mut body = sent.clone();
    body["creation_time"] = json!("1970-01-01T00:00:01");
    body["last_edit_time"] = json!({"$date": "1970-01-01 00:00:02.000000"});
    body["invented"] = json!("ignored");
    let answer = admin.post("/rest/objects/", body).await.expect(200);
    assert_eq!(answer.member("raw"), sent);
    assert_eq!(native(&admin, 4_711).await, sent);
    let rendered = admin.get(&path(4_711)).await.expect(200).json();
    assert_eq!(rendered["object_information"]["author_name"], "unknown");
}

#[apply(both)]
async fn all_problems_of_a_body_come_at_once(server: TestServer) {
    let admin = server.admin();
    let name = field_with("text", "name", &json!({"required": true}));
    let date = field("date", "bought");
    let other = field("ref", "other");
    let type_id = make_type(&admin, "host", &[name, date, other]).await;
    let taken = insert(&admin, type_id, &[("name", json!("a"))]).await;
    let wrong = json!([{"name": "bought", "value": "tomorrow"}, {"name": "other", "value": 999}]);
    let of_the_fields = ["/fields", "/fields/0/value", "/fields/1/value"];
    for (body, mut expected) in [
        (json!({}), vec!["/author_id", "/fields", "/type_id"]),
        (
            json!({"type_id": null, "author_id": null, "fields": null}),
            vec!["/author_id", "/fields", "/type_id"],
        ),
        (
            json!({"type_id": "x", "author_id": -1, "fields": {}, "active": 1, "version": 1, "status": "x", "views": -1}),
            vec![
                "/active",
                "/author_id",
                "/fields",
                "/status",
                "/type_id",
                "/version",
                "/views",
            ],
        ),
        (
            json!({"type_id": type_id, "author_id": 1, "fields": wrong}),
            vec![],
        ),
        (
            json!({"type_id": type_id, "fields": wrong, "active": "x"}),
            vec!["/active", "/author_id"],
        ),
        (
            json!({"type_id": type_id, "author_id": 1, "fields": wrong, "public_id": taken}),
            vec!["/public_id"],
        ),
    ] {
        if body["fields"].is_array() {
            expected.extend(of_the_fields);
        }
        expected.sort_unstable();
        let answer = admin.post("/rest/objects/", body.clone()).await.expect(400);
        let mut pointers = answer.pointers();
        pointers.sort_unstable();
        assert_eq!(pointers, expected, "{body}");
    }
    assert_eq!(
        list(&admin, &[]).await.member("total"),
        1,
        "nothing of it was stored"
    );
}

#[apply(both)]
async fn items_of_fields_need_a_name_and_a_value(server: TestServer) {
    let admin = server.admin();
    let type_id = hosts(&server).await;
    for (items, expected) in [
        (
            json!([{"name": "name"}]),
            vec!["/fields", "/fields/0/value"],
        ),
        (
            json!([{"name": "name", "value": "a"}, {"value": "a"}]),
            vec!["/fields/1/name"],
        ),
        (
            json!([{"name": "name", "value": "a"}, {"name": 1, "value": "a"}]),
            vec!["/fields/1/name"],
        ),
        (
            json!([{"name": "name", "value": "a"}, {"name": "", "value": "a"}]),
            vec!["/fields/1/name"],
        ),
        (
            json!([{"name": "name", "value": "a"}, "name", null]),
            vec!["/fields/1", "/fields/2"],
        ),
        (
            json!([{"name": "name", "value": "a"}, {"name": "name", "value": "b"}]),
            vec!["/fields/1/name"],
        ),
    ] {
        let body = json!({"type_id": type_id, "author_id": 1, "fields": items});
        let answer = admin.post("/rest/objects/", body).await.expect(400);
        let mut pointers = answer.pointers();
        pointers.sort_unstable();
        assert_eq!(pointers, expected, "{items}");
    }
    for body in [json!([]), json!("text"), json!(null), json!(5)] {
        let answer = admin.post("/rest/objects/", body.clone()).await.expect(400);
        assert_eq!(answer.pointers(), [""], "{body}");
    }
}

#[apply(both)]
async fn a_missing_type_comes_before_a_closed_one_and_that_before_bad_values(server: TestServer) {
    let admin = server.admin();
    let (open, inactive, closed) = (
        make_type(&admin, "open", &[field("date", "day")]).await,
        make_type(&admin, "inactive", &[field("date", "day")]).await,
        make_type(&admin, "closed", &[field("date", "day")]).await,
    );
    let person = server.user_with(OBJECTS).await;
    restrict(
        &admin,
        closed,
        person.group_id,
        &["READ", "UPDATE", "DELETE"],
    )
    .await;
    let _ = patch_type(&admin, inactive, json!({"active": false}))
        .await
        .expect(202);
    for (type_id, status, word) in [
        (NO_TYPE, 404, "type 999"),
        (inactive, 403, "not active"),
        (closed, 403, "CREATE"),
        (open, 400, "date"),
    ] {
        let body = inventory::object(type_id, &[("day", json!("tomorrow"))]);
        let answer = person
            .client
            .post("/rest/objects/", body)
            .await
            .expect(status);
        assert!(answer.detail().contains(word), "{answer}");
    }
    let reader = server.user_with(&["base.framework.object.view"]).await;
    let answer = reader
        .client
        .post("/rest/objects/", json!({}))
        .await
        .expect(403);
    assert!(
        answer.detail().contains("base.framework.object.add"),
        "{answer}"
    );
}

#[apply(both)]
async fn the_rules_of_a_hidden_type_stay_hidden_behind_a_malformed_body(server: TestServer) {
    let closed = make_type(
        &server.admin(),
        "closed",
        &[field_with(
            "text",
            "secret-name",
            &json!({"required": true}),
        )],
    )
    .await;
    let person = server.user_with(OBJECTS).await;
    restrict(&server.admin(), closed, person.group_id, &[]).await;
    let body = json!({"type_id": closed, "fields": []});
    let answer = person.client.post("/rest/objects/", body).await.expect(400);
    assert_eq!(answer.pointers(), ["/author_id"]);
    assert!(!answer.to_string().contains("secret-name"), "{answer}");
}

#[apply(both)]
async fn a_free_id_may_be_named_and_a_taken_one_not(server: TestServer) {
    let admin = server.admin();
    let type_id = hosts(&server).await;
    let named = |id: i64| {
        let mut body = host(type_id, "a");
        body["public_id"] = json!(id);
        body
    };
    let _ = admin.post("/rest/objects/", named(100)).await.expect(200);
    let answer = admin.post("/rest/objects/", named(100)).await.expect(400);
    assert_eq!(answer.pointers(), ["/public_id"]);
    let _ = admin.post("/rest/objects/", named(50)).await.expect(200);
    let next = insert(&admin, type_id, &[("name", json!("b"))]).await;
    assert!(
        next > 100,
        "{next}: an id that the service hands out was never named"
    );
    let _ = admin.delete(&path(100)).await.expect(200);
    let _ = admin.post("/rest/objects/", named(100)).await.expect(200);
    for id in [0, -1, 1_i64 << 53] {
        let answer = admin.post("/rest/objects/", named(id)).await.expect(400);
        assert_eq!(answer.pointers(), ["/public_id"], "{id}");
    }
    let person = server.user_with(OBJECTS).await;
    let open = make_type(&admin, "open", &[]).await;
    restrict(&admin, type_id, person.group_id, &[]).await;
    let mut body = inventory::object(open, &[]);
    body["public_id"] = json!(100);
    let answer = person.client.post("/rest/objects/", body).await.expect(400);
    assert_eq!(
        answer.pointers(),
        ["/public_id"],
        "hidden objects keep their ids"
    );
}

#[apply(both)]
async fn an_id_is_never_handed_out_twice(server: TestServer) {
    let admin = server.admin();
    let type_id = hosts(&server).await;
    let mut seen = Vec::new();
    for _ in 0..4 {
        let id = insert(&admin, type_id, &[("name", json!("a"))]).await;
        assert!(!seen.contains(&id), "{id} was in use before");
        seen.push(id);
        let _ = admin.delete(&path(id)).await.expect(200);
    }
}

#[apply(both)]
async fn the_largest_id_does_not_use_up_the_others(server: TestServer) {
    let admin = server.admin();
    let type_id = hosts(&server).await;
    for id in [(1_i64 << 53) - 1, (1 << 53) - 2, 1 << 52] {
        let mut body = host(type_id, "a");
        body["public_id"] = json!(id);
        assert_eq!(
            admin
                .post("/rest/objects/", body)
                .await
                .expect(200)
                .member("result_id"),
            id
        );
        assert_eq!(native(&admin, id).await["public_id"], id);
        let next = insert(&admin, type_id, &[("name", json!("a"))]).await;
        assert!(next < 1 << 52, "{next}");
    }
}

#[apply(both)]
async fn revisions_of_a_reused_id_go_on(server: TestServer) {
    let admin = server.admin();
    let type_id = hosts(&server).await;
    let mut body = host(type_id, "a");
    body["public_id"] = json!(7);
    let first = admin.post("/rest/objects/", body.clone()).await.expect(200);
    let last = admin
        .patch(&path(7), json!({"version": "2.0.0"}))
        .await
        .expect(200);
    let _ = admin.delete(&path(7)).await.expect(200);
    let again = admin.post("/rest/objects/", body.clone()).await.expect(200);
    for known in [&first, &last] {
        assert_ne!(
            known.header("etag"),
            again.header("etag"),
            "a tag names one state only"
        );
        let stale = admin.clone().with_header("if-match", known.header("etag"));
        let _ = stale.put(&path(7), body.clone()).await.expect(412);
    }
}

#[apply(both)]
async fn a_field_unknown_to_the_type_is_stored_with_a_warning_and_makes_the_object_unclean(
    server: TestServer,
) {
    let admin = server.admin();
    let type_id = hosts(&server).await;
    let body = inventory::object(
        type_id,
        &[
            ("name", json!("a")),
            ("colour", json!(["kept", {"as": "sent"}])),
        ],
    );
    let strict = admin.clone().with_header("prefer", "handling=strict");
    let refused = strict
        .post("/rest/objects/", body.clone())
        .await
        .expect(400);
    assert_eq!(refused.pointers(), ["/fields/1/name"]);
    assert_eq!(list(&admin, &[]).await.member("total"), 0);
    let answer = admin.post("/rest/objects/", body.clone()).await.expect(200);
    assert_eq!(answer.warnings(), ["/fields/1/name"]);
    assert_eq!(answer.member("raw")["fields"], body["fields"]);
    let unclean = admin
        .get(&format!("/rest/objects/clean/{type_id}"))
        .await
        .expect(200);
    assert_eq!(json!(unclean.ids()), json!([answer.member("result_id")]));
}
