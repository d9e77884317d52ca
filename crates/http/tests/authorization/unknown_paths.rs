//! Without a token, an answer under `/rest` does not even tell which paths exist.

use axum::http::Method;
use stockroom_testkit::{TestServer, apply, both};

#[apply(both)]
async fn without_a_token_every_path_under_rest_looks_alike(server: TestServer) {
    for path in [
        "/rest//",
        "/rest/nothing",
        "/rest/objects/1/nothing",
        "/rest/objects/none",
        "/rest//objects",
        "/rest/./objects",
        "/rest/%6fbjects",
        "/rest/auth",
        "/rest/auth/login/again",
        "/rest/auth/login%2F..%2Fobjects",
        "/rest/openapi.json/..",
        "/rest/openapi.yaml",
    ] {
        let answer = server.anonymous().unchecked().get(path).await.expect(401);
        assert_eq!(answer.header("www-authenticate"), "Bearer", "{path}");
        assert_eq!(answer.detail(), "a valid token is needed", "{path}");
        let _ = server.admin().unchecked().get(path).await.expect(404);
    }
}

#[apply(both)]
async fn without_a_token_every_method_under_rest_looks_alike(server: TestServer) {
    for (method, path) in [
        (Method::DELETE, "/rest/objects"),
        (Method::POST, "/rest/objects/1"),
        (Method::PUT, "/rest/rights/base.*"),
        (Method::PATCH, "/rest/objects/1/state"),
        (Method::TRACE, "/rest/objects"),
        (Method::OPTIONS, "/rest/users"),
        (Method::from_bytes(b"PROPFIND").unwrap(), "/rest/users"),
    ] {
        let (anonymous, admin) = (server.anonymous().unchecked(), server.admin().unchecked());
        let answer = anonymous.send(method.clone(), path, &[], Vec::new()).await;
        assert_eq!(answer.expect(401).header("allow"), "", "{method} {path}");
        let _ = admin.send(method, path, &[], Vec::new()).await.expect(405);
    }
}

#[apply(both)]
async fn no_other_spelling_of_rest_leads_past_the_token(server: TestServer) {
    for path in [
        "//rest/objects",
        "/REST/objects",
        "/%72est/objects",
        "/./rest/objects",
        "/x/../rest/objects",
        "/healthz/../rest/objects",
        "/docs/../rest/objects",
    ] {
        let answer = server.anonymous().unchecked().get(path).await;
        assert!(matches!(answer.status, 401 | 404), "{answer}");
    }
}
