use axum::http::Method;
use serde_json::{Value, json};
use stockroom_http::HttpConfig;
use stockroom_testkit::inventory::small;
use stockroom_testkit::{Engine, Setup, TestServer, apply, both};

/// A path of every resource, and a body that changes the record.
async fn records(server: &TestServer) -> Vec<(String, Value)> {
    let admin = server.admin();
    let small = small(&admin).await;
    let person = server.user_with(&[]).await;
    let setting = json!({"identifier": "grid", "setting_type": "GLOBAL", "payload": {}});
    let _ = admin
        .post("/rest/users/1/settings", setting)
        .await
        .expect(201);
    vec![
        (
            format!("/rest/objects/{}", small.vienna),
            json!({"version": "2.0.0"}),
        ),
        (
            format!("/rest/types/{}", small.server_type),
            json!({"label": "Machine"}),
        ),
        (
            format!("/rest/categories/{}", small.machines),
            json!({"label": "Machine"}),
        ),
        (
            format!("/rest/users/{}", person.id),
            json!({"first_name": "Ada"}),
        ),
        (
            format!("/rest/groups/{}", person.group_id),
            json!({"label": "Staff"}),
        ),
        (
            "/rest/users/1/settings/grid".to_owned(),
            json!({"payload": {"rows": 5}}),
        ),
    ]
}

#[apply(both)]
async fn a_refusal_says_who_changed_the_record_and_when(server: TestServer) {
    let editor = server.user_with(&["base.*"]).await;
    for (path, change) in records(&server).await {
        let _ = editor.client.patch(&path, change.clone()).await;
        let stale = server.admin().with_header("if-match", "\"1\"");
        for method in [Method::PATCH, Method::DELETE] {
            let body = change.to_string().into_bytes();
            let refused = stale.send(method, &path, &[], body).await.expect(412);
            let problem = refused.problem();
            assert_eq!(problem["current_revision"], 2, "{refused}");
            assert_eq!(problem["changed_by"], editor.id, "{refused}");
            assert_eq!(problem["changed_at"], server.now().to_iso(), "{refused}");
            let who = format!("user {}", editor.id);
            assert!(refused.detail().contains(&who), "{refused}");
        }
    }
}

#[apply(both)]
async fn a_refusal_says_that_only_the_password_was_changed(server: TestServer) {
    let person = server.user_with(&["base.framework.object.view"]).await;
    let path = format!("/rest/users/{}", person.id);
    let password = json!({"password": "another-horse-battery"});
    let admin = server.admin();
    let changed = admin.patch(&format!("{path}/password"), password).await;
    let _ = changed.expect(202);
    for (revision, is_password) in [(1, true), (2, false)] {
        let name = json!({"first_name": format!("Ada {revision}")});
        let stale = server.admin().with_header("if-match", "\"1\"");
        let refused = stale.patch(&path, name.clone()).await.expect(412);
        assert_eq!(
            refused.detail().contains("a new password"),
            is_password,
            "{refused}"
        );
        let _ = admin.patch(&path, name).await.expect(202);
    }
}

#[apply(both)]
async fn a_revision_without_quotes_is_no_condition(server: TestServer) {
    for (path, change) in records(&server).await {
        for wrong in ["1", "'1'", "\"1", "\"1\", 2"] {
            let admin = server.admin().with_header("if-match", wrong);
            let refused = admin.patch(&path, change.clone()).await.expect(400);
            assert_eq!(refused.pointers(), ["If-Match"], "{path}");
            assert!(refused.detail().contains("such as \"3\""), "{refused}");
        }
        let admin = server.admin().with_header("if-match", "\"7\", \"1\"");
        let changed = admin.patch(&path, change).await;
        assert!(changed.status < 300, "{changed}");
    }
}

#[apply(both)]
async fn the_operator_may_require_if_match(engine: Engine) {
    let http = HttpConfig {
        requires_if_match: true,
        ..HttpConfig::default()
    };
    let server = Setup {
        http,
        ..Setup::default()
    }
    .start(engine)
    .await;
    let (admin, nobody) = (server.admin(), server.user_with(&[]).await.client);
    let any = admin.clone().with_header("if-match", "*");
    let records = records(&server).await;
    let object = format!("{}/state", records[0].0);
    for (path, change) in &records {
        for answer in [
            admin.patch(path, change.clone()).await,
            admin.put(path, change.clone()).await,
            admin.delete(path).await,
        ] {
            assert!(answer.expect(428).detail().contains("If-Match"));
        }
        if !path.contains("settings") {
            let _ = nobody.delete(path).await.expect(403);
        }
        let read = admin.get(path).await.expect(200);
        let changed = any.patch(path, change.clone()).await;
        assert!(changed.status < 300, "{changed}");
        assert_ne!(changed.header("etag"), read.header("etag"));
        let current = admin
            .clone()
            .with_header("if-match", changed.header("etag"));
        assert!(current.patch(path, change.clone()).await.status < 300);
    }
    let _ = admin.put(&object, json!(false)).await.expect(428);
    let _ = any.put(&object, json!(false)).await.expect(200);
    let _ = admin.patch("/rest/objects/99", json!({})).await.expect(404);
    let _ = admin
        .put("/rest/objects/clean/1", Value::Null)
        .await
        .expect(200);
    let _ = admin.delete("/rest/objects/3,4").await.expect(200);
}
