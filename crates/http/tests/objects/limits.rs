//! Limits on requests, and on the size of objects.

use serde_json::{Value, json};
use stockroom_testkit::{Engine, Setup, TestServer, apply, both, inventory};

use crate::fixture::{document, field, host, list, make_type, native, path};

/// A server with low limits.
async fn narrow(engine: Engine, documents: Vec<Value>) -> TestServer {
    let mut setup = Setup {
        documents,
        ..Setup::default()
    };
    setup.config.records.object_fields = 3;
    setup.config.records.value_bytes = 10;
    setup.config.records.document_bytes = 1_000;
    setup.start(engine).await
}

fn values(values: &[(&str, &str)]) -> Vec<Value> {
    let item = |(name, value): &(&str, &str)| json!({"name": name, "value": value});
    values.iter().map(item).collect()
}

#[apply(both)]
async fn an_expression_that_looks_at_long_texts_again_and_again_is_refused(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "note", &[field("text", "text")]).await;
    let text = "a".repeat(200_000);
    let body = json!({"type_id": type_id, "author_id": 1, "fields": values(&[("text", &text)])});
    let _ = admin.post("/rest/objects/", body).await.expect(200);
    let payload = json!({"text": text});
    let setting = json!({"identifier": "a", "setting_type": "GLOBAL", "payload": payload});
    let _ = admin
        .post("/rest/users/1/settings", setting)
        .await
        .expect(201);
    for pattern in ["(?=(a+))(?=(a+))b", r"(a+)\1b", "(?:(?=(a+))a)*b"] {
        let of = |path: &str| json!({path: {"$regex": pattern}}).to_string();
        let refused = list(&admin, &[("filter", &of("fields.text"))])
            .await
            .expect(400);
        assert!(refused.detail().contains("too expensive"), "{refused}");
        let filter = [("filter", &*of("payload.text"))];
        let refused = admin
            .query("/rest/users/1/settings", &filter)
            .await
            .expect(400);
        assert!(refused.detail().contains("too expensive"), "{refused}");
    }
    let quick = json!({"fields.text": {"$regex": "^(?!.*b)a"}}).to_string();
    assert_eq!(
        list(&admin, &[("filter", &quick)])
            .await
            .expect(200)
            .ids()
            .len(),
        1
    );
}

#[apply(both)]
async fn a_filter_asks_for_few_patterns_of_a_bounded_size(server: TestServer) {
    let admin = server.admin();
    let (_, id) = host(&server).await;
    let of = |patterns: &[&str]| {
        let any: Vec<Value> = patterns
            .iter()
            .map(|pattern| json!({"version": {"$regex": pattern}}))
            .collect();
        json!({"$or": any}).to_string()
    };
    let found = list(&admin, &[("filter", &of(&[r"^1\.0"; 16]))])
        .await
        .expect(200);
    assert_eq!(found.ids(), [id]);
    let too_many = list(&admin, &[("filter", &of(&["a"; 17]))])
        .await
        .expect(400);
    assert_eq!(too_many.pointers(), ["filter/$or/16/version/$regex"]);
    assert!(
        too_many
            .detail()
            .contains("more than 16 regular expressions"),
        "{too_many}"
    );
    let too_large = list(&admin, &[("filter", &of(&["a", ".{9999}"]))])
        .await
        .expect(400);
    assert_eq!(too_large.pointers(), ["filter/$or/1/version/$regex"]);
    assert!(
        too_large.detail().contains("the limit is 256 KiB"),
        "{too_large}"
    );
}

#[apply(both)]
async fn an_object_has_so_many_fields_values_and_bytes_at_most(engine: Engine) {
    let server = narrow(engine, Vec::new()).await;
    let admin = server.admin();
    let names = ["a", "b", "c", "d"];
    let type_id = make_type(&admin, "wide", &names.map(|name| field("text", name))).await;
    for (fields, pointer, limit) in [
        (
            names
                .map(|name| json!({"name": name, "value": ""}))
                .to_vec(),
            "/fields",
            "limit is 3 fields",
        ),
        (
            values(&[("a", ""), ("b", "123456789")]),
            "/fields/1/value",
            "limit is 10 bytes of a value",
        ),
        (
            values(&[(&"long".repeat(300), "1"), ("b", "12345678"), ("c", "")]),
            "",
            "limit is 1000 bytes",
        ),
    ] {
        let body = json!({"type_id": type_id, "author_id": 1, "fields": fields});
        let refused = admin.post("/rest/objects", body).await.expect(400);
        assert!(
            refused.pointers().contains(&pointer.to_owned()),
            "{refused}"
        );
        assert!(refused.to_string().contains(limit), "{refused}");
    }
    assert_eq!(list(&admin, &[]).await.expect(200).member("total"), 0);
    let id = inventory::insert(
        &admin,
        "/rest/objects",
        inventory::object(type_id, &[("b", json!("12345678"))]),
    )
    .await;
    let patch = json!({"fields": values(&[("b", "123456789")])});
    let refused = admin.patch(&path(id), patch).await.expect(400);
    assert_eq!(refused.pointers(), ["/fields/0/value"]);
    let patch = json!({"fields": values(&[("c", ""), ("a", ""), ("d", "")])});
    let refused = admin.patch(&path(id), patch).await.expect(400);
    assert_eq!(refused.pointers(), ["/fields"]);
}

#[apply(both)]
async fn what_was_stored_beyond_a_limit_may_stay(engine: Engine) {
    let long = "x".repeat(1_200);
    let old = document(
        7,
        1,
        &[
            ("a", json!(long)),
            ("b", json!("1")),
            ("c", json!("2")),
            ("d", json!("3")),
        ],
    );
    let server = narrow(engine, vec![old]).await;
    let admin = server.admin();
    let stored = native(&admin, 7).await;
    let _ = admin.put(&path(7), stored).await.expect(200);
    let patch = json!({"fields": [{"name": "b", "value": "4"}]});
    let _ = admin.patch(&path(7), patch).await.expect(200);
    let refused = admin
        .patch(&path(7), json!({"fields": values(&[("e", "")])}))
        .await
        .expect(400);
    assert_eq!(refused.pointers(), ["/fields"]);
    let longer = json!({"fields": [{"name": "b", "value": "12345"}]});
    let refused = admin.patch(&path(7), longer).await.expect(400);
    assert_eq!(refused.pointers(), [""], "{refused}");
}

#[apply(both)]
async fn many_tests_of_one_large_record_are_refused(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "note", &[field("text", "text")]).await;
    let texts: Vec<String> = (0..15_000)
        .map(|index| format!("{}{index}", "a".repeat(40)))
        .collect();
    let fields = json!([{"name": "unknown", "value": texts}]);
    let body = json!({"type_id": type_id, "author_id": 1, "fields": fields});
    let _ = admin.post("/rest/objects/", body).await.expect(200);
    let payload = json!({ "text": texts });
    let setting = json!({"identifier": "a", "setting_type": "GLOBAL", "payload": payload});
    let _ = admin
        .post("/rest/users/1/settings", setting)
        .await
        .expect(201);
    let tests = |path: &str| {
        let test = |index| json!({path: {"$regex": format!("(a*)a*\\1b{index}")}});
        json!({ "$nor": (0..16).map(test).collect::<Vec<_>>() })
    };
    let refused = list(&admin, &[("filter", &tests("fields.value").to_string())]).await;
    let job = json!({"filter": tests("fields.value"), "total": 1, "state": false});
    for refused in [refused, admin.post("/rest/objects/jobs", job).await] {
        let detail = refused.expect(400).detail();
        assert!(detail.contains("too expensive"), "{detail}");
    }
    let filter = tests("payload.text").to_string();
    let refused = admin
        .query("/rest/users/1/settings", &[("filter", &filter)])
        .await;
    let detail = refused.expect(400).detail();
    assert!(detail.contains("too expensive"), "{detail}");
}
