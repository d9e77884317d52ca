//! The behaviour of every request, on any route (`docs/guide/src/http.md`,
//! `docs/guide/src/errors.md`).

use axum::http::Method;
use serde_json::{Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{ADMIN_PASSWORD, Answer, TestServer, apply, both};

const LIST: &str = "/rest/categories";
const RECORD: &str = "/rest/categories/1";

/// One answer for every status that a client can cause.
async fn one_of_each(server: &TestServer) -> Vec<Answer> {
    let admin = server.admin();
    let long = vec![b' '; 16 * 1024 * 1024 + 1];
    vec![
        admin.post(LIST, json!({"name": "racks"})).await.expect(200),
        admin.put(RECORD, json!({"name": "rows"})).await.expect(202),
        admin
            .clone()
            .with_header("if-none-match", "*")
            .get(RECORD)
            .await
            .expect(304),
        admin.get("/rest/categories?limit=x").await.expect(400),
        server.anonymous().get(LIST).await.expect(401),
        server
            .user_with(&[])
            .await
            .client
            .get(LIST)
            .await
            .expect(403),
        admin.get("/rest/nothing").await.expect(404),
        admin.get("/rest/categories/99").await.expect(404),
        server.anonymous().get("/nowhere").await.expect(404),
        admin.post(RECORD, json!({})).await.expect(405),
        admin
            .clone()
            .with_header("if-match", "\"7\"")
            .delete(RECORD)
            .await
            .expect(412),
        admin.send(Method::POST, LIST, &[], long).await.expect(413),
        admin
            .send(
                Method::POST,
                LIST,
                &[("content-type", "text/csv")],
                Vec::new(),
            )
            .await
            .expect(415),
    ]
}

#[apply(both)]
async fn every_answer_names_version_and_request(server: TestServer) {
    for answer in one_of_each(&server).await {
        assert_eq!(answer.header("x-api-version"), "1.0", "{answer}");
        assert_eq!(answer.header("x-request-id").len(), 16, "{answer}");
        assert_eq!(
            answer.header("x-content-type-options"),
            "nosniff",
            "{answer}"
        );
    }
}

#[apply(both)]
async fn every_error_is_a_problem_document(server: TestServer) {
    for answer in one_of_each(&server)
        .await
        .into_iter()
        .filter(|answer| answer.status >= 400)
    {
        let problem = answer.problem();
        let has_errors = problem.get("errors").is_some();
        assert_eq!(has_errors, answer.status == 400, "{answer}");
        assert_eq!(
            answer.header("content-length"),
            answer.body.len().to_string(),
            "{answer}"
        );
    }
}

#[apply(both)]
async fn a_problem_has_the_members_of_rfc_9457_and_the_request(server: TestServer) {
    let client = server.admin().with_header("x-request-id", "my-request");
    let answer = client.get("/rest/categories/99?limit=1").await.expect(404);
    let expected = json!({
        "type": "about:blank", "title": "Not Found", "status": 404, "detail": "there is no category 99",
        "instance": "/rest/categories/99", "request_id": "my-request",
    });
    assert_eq!(answer.json(), expected);
    assert_eq!(
        answer.keys(),
        [
            "type",
            "title",
            "status",
            "detail",
            "instance",
            "request_id"
        ]
    );
}

#[apply(both)]
async fn a_missing_right_is_named(server: TestServer) {
    let client = server
        .user_with(&["base.framework.category.view"])
        .await
        .client;
    let _ = client.get(LIST).await.expect(200);
    for (answer, right) in [
        (
            client.post(LIST, json!({})).await,
            "base.framework.category.add",
        ),
        (
            client.put(RECORD, json!({})).await,
            "base.framework.category.edit",
        ),
        (
            client.patch(RECORD, json!({})).await,
            "base.framework.category.edit",
        ),
        (
            client.delete(RECORD).await,
            "base.framework.category.delete",
        ),
    ] {
        assert!(
            answer.clone().expect(403).detail().contains(right),
            "{answer}"
        );
    }
}

#[apply(both)]
async fn no_token_is_asked_for_before_anything_else(server: TestServer) {
    for (method, path) in [
        ("GET", LIST),
        ("GET", "/rest/nothing"),
        ("GET", "/rest"),
        ("GET", "/rest/"),
        ("POST", RECORD),
        ("GET", "/rest/categories/x"),
    ] {
        let answer = server
            .anonymous()
            .send(method.parse().unwrap(), path, &[], "{".into())
            .await
            .expect(401);
        assert_eq!(
            answer.header("www-authenticate"),
            "Bearer",
            "{method} {path}"
        );
        let _ = answer.problem();
    }
}

#[apply(both)]
async fn a_decent_request_id_of_the_client_is_kept(server: TestServer) {
    let longest = "x".repeat(64);
    for id in ["a", "8d3c-4.f_2", longest.as_str()] {
        let answer = server
            .anonymous()
            .with_header("x-request-id", id)
            .get(LIST)
            .await;
        assert_eq!(answer.header("x-request-id"), id);
        assert_eq!(answer.problem()["request_id"], id);
    }
}

#[apply(both)]
async fn any_other_request_id_is_replaced(server: TestServer) {
    let too_long = "x".repeat(65);
    for id in ["", "a b", "<script>", "a/b", too_long.as_str()] {
        let answer = server
            .anonymous()
            .with_header("x-request-id", id)
            .get(LIST)
            .await;
        assert_ne!(answer.header("x-request-id"), id);
        assert_eq!(answer.header("x-request-id").len(), 16, "{id:?}");
    }
    let ids = [
        server.admin().get(LIST).await,
        server.admin().get(LIST).await,
    ];
    assert_ne!(ids[0].header("x-request-id"), ids[1].header("x-request-id"));
}

#[apply(both)]
async fn a_wrong_method_is_told_the_right_ones(server: TestServer) {
    insert(&server.admin(), LIST, json!({"name": "racks"})).await;
    for (path, method, allowed) in [
        (LIST, "PUT", &["GET", "HEAD", "POST"][..]),
        (LIST, "DELETE", &["GET", "HEAD", "POST"]),
        (LIST, "PATCH", &["GET", "HEAD", "POST"]),
        ("/rest/categories/", "PUT", &["GET", "HEAD", "POST"]),
        (RECORD, "POST", &["DELETE", "GET", "HEAD", "PATCH", "PUT"]),
        (RECORD, "TRACE", &["DELETE", "GET", "HEAD", "PATCH", "PUT"]),
        (RECORD, "BREW", &["DELETE", "GET", "HEAD", "PATCH", "PUT"]),
    ] {
        let answer = server
            .admin()
            .send(method.parse().unwrap(), path, &[], Vec::new())
            .await
            .expect(405);
        let mut allow: Vec<&str> = answer.header("allow").split(',').map(str::trim).collect();
        allow.sort_unstable();
        assert_eq!(allow, allowed, "{method} {path}");
        let _ = answer.problem();
    }
}

#[apply(both)]
async fn an_unknown_path_is_not_found(server: TestServer) {
    for path in [
        "/rest/nothing",
        "/rest/categories/1/2",
        "/rest//categories",
        "/rest/categories//",
        "/rest/Categories",
        "/REST/categories",
        "/rest/../rest/categories",
        "/nowhere",
        "/nowhere/",
    ] {
        let answer = server.admin().get(path).await.expect(404);
        let _ = answer.problem();
    }
}

#[apply(both)]
async fn lists_answer_alike_with_and_without_a_slash_at_the_end(server: TestServer) {
    insert(&server.admin(), LIST, json!({"name": "racks"})).await;
    let with = server
        .admin()
        .get("/rest/categories/?limit=1")
        .await
        .expect(200);
    let without = server
        .admin()
        .get("/rest/categories?limit=1")
        .await
        .expect(200);
    for member in ["results", "total", "parameters", "pager"] {
        assert_eq!(with.member(member), without.member(member));
    }
    let current: Value = with.member("pagination")["current"].clone();
    assert_eq!(current, "http://inventory.example/rest/categories/?limit=1");
}

#[apply(both)]
async fn head_has_the_status_and_headers_of_get(server: TestServer) {
    insert(&server.admin(), LIST, json!({"name": "racks"})).await;
    for (path, status) in [
        (LIST, 200),
        ("/rest/categories/", 200),
        ("/rest/categories?view=tree", 200),
        ("/rest/categories?limit=0", 200),
        (RECORD, 200),
        ("/rest/categories/99", 404),
        ("/rest/categories/x", 404),
        ("/rest/categories?page=0", 400),
        ("/rest/nothing", 404),
    ] {
        let _ = server.admin().head(path).await.expect(status);
    }
    let _ = server.anonymous().head(LIST).await.expect(401);
}

#[apply(both)]
async fn a_token_may_come_bare_or_with_any_case_of_bearer(server: TestServer) {
    let token = server.token("admin", ADMIN_PASSWORD).await;
    for value in [
        format!("Bearer {token}"),
        format!("bearer {token}"),
        format!("BEARER   {token}"),
        token.clone(),
    ] {
        let _ = server
            .anonymous()
            .with_header("authorization", &value)
            .get(LIST)
            .await
            .expect(200);
    }
    for value in [
        format!("Basic {token}"),
        format!("{token}x"),
        format!("Bearer {token} x"),
        "Bearer".to_owned(),
        String::new(),
        "null".to_owned(),
    ] {
        let _ = server
            .anonymous()
            .with_header("authorization", &value)
            .get(LIST)
            .await
            .expect(401);
    }
}
