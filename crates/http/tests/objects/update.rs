//! `PUT` and `PATCH /objects/{public_id}`

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use stockroom_testkit::{START, TestServer, apply, both, inventory};

use crate::fixture::{
    OBJECTS, field, host, insert, make_type, native, patch_type, path, restrict, value,
};

#[apply(both)]
async fn put_replaces_and_notes_who_did_it_and_when(server: TestServer) {
    let admin = server.admin();
    let (type_id, id) = host(&server).await;
    let person = server.user_with(OBJECTS).await;
    server.advance(Duration::from_secs(60));
    let body = json!({
        "public_id": id, "type_id": type_id, "author_id": 5, "status": false, "active": false,
        "version": "2.0.0", "views": 77, "creation_time": {"$date": 1},
        "last_edit_time": {"$date": 2}, "editor_id": 9, "fields": [{"name": "note", "value": "new"}],
    });
    let answer = person.client.put(&path(id), body).await.expect(200);
    let expected = json!({
        "public_id": id, "type_id": type_id, "status": false, "version": "2.0.0",
        "author_id": 5, "creation_time": START.to_date(),
        "last_edit_time": server.now().to_date(), "editor_id": person.id, "active": false,
        "fields": [{"name": "note", "value": "new"}], "views": 0,
    });
    assert_eq!(answer.member("result"), expected);
    assert_eq!(native(&admin, id).await, expected);
    let body = answer.json();
    assert_eq!(
        [&body["response_type"], &body["model"], &body["time"]],
        ["UPDATE", "Object", "2026-03-04T05:07:07.089012"]
    );
    assert_eq!(
        answer.header("location"),
        format!("http://inventory.example/rest/objects/{id}")
    );
    assert_eq!(answer.header("etag"), "\"2\"");
}

#[apply(both)]
async fn keys_that_put_leaves_out_keep_their_value(server: TestServer) {
    let admin = server.admin();
    let (type_id, _) = host(&server).await;
    let sent = json!({"type_id": type_id, "author_id": 9, "status": false, "active": false,
            "version": "3.2.1", "views": 5, "fields": []});
    let stored = admin.post("/rest/objects/", sent).await.expect(200);
    let id = stored.member("result_id").as_i64().unwrap();
    let changed = admin
        .put(
            &path(id),
            json!({"fields": [{"name": "name", "value": "b"}]}),
        )
        .await
        .expect(200)
        .member("result");
    let before = stored.member("raw");
    for key in [
        "public_id",
        "type_id",
        "author_id",
        "status",
        "active",
        "version",
        "views",
        "creation_time",
    ] {
        assert_eq!(changed[key], before[key], "{key}");
    }
    let answer = admin
        .put(&path(id), json!({"version": "4.0.0"}))
        .await
        .expect(400);
    assert_eq!(
        answer.pointers(),
        ["/fields"],
        "fields are no key that may be left out"
    );
}

#[apply(both)]
async fn an_object_keeps_its_id_and_its_type(server: TestServer) {
    let admin = server.admin();
    let (type_id, id) = host(&server).await;
    let other = make_type(&admin, "other", &[]).await;
    let mut body = native(&admin, id).await;
    body["public_id"] = json!(id + 1);
    body["type_id"] = json!(other);
    for answer in [
        admin.put(&path(id), body.clone()).await,
        admin.patch(&path(id), body).await,
    ] {
        let mut pointers = answer.expect(400).pointers();
        pointers.sort_unstable();
        assert_eq!(pointers, ["/public_id", "/type_id"]);
    }
    assert_eq!(native(&admin, id).await["type_id"], type_id);
}

#[apply(both)]
async fn patch_merges_fields_by_their_name(server: TestServer) {
    let admin = server.admin();
    let (_, id) = host(&server).await;
    let patched = async |change: Value| {
        admin
            .patch(&path(id), change)
            .await
            .expect(200)
            .member("result")
    };
    let note = patched(json!({"fields": [{"name": "note", "value": "b"}]})).await;
    assert_eq!(
        note["fields"],
        json!([{"name": "name", "value": "a"}, {"name": "note", "value": "b"}, {"name": "other", "value": null}])
    );
    let added = patched(
        json!({"fields": [{"name": "extra", "value": 1}, {"name": "name", "value": null}]}),
    )
    .await;
    assert_eq!(
        added["fields"],
        json!([
            {"name": "name", "value": null}, {"name": "note", "value": "b"},
            {"name": "other", "value": null}, {"name": "extra", "value": 1},
        ])
    );
    let version = patched(json!({"version": "9.9.9"})).await;
    assert_eq!(
        (&version["fields"], &version["version"]),
        (&added["fields"], &json!("9.9.9"))
    );
    let nothing = patched(json!({})).await;
    assert_eq!(
        (&nothing["fields"], &nothing["version"]),
        (&added["fields"], &json!("9.9.9"))
    );
    for (change, pointer) in [
        (
            json!({"fields": [{"name": "note", "value": "x"}, {"name": "note", "value": "y"}]}),
            "/fields/1/name",
        ),
        (json!({"fields": [{"name": "note"}]}), "/fields/0/value"),
        (json!({"fields": {}}), "/fields"),
        (json!({"fields": null}), "/fields"),
        (json!(["no", "object"]), ""),
        (json!("text"), ""),
    ] {
        let answer = admin.patch(&path(id), change.clone()).await.expect(400);
        assert_eq!(answer.pointers(), [pointer], "{change}");
    }
}

#[apply(both)]
async fn a_patch_adds_to_what_is_stored_whoever_writes_meanwhile(server: TestServer) {
    let admin = server.admin();
    let fields = [field("number", "stock"), field("text", "code")];
    let type_id = make_type(&admin, "part", &fields).await;
    let values = [("stock", json!(100)), ("code", json!("a"))];
    let id = insert(&admin, type_id, &values).await;
    let step = |name: &str, by: Value| json!({"fields": [{"name": name, "value": {"$inc": by}}]});
    let taken = (0..100).map(|_| async {
        let path = path(id);
        admin
            .patch(&path, step("stock", json!(-1)))
            .await
            .expect(200)
    });
    let _ = join_all(taken).await;
    assert_eq!(value(&native(&admin, id).await, "stock"), &json!(0));
    for (name, by) in [
        ("stock", json!("1")),
        ("stock", json!(null)),
        ("code", json!(1)),
    ] {
        let refused = admin.patch(&path(id), step(name, by)).await.expect(400);
        assert_eq!(refused.pointers(), ["/fields/0/value"]);
        let detail = refused.member("detail").to_string();
        assert!(detail.contains("$inc"), "{detail}");
    }
    assert_eq!(value(&native(&admin, id).await, "stock"), &json!(0));
    let body = json!({"type_id": type_id, "fields": [{"name": "stock", "value": {"$inc": 1}}]});
    let _ = admin.put(&path(id), body.clone()).await.expect(400);
    let _ = admin.post("/rest/objects/", body).await.expect(400);
    // Nor is it a value of a field that the type has no longer.
    let gone = admin.patch(&path(id), step("stok", json!(-1))).await;
    assert_eq!(gone.expect(400).pointers(), ["/fields/0/value"]);
    let sent = json!({"$inc": 1});
    let body = inventory::object(type_id, &[("stock", json!(1)), ("stok", sent)]);
    let made = admin.post("/rest/objects/", body).await.expect(400);
    assert_eq!(made.pointers(), ["/fields/1/value"]);
}

#[apply(both)]
async fn all_problems_of_a_change_come_at_once(server: TestServer) {
    let admin = server.admin();
    let (_, id) = host(&server).await;
    let body = json!({"active": "x", "version": 1, "fields": [
        {"name": "name", "value": 5}, {"name": "other", "value": 999}, {"name": "note"},
    ]});
    let mut pointers = admin.put(&path(id), body).await.expect(400).pointers();
    pointers.sort_unstable();
    assert_eq!(
        pointers,
        [
            "/active",
            "/fields/0/value",
            "/fields/1/value",
            "/fields/2/value",
            "/version"
        ]
    );
}

#[apply(both)]
async fn a_stale_entity_tag_changes_nothing(server: TestServer) {
    let admin = server.admin();
    let (_, id) = host(&server).await;
    let _ = admin
        .patch(&path(id), json!({"version": "2.0.0"}))
        .await
        .expect(200);
    let before = native(&admin, id).await;
    for (tag, status) in [
        ("\"1\"", 412),
        ("\"3\"", 412),
        ("W/\"2\"", 412),
        ("\"x\"", 412),
        ("\"1\", \"3\"", 412),
        ("\"2\"", 200),
        ("*", 200),
        ("\"1\", \"2\"", 200),
    ] {
        let client = admin.clone().with_header("if-match", tag);
        let put = client.put(&path(id), before.clone()).await;
        assert_eq!(put.status, status, "{tag}\n{put}");
        if status == 412 {
            assert_eq!(
                put.header("etag"),
                "\"2\"",
                "the answer tells the revision in force"
            );
            let _ = client
                .patch(&path(id), json!({"version": "3.0.0"}))
                .await
                .expect(412);
            assert_eq!(native(&admin, id).await, before);
        }
    }
    let missing = admin.clone().with_header("if-match", "*");
    let _ = missing.put(&path(999), before).await.expect(404);
}

#[apply(both)]
async fn reading_and_updating_must_both_be_granted(server: TestServer) {
    let admin = server.admin();
    let (type_id, id) = host(&server).await;
    let person = server.user_with(OBJECTS).await;
    let body = native(&admin, id).await;
    for (operations, status, word) in [
        (&["READ", "UPDATE"][..], 200, ""),
        (&["READ", "CREATE", "DELETE"][..], 403, "UPDATE"),
        (&["UPDATE", "CREATE", "DELETE"][..], 403, "READ"),
        (&[][..], 403, "READ"),
    ] {
        restrict(&admin, type_id, person.group_id, operations).await;
        for answer in [
            person.client.put(&path(id), body.clone()).await,
            person.client.patch(&path(id), json!({})).await,
        ] {
            assert_eq!(answer.status, status, "{operations:?}\n{answer}");
            assert!(
                status == 200 || answer.detail().contains(word),
                "{operations:?}\n{answer}"
            );
        }
    }
    let reader = server.user_with(&["base.framework.object.view"]).await;
    let answer = reader.client.put(&path(id), body.clone()).await.expect(403);
    assert!(
        answer.detail().contains("base.framework.object.edit"),
        "{answer}"
    );
    for missing in [
        "/rest/objects/999",
        "/rest/objects/0",
        "/rest/objects/x",
        "/rest/objects/-1",
    ] {
        let _ = admin.put(missing, body.clone()).await.expect(404);
        let _ = admin.patch(missing, json!({})).await.expect(404);
    }
}

#[apply(both)]
async fn an_inactive_type_still_takes_updates(server: TestServer) {
    let admin = server.admin();
    let (type_id, id) = host(&server).await;
    let _ = patch_type(&admin, type_id, json!({"active": false}))
        .await
        .expect(202);
    let answer = admin
        .patch(
            &path(id),
            json!({"fields": [{"name": "note", "value": "b"}]}),
        )
        .await
        .expect(200);
    assert_eq!(value(&answer.member("result"), "note"), "b");
}

#[apply(both)]
async fn strict_handling_refuses_new_warnings_only(server: TestServer) {
    let admin = server.admin();
    let (_, id) = host(&server).await;
    let strict = admin.clone().with_header("prefer", "handling=strict");
    let doubtful = json!({"fields": [{"name": "extra", "value": 1}]});
    assert_eq!(
        strict
            .patch(&path(id), doubtful.clone())
            .await
            .expect(400)
            .pointers(),
        ["/fields/0/name"]
    );
    assert_eq!(
        admin
            .patch(&path(id), doubtful)
            .await
            .expect(200)
            .warnings(),
        ["/fields/0/name"]
    );
    let _ = strict
        .patch(&path(id), json!({"version": "2.0.0"}))
        .await
        .expect(200);
}
