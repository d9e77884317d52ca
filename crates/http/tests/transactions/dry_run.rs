use axum::http::Method;
use serde_json::{Value, json};
use stockroom_testkit::inventory::{object, small};
use stockroom_testkit::{ADMIN_PASSWORD, Answer, Client, TestServer, apply, both};

use crate::fixture::{change, everything, without_effects};

async fn send(client: &Client, (method, path, body): &(Method, String, Value)) -> Answer {
    let body = match body {
        Value::Null => Vec::new(),
        body => body.to_string().into_bytes(),
    };
    client.send(method.clone(), path, &[], body).await
}

/// Every kind of write, each of which succeeds after those before it.
fn writes() -> Vec<(Method, String, Value)> {
    let (post, put, patch, delete) = (Method::POST, Method::PUT, Method::PATCH, Method::DELETE);
    let site = object(1, &[("name", json!("Graz")), ("street", json!(null))]);
    let type_body = json!({"name": "rack", "author_id": 1, "fields": [{"type": "text", "name": "x", "label": "X"}]});
    let user = json!({"user_name": "ada", "password": "difference engine", "group_id": 2});
    let group = json!({"name": "staff", "rights": ["base.framework.object.view"]});
    let setting = json!({"identifier": "grid", "setting_type": "GLOBAL", "payload": {}});
    vec![
        (post.clone(), "/rest/objects".to_owned(), site.clone()),
        (put.clone(), "/rest/objects/2".to_owned(), site),
        (
            patch.clone(),
            "/rest/objects/2".to_owned(),
            json!({"version": "2.0.0"}),
        ),
        (
            put.clone(),
            "/rest/objects/2/state".to_owned(),
            json!(false),
        ),
        (
            delete.clone(),
            "/rest/objects/2,4?references=clear".to_owned(),
            Value::Null,
        ),
        (post.clone(), "/rest/types".to_owned(), type_body),
        (
            patch.clone(),
            "/rest/types/3".to_owned(),
            json!({"label": "Rack"}),
        ),
        (delete.clone(), "/rest/types/3".to_owned(), Value::Null),
        (
            post.clone(),
            "/rest/categories".to_owned(),
            json!({"name": "racks", "parent": 1}),
        ),
        (
            patch.clone(),
            "/rest/categories/2".to_owned(),
            json!({"parent": null}),
        ),
        (delete.clone(), "/rest/categories/1".to_owned(), Value::Null),
        (post.clone(), "/rest/groups".to_owned(), group),
        (
            patch.clone(),
            "/rest/groups/3".to_owned(),
            json!({"label": "Staff"}),
        ),
        (post.clone(), "/rest/users".to_owned(), user),
        (
            patch.clone(),
            "/rest/users/2".to_owned(),
            json!({"group_id": 3}),
        ),
        (
            patch.clone(),
            "/rest/users/2/password".to_owned(),
            json!({"password": "analytical engine"}),
        ),
        (post, "/rest/users/1/settings".to_owned(), setting),
        (
            delete.clone(),
            "/rest/users/1/settings/grid".to_owned(),
            Value::Null,
        ),
        (
            delete,
            "/rest/groups/3?action=DELETE".to_owned(),
            Value::Null,
        ),
        (put, "/rest/objects/clean/2".to_owned(), Value::Null),
    ]
}

#[apply(both)]
async fn a_dry_run_answers_like_the_write_and_changes_nothing(server: TestServer) {
    let admin = server.admin();
    let _ = small(&admin).await;
    for write in writes() {
        let before = everything(&admin).await;
        let joint = if write.1.contains('?') { '&' } else { '?' };
        let (method, path, body) = write.clone();
        let dry = send(
            &admin,
            &(method, format!("{path}{joint}dry_run=true"), body),
        )
        .await;
        assert_eq!(dry.header("x-dry-run"), "true", "{dry}");
        assert_eq!(everything(&admin).await, before, "{dry}");
        let done = send(&admin, &write).await;
        assert!(done.status < 300, "{done}");
        assert_eq!(done.header("x-dry-run"), "", "{done}");
        assert_eq!(dry.status, done.status, "{dry}");
        // Each hash has a salt of its own, so the encoded passwords differ.
        if !write.2["password"].is_string() {
            assert_eq!(without_effects(&dry), done.json());
        }
        for header in ["etag", "location"] {
            assert_eq!(dry.header(header), done.header(header), "{header}\n{dry}");
        }
    }
}

#[apply(both)]
async fn the_effects_name_every_changed_record(server: TestServer) {
    let admin = server.admin();
    let small = small(&admin).await;
    let person = server.user_with(&[]).await;
    let delete = |path: String| {
        let admin = admin.clone();
        async move { admin.delete(&path).await.member("effects") }
    };
    let effects = delete(format!("/rest/objects/{}?dry_run=true", small.srv_01)).await;
    let deleted = change("object", small.srv_01, "delete");
    assert_eq!(
        effects,
        json!({"changes": [deleted], "total": 1, "dangling_references": 1})
    );

    let path = format!("/rest/objects/{}?dry_run=1&references=clear", small.srv_01);
    let effects = delete(path).await;
    let cleared = change("object", small.srv_02, "update");
    assert_eq!(
        effects,
        json!({"changes": [cleared, deleted], "total": 2, "dangling_references": 0})
    );

    let effects = delete(format!("/rest/categories/{}?dry_run", small.places)).await;
    let root = change("category", small.machines, "update");
    let deleted = change("category", small.places, "delete");
    assert_eq!(effects["changes"], json!([root, deleted]));

    let path = format!(
        "/rest/groups/{}?action=DELETE&dry_run=true",
        person.group_id
    );
    let effects = delete(path).await;
    let changes = effects["changes"].as_array().unwrap();
    assert!(
        changes.contains(&change("user", person.id, "delete")),
        "{effects}"
    );
    assert!(
        changes.contains(&change("group", person.group_id, "delete")),
        "{effects}"
    );
    assert_eq!(effects["total"], changes.len());
}

#[apply(both)]
async fn hidden_referrers_are_not_counted(server: TestServer) {
    let admin = server.admin();
    let small = small(&admin).await;
    let person = server.user_with(&["base.framework.object.*"]).await;
    let acl = json!({"activated": true, "groups": {"includes": {"1": ["READ"]}}});
    let path = format!("/rest/types/{}", small.server_type);
    let _ = admin.patch(&path, json!({"acl": acl})).await.expect(202);
    let path = format!("/rest/objects/{}?dry_run=true", small.berlin);
    for (client, dangling) in [(&admin, 1), (&person.client, 0)] {
        let effects = client.delete(&path).await.expect(200).member("effects");
        assert_eq!(effects["dangling_references"], dangling, "{effects}");
    }
}

#[apply(both)]
async fn only_the_first_hundred_changes_are_listed(server: TestServer) {
    let admin = server.admin();
    let small = small(&admin).await;
    for number in 0..101 {
        let site = object(small.site_type, &[("name", json!(number.to_string()))]);
        let _ = admin.post("/rest/objects", site).await.expect(200);
    }
    let path = format!("/rest/objects/clean/{}?dry_run=true", small.site_type);
    let answer = admin.put(&path, Value::Null).await.expect(200);
    assert_eq!(answer.member("result")["cleaned"], 101);
    let effects = answer.member("effects");
    assert_eq!(effects["changes"].as_array().unwrap().len(), 100);
    assert_eq!(effects["total"], 101);
}

#[apply(both)]
async fn a_dry_run_is_refused_like_the_write(server: TestServer) {
    let admin = server.admin();
    let small = small(&admin).await;
    let nobody = server.user_with(&[]).await.client;
    let stale = admin.clone().with_header("if-match", "\"7\"");
    let strict = admin.clone().with_header("prefer", "handling=strict");
    let path = format!("/rest/objects/{}?dry_run=true", small.berlin);
    let unknown = json!({"fields": [{"name": "unknown", "value": 1}]});
    for (client, body, status) in [
        (&nobody, json!({}), 403),
        (&stale, json!({}), 412),
        (&admin, json!({"fields": 1}), 400),
        (&admin, json!([]), 400),
        (&strict, unknown, 400),
    ] {
        let dry = client.patch(&path, body.clone()).await.expect(status);
        let real = client
            .patch(path.trim_end_matches("?dry_run=true"), body)
            .await;
        let told = |answer: &Answer| {
            let problem = answer.problem();
            ["detail", "errors", "title"].map(|member| problem[member].clone())
        };
        assert_eq!(told(&dry), told(&real));
        assert_eq!(dry.header("x-dry-run"), "true");
    }
    let missing = admin.delete("/rest/objects/99?dry_run=true").await;
    assert_eq!(missing.expect(404).header("x-dry-run"), "true");
    let anonymous = server.anonymous().delete(&path).await;
    assert_eq!(anonymous.expect(401).header("x-dry-run"), "");
}

#[apply(both)]
async fn the_parameter_is_a_boolean_of_writes(server: TestServer) {
    let admin = server.admin();
    let small = small(&admin).await;
    let path = format!("/rest/objects/{}", small.berlin);
    let nobody = server.user_with(&[]).await.client;
    for (query, pointer) in [
        ("dry_run=maybe", "dry_run"),
        ("dry_run=1&dry_run=0", "dry_run"),
    ] {
        let path = format!("{path}?{query}");
        assert_eq!(admin.delete(&path).await.pointers(), [pointer]);
        let _ = nobody.delete(&path).await.expect(403);
    }
    let unknown = admin.get("/rest/objects?dry_run=true").await.expect(200);
    assert_eq!(unknown.warnings(), ["dry_run"]);
    let strict = admin.clone().with_header("prefer", "handling=strict");
    let known = strict
        .delete(&format!("{path}?dry_run=true"))
        .await
        .expect(200);
    assert_eq!(known.header("x-dry-run"), "true");
    let real = admin
        .delete(&format!("{path}?dry_run=false"))
        .await
        .expect(200);
    assert_eq!(real.header("x-dry-run"), "");
    let _ = admin.get(&path).await.expect(404);
}

#[apply(both)]
async fn a_dry_run_is_no_way_to_guess_passwords(server: TestServer) {
    let admin = server.admin();
    let path = "/rest/users/1/password?dry_run=true";
    let right = json!({"password": "a new one for me", "old_password": ADMIN_PASSWORD});
    let _ = admin.patch(path, right.clone()).await.expect(202);
    let _ = server.login("admin", ADMIN_PASSWORD).await;
    let wrong = json!({"password": "a new one for me", "old_password": "a guess"});
    for _ in 0..10 {
        let _ = admin.patch(path, wrong.clone()).await.expect(400);
    }
    let _ = admin.patch(path, right).await.expect(429);
}

#[apply(both)]
async fn a_dry_run_of_a_new_password_ends_no_token(server: TestServer) {
    let person = server.user_with(&[]).await;
    let path = format!("/rest/users/{}/password?dry_run=true", person.id);
    let body = json!({"password": "another password"});
    let _ = server.admin().patch(&path, body).await.expect(202);
    let own = format!("/rest/users/{}", person.id);
    let _ = person.client.get(&own).await.expect(200);
    let _ = server.login(&person.user_name, &person.password).await;
}
