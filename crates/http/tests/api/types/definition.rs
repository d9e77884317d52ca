//! What is stored of a type, and what is refused or doubted.

use std::time::Duration;

use serde_json::{Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{TestServer, both};

use super::{PATH, body};

/// A type that uses everything a body can say.
fn full() -> Value {
    json!({
        "name": "server", "label": "Server", "author_id": 0, "editor_id": null, "active": true, "version": "2.0.0",
        "description": "", "status": true, "clean_db": true, "access": {"groups": [], "users": []}, "category_id": null,
        "fields": [
            {"type": "text", "name": "host", "label": "Host", "required": true, "regex": "[a-z]+", "default": null,
             "extra": {"a": [1, null]}},
            {"type": "select", "name": "rack", "label": "", "options": [{"name": "a", "label": "A"}], "default": "", "value": null},
            {"type": "ref", "name": "peer", "label": "Peer", "ref_types": [1], "default": 3,
             "summaries": [{"type_id": 1, "line": "{}", "label": "L", "fields": ["host"], "icon": "i", "prefix": false}]},
            {"type": "date", "name": "bought", "label": "Bought", "options": null, "ref_types": [], "summaries": null},
        ],
        "render_meta": {
            "icon": "fa fa-server",
            "sections": [
                {"type": "section", "name": "main", "label": "Main", "reference": {}, "fields": ["host", "rack"]},
                {"type": "ref-section", "name": "peer", "label": "Peer",
                 "reference": {"type_id": 1, "section_name": "main"}, "fields": ["peer"]},
            ],
            "externals": [{"name": "web", "href": "https://{}", "label": "Web", "icon": "i", "fields": ["host"]}],
            "summary": {"fields": ["host"]},
        },
        "acl": {"activated": true, "groups": {"includes": {"1": ["READ", "UPDATE", "CREATE"], "9": null}}, "note": "kept"},
    })
}

both! {
    async fn a_type_survives_the_round_trip(server: TestServer) {
        let admin = server.admin();
        let inserted = admin.post(PATH, full()).await.expect(200);
        assert_eq!(inserted.warnings(), [""; 0]);
        assert!(inserted.header("location").ends_with("/rest/types/1"), "{inserted}");
        let strict = admin.clone().with_header("prefer", "handling=strict");
        server.advance(Duration::from_secs(60));
        let read = admin.head("/rest/types/1").await.expect(200);
        assert_eq!(read.header("etag"), "\"1\"");
        let read = admin.get("/rest/types/1").await.expect(200).member("result");
        assert_eq!(read, inserted.member("raw"));
        let updated = strict.put("/rest/types/1/", read.clone()).await.expect(202);
        let mut expected = read;
        expected["last_edit_time"] = updated.member("time");
        expected["editor_id"] = json!(1);
        assert_eq!(updated.member("result"), expected);
        assert_eq!(updated.header("etag"), "\"2\"");
        let patched = admin.patch("/rest/types/1", json!({"fields": null, "label": "X"})).await.expect(202);
        assert_eq!(patched.member("result")["fields"], Value::Null);
        assert_eq!(patched.member("result")["label"], "X");
        let stale = admin.clone().with_header("if-match", "\"2\"");
        let _ = stale.delete("/rest/type/1").await.expect(412);
        let deleted = admin.delete("/rest/type/1/").await.expect(202);
        assert_eq!(deleted.member("deleted_entry"), patched.member("result"));
        let _ = admin.get("/rest/types/1").await.expect(404);
        let _ = admin.delete("/rest/types/1").await.expect(404);
    }

    async fn names_and_ids_are_unique(server: TestServer) {
        let admin = server.admin();
        insert(&admin, PATH, body("one", &[])).await;
        insert(&admin, PATH, body("two", &[])).await;
        let both = json!({"name": "one", "author_id": 1, "public_id": 2});
        let refused = admin.post(PATH, both).await.expect(400);
        assert_eq!(refused.pointers(), ["/name", "/public_id"]);
        assert!(refused.problem().to_string().contains("type 1"), "{refused}");
        let more = json!({"name": "one"});
        assert_eq!(admin.post(PATH, more).await.pointers(), ["/author_id", "/name"]);
        let renamed = json!({"name": "one"});
        assert_eq!(admin.patch("/rest/types/2", renamed).await.pointers(), ["/name"]);
        let _ = admin.patch("/rest/types/2", json!({"name": "two"})).await.expect(202);
        let named = json!({"name": "ten", "author_id": 1, "public_id": 10});
        assert_eq!(insert(&admin, PATH, named).await, 10);
        assert_eq!(insert(&admin, PATH, body("next", &[])).await, 11);
        let moved = json!({"name": "two", "author_id": 1, "public_id": 3});
        assert_eq!(admin.put("/rest/types/2", moved).await.pointers(), ["/public_id"]);
    }

    async fn doubts_are_told_and_refused_when_strict(server: TestServer) {
        let admin = server.admin();
        let strict = admin.clone().with_header("prefer", "handling=strict");
        let doubtful = json!({
            "name": "doubtful", "author_id": 1,
            "fields": [{"type": "ref", "name": "a", "label": "A", "ref_types": [7, 1]}],
            "render_meta": {"sections": [
                {"type": "ref-section", "name": "s", "label": "S",
                 "reference": {"type_id": 1, "section_name": "gone"}, "fields": ["b"]},
            ]},
        });
        let _ = strict.post(PATH, doubtful.clone()).await.expect(400);
        let answer = admin.post(PATH, doubtful.clone()).await.expect(200);
        let mut warnings = answer.warnings();
        warnings.sort();
        let section = "/render_meta/sections/0";
        let expected = ["/fields/0/ref_types/0", &format!("{section}/fields/0"), &format!("{section}/reference/section_name")];
        assert_eq!(warnings, expected);
        let again = strict.put("/rest/types/1", answer.member("raw")).await.expect(202);
        assert_eq!(again.warnings().len(), 3);
        let refused = strict.patch("/rest/types/1", json!({"render_meta": {"summary": {"fields": ["c"]}}})).await;
        assert_eq!(refused.pointers(), ["/render_meta/summary/fields/0"]);
    }

    async fn the_list_filters_and_sorts(server: TestServer) {
        let admin = server.admin();
        insert(&admin, PATH, body("bb", &[])).await;
        server.advance(Duration::from_secs(7_200));
        insert(&admin, PATH, body("aa", &[])).await;
        let _ = admin.patch("/rest/types/1", json!({"active": false})).await.expect(202);
        assert_eq!(admin.get(PATH).await.expect(200).ids(), [1, 2]);
        assert_eq!(admin.query(PATH, &[("active", "true")]).await.expect(200).ids(), [2]);
        assert_eq!(admin.query(PATH, &[("active", "false"), ("sort", "name")]).await.expect(200).ids(), [2, 1]);
        let later = [("filter", r#"{"creation_time": {"$gt": "2026-03-04T06:00"}}"#)];
        assert_eq!(admin.query(PATH, &later).await.expect(200).ids(), [2]);
    }
}
