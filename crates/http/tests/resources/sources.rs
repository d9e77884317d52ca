//! Sources as records: insert, read, replace, patch, list, delete, history
//! (`docs/guide/src/sources.md`).

use serde_json::{Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{Client, TestServer, apply, both};

use crate::fixture::{check_envelope, check_patches, check_unknown, read, with};

const PATH: &str = "/rest/sources";
const FIRST: &str = "/rest/sources/1";
const TIME: &str = "2026-03-04T05:06:07.089012";

async fn make_type(admin: &Client, name: &str) -> i64 {
    let field = |name: &str| json!({"type": "text", "name": name, "label": name});
    let sections =
        json!([{"type": "section", "name": "all", "label": "All", "fields": ["name", "note"]}]);
    let body = json!({
        "name": name, "author_id": 1, "fields": [field("name"), field("note")],
        "render_meta": {"sections": sections},
    });
    insert(admin, "/rest/types", body).await
}

fn source(type_id: i64) -> Value {
    json!({
        "name": "vcenter", "type_id": type_id, "columns": {"Name": "name"}, "external_key": ["uuid"],
        "key": ["name"], "policy": "skip", "missing": "flag", "missing_limit": 5,
    })
}

#[apply(both)]
async fn what_a_body_lacks_has_a_default(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host").await;
    let body = json!({"name": "hosts", "type_id": type_id, "columns": {"Name": "name"}, "invented": 1, "linked_objects": 7});
    let raw = admin.post(PATH, body).await.expect(201).member("raw");
    let expected = json!({
        "public_id": 1, "name": "hosts", "type_id": type_id, "columns": {"Name": "name"}, "external_key": [], "key": [],
        "policy": "stop", "missing": "keep", "missing_limit": 20, "creation_time": TIME, "last_edit_time": null,
        "last_import": null, "last_import_at": null, "linked_objects": 0, "missing_objects": 0,
    });
    assert_eq!(raw, expected);
    assert_eq!(
        admin.post(PATH, json!({})).await.expect(400).pointers(),
        ["/name", "/type_id", "/columns"]
    );
}

#[apply(both)]
async fn all_problems_of_a_body_are_told(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host").await;
    let body = json!({
        "public_id": 0, "name": "", "type_id": "x", "columns": [], "external_key": [1], "key": "name", "policy": "all of them",
        "missing": "forget", "missing_limit": 101,
    });
    let refused = admin.post(PATH, body).await.expect(400);
    let expected = [
        "/public_id",
        "/name",
        "/type_id",
        "/columns",
        "/external_key/0",
        "/key",
        "/policy",
        "/missing",
        "/missing_limit",
    ];
    assert_eq!(refused.pointers(), expected);
    for (more, pointer) in [
        (
            json!({"columns": {"Name": "name", "Note": "nothing"}}),
            "/columns/Note",
        ),
        (json!({"columns": {}, "key": []}), "/columns"),
        (
            json!({"columns": {"Name": "name", "Label": "name"}}),
            "/columns/Label",
        ),
        (
            json!({"columns": {"Name": "name", "Note": {"field": "note", "by": "x"}}}),
            "/columns/Note/by",
        ),
        (json!({"key": ["note"]}), "/key/0"),
        (json!({"external_key": ["uuid", "uuid"]}), "/external_key/1"),
        (json!({"external_key": [], "missing": "delete"}), "/missing"),
        (
            json!({"external_key": ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"]}),
            "/external_key",
        ),
        (json!({"type_id": 99}), "/type_id"),
        (json!({"name": "x".repeat(201)}), "/name"),
        (
            json!({"columns": {"Name": "name", "x".repeat(70_000): "note"}}),
            "/columns",
        ),
    ] {
        let refused = admin
            .post(PATH, with(&source(type_id), &more))
            .await
            .expect(400);
        assert_eq!(refused.pointers(), [pointer], "{refused}");
    }
    insert(&admin, PATH, source(type_id)).await;
    let refused = admin.post(PATH, source(type_id)).await.expect(400);
    assert_eq!(refused.pointers(), ["/name"]);
}

#[apply(both)]
async fn a_source_is_a_record_like_others(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host").await;
    let other = make_type(&admin, "switch").await;
    insert(&admin, PATH, source(type_id)).await;
    let first = admin.get(FIRST).await.expect(200);
    assert_eq!(first.header("etag"), "\"1\"");
    let known = admin
        .send(
            axum::http::Method::GET,
            FIRST,
            &[("if-none-match", "\"1\"")],
            Vec::new(),
        )
        .await;
    assert_eq!(known.status, 200, "imports change it without a revision");
    let _ = admin
        .patch(FIRST, json!({"missing": null, "external_key": null}))
        .await
        .expect(202);
    let patched = read(&admin, FIRST).await;
    assert_eq!(
        [
            &patched["missing"],
            &patched["external_key"],
            &patched["last_edit_time"]
        ],
        [&json!("keep"), &json!([]), &json!(TIME)]
    );
    let refused = admin
        .patch(FIRST, json!({"type_id": other}))
        .await
        .expect(400);
    assert_eq!(refused.pointers(), ["/type_id"]);
    let _ = admin.put(FIRST, source(type_id)).await.expect(202);
    check_patches(
        &admin,
        FIRST,
        &[
            (json!({"name": "other"}), json!({"name": "other"})),
            (json!({"missing_limit": 50}), json!({"missing_limit": 50})),
            (
                json!({"columns": {"Name": null, "Note": "note"}, "key": []}),
                json!({"columns": {"Note": "note"}, "key": []}),
            ),
        ],
    )
    .await;
    let history = admin
        .get(&format!("{FIRST}/history"))
        .await
        .expect(200)
        .member("results");
    assert_eq!(history.as_array().unwrap().len(), 9);
    let past = admin
        .get(&format!("{FIRST}/history/2"))
        .await
        .expect(200)
        .member("result");
    assert_eq!(past["missing"], "keep");
    let stale = admin.clone().with_header("if-match", "\"1\"");
    assert_eq!(stale.delete(FIRST).await.status, 412);
    let deleted = admin.delete(FIRST).await.expect(202);
    check_envelope(&deleted, &["deleted_entry"], "DELETE", "Source", TIME);
    check_unknown(&admin, PATH, &source(type_id)).await;
    let _ = admin
        .post(&format!("{FIRST}/restore"), json!({"revision": 2}))
        .await
        .expect(202);
    let restored = read(&admin, FIRST).await;
    assert_eq!(
        [&restored["missing"], &restored["creation_time"]],
        [&json!("keep"), &json!(TIME)]
    );
}

#[apply(both)]
async fn sources_are_listed_like_other_records(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host").await;
    for name in ["b", "a", "c"] {
        insert(&admin, PATH, with(&source(type_id), &json!({"name": name}))).await;
    }
    let parameters = [
        ("filter", r#"{"name": {"$ne": "c"}}"#),
        ("sort", "name"),
        ("projection", r#"["name"]"#),
    ];
    let page = admin.query(PATH, &parameters).await.expect(200);
    assert_eq!(
        page.member("results"),
        json!([{"name": "a"}, {"name": "b"}])
    );
    let batch = json!({"operations": [
        {"method": "POST", "path": "/sources", "body": with(&source(type_id), &json!({"name": "d"}))},
        {"method": "PATCH", "path": "/sources/1", "body": {"name": "e"}},
    ]});
    let _ = admin.post("/rest/batch", batch).await.expect(200);
    let dry = admin
        .delete(&format!("{FIRST}?dry_run=true"))
        .await
        .expect(202);
    assert_eq!(dry.member("effects")["changes"][0]["resource"], "source");
    assert_eq!(admin.get(PATH).await.expect(200).member("total"), 4);
}

#[apply(both)]
async fn a_renamed_field_warns_of_the_sources_that_name_it(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host").await;
    insert(&admin, PATH, source(type_id)).await;
    let path = format!("/rest/types/{type_id}");
    let mut body = read(&admin, &path).await;
    body["fields"][0]["name"] = json!("label");
    body["fields"][0]["renamed_from"] = json!("name");
    body["render_meta"]["sections"][0]["fields"][0] = json!("label");
    let warned = admin.put(&path, body).await.expect(202);
    let warning = warned.member("warnings")[0]["detail"].to_string();
    assert!(warning.contains("these sources still name"), "{warned}");
}

#[apply(both)]
async fn the_sources_of_a_type_go_with_it(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host").await;
    insert(&admin, PATH, source(type_id)).await;
    let _ = admin
        .delete(&format!("/rest/types/{type_id}"))
        .await
        .expect(202);
    assert_eq!(admin.get(FIRST).await.status, 404);
    let history = admin
        .get(&format!("{FIRST}/history"))
        .await
        .expect(200)
        .member("results");
    assert_eq!(history[0]["action"], "delete");
}
