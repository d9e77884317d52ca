//! Members of bodies that no record has (`docs/guide/src/errors.md`).

use axum::http::Method;
use serde_json::{Value, json};
use stockroom_testkit::inventory::small;
use stockroom_testkit::{TestServer, apply, both};

/// A body for each collection whose records can be replaced.
fn bodies() -> [(&'static str, Value); 8] {
    let view = json!({"name": "a", "visibility": "private", "definition": {}});
    let source = json!({"name": "a", "type_id": 2, "columns": {"hostname": "hostname"}});
    [
        ("/rest/types", json!({"name": "spare", "author_id": 1})),
        (
            "/rest/categories",
            json!({"name": "a", "meta": {"icon": "", "order": 1}}),
        ),
        ("/rest/groups", json!({"name": "a", "rights": []})),
        (
            "/rest/users",
            json!({"user_name": "a", "password": "a long password"}),
        ),
        (
            "/rest/objects",
            json!({"type_id": 1, "author_id": 1, "fields": [
                {"name": "name", "value": "a"}, {"name": "street", "value": "b"},
            ]}),
        ),
        ("/rest/views", view),
        ("/rest/sources", source),
        (
            "/rest/users/1/settings",
            json!({"identifier": "a", "setting_type": "GLOBAL"}),
        ),
    ]
}

#[apply(both)]
async fn members_that_no_record_has_are_warned_about(server: TestServer) {
    let admin = server.admin();
    let _ = small(&admin).await;
    let strict = admin.clone().with_header("prefer", "handling=strict");
    for (path, mut body) in bodies() {
        body["feilds"] = json!([]);
        let refused = strict.post(path, body.clone()).await.expect(400);
        assert_eq!(refused.pointers(), ["/feilds"], "{refused}");
        let made = admin.post(path, body).await;
        let warnings = made.member("warnings");
        assert_eq!(warnings[0]["pointer"], "/feilds", "{made}");
        assert_eq!(warnings.as_array().map(Vec::len), Some(1), "{made}");
        let id = made.member("result_id");
        let one = format!(
            "{path}/{}",
            id.as_str().map_or_else(|| id.to_string(), str::to_owned)
        );
        let native = if path == "/rest/objects" {
            "/native"
        } else {
            ""
        };
        let read = admin
            .get(&format!("{one}{native}"))
            .await
            .expect(200)
            .json();
        let document = read
            .get("result")
            .or_else(|| read.pointer("/results/0"))
            .unwrap_or(&read)
            .clone();
        // What an answer has, a body may have.
        let replaced = strict.put(&one, document).await;
        assert!((200..300).contains(&replaced.status), "{replaced}");
    }
}

#[apply(both)]
async fn a_misspelt_limit_of_a_token_is_refused(server: TestServer) {
    let body = json!({"name": "a", "type": [1]});
    let refused = server.admin().post("/rest/tokens", body).await.expect(400);
    assert_eq!(refused.pointers(), ["/type"]);
}

#[apply(both)]
async fn bodies_that_undo_something_have_no_unknown_members(server: TestServer) {
    let admin = server.admin();
    let small = small(&admin).await;
    let object = format!("/rest/objects/{}", small.srv_02);
    let changed = json!({"fields": [{"name": "cores", "value": 99}]});
    let _ = admin.patch(&object, changed).await.expect(200);
    for (method, path, body, unknown) in [
        (
            Method::POST,
            format!("{object}/restore"),
            json!({"revision": 1, "field": ["cores"]}),
            "/field",
        ),
        (
            Method::PATCH,
            "/rest/users/1/password".to_owned(),
            json!({"password": "a long password", "revoke": true}),
            "/revoke",
        ),
    ] {
        let refused = admin
            .send(method, &path, &[], body.to_string().into_bytes())
            .await;
        assert_eq!(refused.expect(400).pointers(), [unknown], "{path}");
    }
}
