//! Types as records: insert, read, replace, patch, delete.

use std::time::Duration;

use serde_json::{Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{START, TestServer, apply, both};

use crate::fixture::{
    check_conditions, check_envelope, check_patches, check_unknown, read, with, without,
};

const PATH: &str = "/rest/types";
const FIRST: &str = "/rest/types/1";
const TIME: &str = "2026-03-04T05:06:07.089012";

fn minimal() -> Value {
    json!({"name": "server", "author_id": 1})
}

/// A body with all members, none of them at its default.
fn full() -> Value {
    json!({
        "name": "server-room", "label": "", "author_id": 0, "active": false, "version": "2.0.0-beta", "description": "",
        "fields": [
            {"type": "text", "name": "host", "label": "", "required": true, "regex": "[a-z]+", "description": "d",
             "placeholder": "p", "value": "v", "helperText": "h", "default": null, "invented": {"a": [1, null]}},
            {"type": "select", "name": "rack", "label": "Rack", "options": [{"name": "a", "label": "A"}], "default": 3},
            {"type": "ref", "name": "peer", "label": "Peer", "required": false, "ref_types": [1], "default": "",
             "summaries": [{"type_id": 1, "line": "{}", "label": "L", "fields": ["host"], "icon": "i", "prefix": false}]},
            {"type": "date", "name": "bought", "label": "Bought", "options": null, "ref_types": [], "summaries": null},
        ],
        "render_meta": {
            "icon": "fas fa-server",
            "sections": [
                {"type": "section", "name": "main", "label": "Main", "fields": ["host", "rack"]},
                {"type": "ref-section", "name": "peers", "label": "Peers",
                 "reference": {"type_id": 1, "section_name": "main", "selected_fields": ["host"]}, "fields": ["peer"]},
            ],
            "externals": [{"name": "web", "href": "https://{}/", "label": "Web", "icon": "i", "fields": ["host", "object_id"]}],
            "summary": {"fields": ["host", "rack"]},
        },
        "acl": {"activated": true, "groups": {"includes": {"1": ["READ", "CREATE"], "9": []}}, "note": "kept"},
    })
}

#[apply(both)]
async fn a_type_needs_a_name_and_an_author_and_everything_else_has_a_default(server: TestServer) {
    let admin = server.admin();
    let expected = json!({
        "public_id": 1, "name": "server", "label": "Server", "author_id": 1, "editor_id": null, "active": true,
        "version": "1.0.0", "description": null, "creation_time": TIME, "last_edit_time": null, "fields": null,
        "render_meta": {"icon": null, "sections": [], "externals": [], "summary": {"fields": []}},
        "acl": {"activated": false, "groups": {"includes": {}}},
    });
    let raw = admin.post(PATH, minimal()).await.expect(200).member("raw");
    assert_eq!(raw, expected);
    let null: Value = expected
        .as_object()
        .unwrap()
        .keys()
        .map(|key| (key.clone(), Value::Null))
        .collect();
    let nulls = with(&null, &json!({"name": "rack", "author_id": 1}));
    let raw = admin.post(PATH, nulls).await.expect(200).member("raw");
    assert_eq!(
        raw,
        with(
            &expected,
            &json!({"public_id": 2, "name": "rack", "label": "Rack"})
        )
    );
    let empty = json!({"name": "shelf", "author_id": 1, "fields": [], "render_meta": {"summary": {}, "sections": null}});
    let raw = admin.post(PATH, empty).await.expect(200).member("raw");
    assert_eq!(
        (&raw["fields"], &raw["render_meta"]),
        (&json!([]), &expected["render_meta"])
    );
    let told = admin.post(PATH, json!({})).await;
    assert_eq!(told.pointers(), ["/name", "/author_id"]);
}

#[apply(both)]
async fn an_insert_answers_its_envelope_and_leads_to_the_type(server: TestServer) {
    let admin = server.admin();
    let answer = admin.post("/rest/types/", minimal()).await.expect(200);
    check_envelope(&answer, &["result_id", "raw"], "INSERT", "Type", TIME);
    assert_eq!(answer.member("result_id"), 1);
    assert_eq!(
        answer.header("location"),
        "http://inventory.example/rest/types/1"
    );
    assert_eq!(answer.header("etag"), "\"1\"");
    let single = admin.get("/rest/types/1/").await.expect(200);
    check_envelope(&single, &["result"], "GET", "Type", TIME);
    assert_eq!(single.member("result"), answer.member("raw"));
    let _ = admin.head(FIRST).await.expect(200);
}

#[apply(both)]
async fn everything_that_a_body_says_is_stored_as_sent(server: TestServer) {
    let admin = server.admin();
    let told =
        json!({"public_id": 1, "creation_time": TIME, "editor_id": null, "last_edit_time": null});
    let raw = admin.post(PATH, full()).await.expect(200).member("raw");
    assert_eq!(raw, with(&full(), &told));
    assert_eq!(read(&admin, FIRST).await, with(&full(), &told));
}

#[apply(both)]
async fn keys_outside_the_rules_are_accepted_and_forgotten(server: TestServer) {
    let admin = server.admin();
    let more = json!({
        "status": true, "clean_db": true, "access": {"groups": [], "users": []}, "category_id": null, "invented": 1,
        "creation_time": "1999-01-01T00:00:00", "last_edit_time": {"$date": 5}, "editor_id": 7,
    });
    let plain = admin.post(PATH, minimal()).await.expect(200).member("raw");
    let other = with(&with(&minimal(), &more), &json!({"name": "other"}));
    let raw = admin.post(PATH, other).await.expect(200).member("raw");
    assert_eq!(
        raw,
        with(
            &plain,
            &json!({"public_id": 2, "name": "other", "label": "Other", "editor_id": 7})
        )
    );
}

#[apply(both)]
async fn what_a_read_returns_can_be_put_back_unchanged(server: TestServer) {
    let admin = server.admin();
    let dangling = json!({
        "name": "dangling", "author_id": 99,
        "fields": [{"type": "ref", "name": "a", "label": "A", "ref_types": [77],
                    "summaries": [{"type_id": 78, "line": "", "label": "", "icon": ""}]}],
        "render_meta": {"sections": [{"type": "ref-section", "name": "s", "label": "",
                                      "reference": {"type_id": 79, "section_name": "gone"}, "fields": ["gone"]}]},
    });
    for body in [minimal(), full(), dangling] {
        let id = insert(&admin, PATH, body).await;
        let path = format!("{PATH}/{id}");
        server.advance(Duration::from_secs(1));
        let strict = admin.clone().with_header("prefer", "handling=strict");
        let before = read(&admin, &path).await;
        let answer = strict.put(&path, before.clone()).await.expect(202);
        assert_eq!(answer.member("result"), before);
        assert_eq!(read(&admin, &path).await, before);
    }
}

#[apply(both)]
async fn a_put_replaces_and_keeps_what_it_may_leave_out(server: TestServer) {
    let admin = server.admin();
    insert(&admin, PATH, full()).await;
    let before = read(&admin, FIRST).await;
    server.advance(Duration::from_secs(90));
    let body = json!({"name": "server", "creation_time": "1999-01-01T00:00:00", "editor_id": 5, "last_edit_time": null});
    let answer = admin.put("/rest/types/1/", body).await.expect(202);
    check_envelope(
        &answer,
        &["result"],
        "UPDATE",
        "Type",
        "2026-03-04T05:07:37.089012",
    );
    assert_eq!(
        answer.header("location"),
        "http://inventory.example/rest/types/1"
    );
    let expected = json!({
        "public_id": 1, "name": "server", "label": "Server", "author_id": before["author_id"], "editor_id": 1,
        "active": false, "version": "2.0.0-beta", "description": null, "creation_time": TIME,
        "last_edit_time": "2026-03-04T05:07:37.089012", "fields": null,
        "render_meta": {"icon": null, "sections": [], "externals": [], "summary": {"fields": []}},
        "acl": {"activated": false, "groups": {"includes": {}}},
    });
    assert_eq!(answer.member("result"), expected);
    let given =
        json!({"public_id": 1, "name": "server", "author_id": 3, "active": true, "version": "3"});
    let answer = admin.put(FIRST, given.clone()).await.expect(202);
    assert_eq!(answer.member("result"), with(&expected, &given));
    let nulls = json!({"name": "server", "author_id": 3, "active": null, "version": null});
    let result = admin.put(FIRST, nulls).await.expect(202).member("result");
    assert_eq!(
        (&result["active"], &result["version"]),
        (&json!(true), &json!("1.0.0")),
        "null means the default"
    );
}

#[apply(both)]
async fn a_patch_merges(server: TestServer) {
    let admin = server.admin();
    insert(&admin, PATH, full()).await;
    let stored = read(&admin, FIRST).await;
    let mut iconless = stored["render_meta"].clone();
    iconless["icon"] = Value::Null;
    let mut unsummed = stored["render_meta"].clone();
    unsummed["summary"] = json!({"fields": []});
    let mut locked = stored["acl"].clone();
    locked["groups"]["includes"] = json!({"1": ["READ", "CREATE"], "2": ["READ"]});
    check_patches(
        &admin,
        FIRST,
        &[
            (json!({}), json!({})),
            (
                json!({"label": "Other", "invented": 1}),
                json!({"label": "Other"}),
            ),
            (json!({"label": null}), json!({"label": "Server-Room"})),
            (json!({"description": null}), json!({"description": null})),
            (json!({"active": true}), json!({"active": true})),
            (
                json!({"render_meta": {"icon": null}}),
                json!({"render_meta": iconless}),
            ),
            (
                json!({"render_meta": {"summary": null}}),
                json!({"render_meta": unsummed}),
            ),
            (
                json!({"acl": {"groups": {"includes": {"9": null, "2": ["READ"]}}}}),
                json!({"acl": locked}),
            ),
            (json!({"fields": null}), json!({"fields": null})),
            (json!({"fields": []}), json!({"fields": []})),
            (json!({"public_id": 1, "creation_time": null}), json!({})),
        ],
    )
    .await;
}

#[apply(both)]
async fn a_change_that_breaks_a_rule_changes_nothing(server: TestServer) {
    let admin = server.admin();
    insert(&admin, PATH, json!({"name": "first", "author_id": 1})).await;
    let id = insert(&admin, PATH, full()).await;
    let path = format!("{PATH}/{id}");
    let stored = admin.get(&path).await.expect(200);
    for (patch, pointers) in [
        (json!({"name": null}), vec!["/name"]),
        (json!({"name": "first"}), vec!["/name"]),
        (json!({"public_id": 1}), vec!["/public_id"]),
        (
            json!({"author_id": -1, "active": 1, "version": 2, "label": []}),
            vec!["/label", "/author_id", "/active", "/version"],
        ),
        (
            json!({"fields": [{}], "render_meta": {"colour": 1}}),
            vec![
                "/fields/0/type",
                "/fields/0/name",
                "/fields/0/label",
                "/render_meta/colour",
            ],
        ),
        (
            json!({"name": "first", "description": 1}),
            vec!["/description", "/name"],
        ),
        (json!([]), vec![""]),
        (json!(null), vec![""]),
        (json!("x"), vec![""]),
    ] {
        let answer = admin.patch(&path, patch.clone()).await;
        assert_eq!(answer.pointers(), pointers, "PATCH {patch}");
        if patch.is_object() {
            let body = with(&stored.member("result"), &patch);
            assert_eq!(
                admin.put(&path, body).await.pointers(),
                pointers,
                "PUT {patch}"
            );
        }
    }
    assert_eq!(
        admin.put(&path, without(&full(), "name")).await.pointers(),
        ["/name"]
    );
    let after = admin.get(&path).await.expect(200);
    assert_eq!(
        (after.json(), after.header("etag")),
        (stored.json(), stored.header("etag"))
    );
}

#[apply(both)]
async fn names_are_unique_and_ids_are_honoured_if_free(server: TestServer) {
    let admin = server.admin();
    let named = |name: &str, id: Value| json!({"name": name, "author_id": 1, "public_id": id});
    assert_eq!(insert(&admin, PATH, named("ten", json!(10))).await, 10);
    assert_eq!(insert(&admin, PATH, named("next", json!(null))).await, 11);
    let taken = admin.post(PATH, named("ten", json!(10))).await;
    assert_eq!(taken.pointers(), ["/name", "/public_id"]);
    assert_eq!(
        admin.post(PATH, named("ten", json!(null))).await.pointers(),
        ["/name"]
    );
    for id in [
        json!(0),
        json!(-1),
        json!(9_007_199_254_740_992_i64),
        json!("3"),
        json!(1.5),
    ] {
        assert_eq!(
            admin
                .post(PATH, named("other", id.clone()))
                .await
                .pointers(),
            ["/public_id"],
            "{id}"
        );
    }
    let _ = admin
        .put("/rest/types/11", named("next", json!(11)))
        .await
        .expect(202);
    let _ = admin.delete("/rest/types/11").await.expect(202);
    assert_eq!(
        insert(&admin, PATH, named("new", json!(null))).await,
        12,
        "an id is never handed out again"
    );
    let refused = admin.post(PATH, named("next", json!(11))).await;
    assert_eq!(
        refused.pointers(),
        ["/public_id"],
        "and no client may name it"
    );
}

#[apply(both)]
async fn a_delete_answers_what_was_removed_under_both_paths(server: TestServer) {
    let admin = server.admin();
    for path in ["/rest/types/", "/rest/type/"] {
        let id = insert(&admin, PATH, full()).await;
        let stored = read(&admin, &format!("{PATH}/{id}")).await;
        let answer = admin.delete(&format!("{path}{id}")).await.expect(202);
        check_envelope(
            &answer,
            &["deleted_entry"],
            "DELETE",
            "Type",
            &START.to_iso(),
        );
        assert_eq!(answer.member("deleted_entry"), stored);
        let _ = admin.delete(&format!("{path}{id}/")).await.expect(404);
        let _ = admin.get(&format!("{PATH}/{id}")).await.expect(404);
    }
    assert_eq!(
        admin.get("/rest/type/1").await.expect(405).header("allow"),
        "DELETE"
    );
}

#[apply(both)]
async fn a_type_that_does_not_exist_is_not_found(server: TestServer) {
    check_unknown(&server.admin(), PATH, &minimal()).await;
    let _ = server.admin().delete("/rest/type/99").await.expect(404);
    let _ = server.admin().delete("/rest/type/x").await.expect(404);
}

#[apply(both)]
async fn a_type_has_entity_tags(server: TestServer) {
    insert(&server.admin(), PATH, full()).await;
    check_conditions(&server.admin(), FIRST, &json!({"label": "Other"})).await;
    let id = insert(&server.admin(), PATH, full()).await;
    let stale = server.admin().with_header("if-match", "\"5\"");
    let _ = stale.delete(&format!("/rest/type/{id}")).await.expect(412);
}
