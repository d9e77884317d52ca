use axum::http::{HeaderMap, HeaderName, Method};

use super::*;

#[test]
fn the_most_literal_template_is_meant() {
    let document = json!({"paths": {
        "/objects/{public_id}": {"get": {}},
        "/objects/{public_id}/state": {"get": {}},
        "/objects/clean/{public_id}": {"get": {}, "put": {}},
        "/objects/{public_id}/{other}": {"get": {}},
    }});
    for (path, method, expected) in [
        (
            "/objects/5",
            "get",
            Some("#/paths/~1objects~1%7Bpublic_id%7D/get"),
        ),
        (
            "/objects/clean/5",
            "put",
            Some("#/paths/~1objects~1clean~1%7Bpublic_id%7D/put"),
        ),
        (
            "/objects/5/state",
            "get",
            Some("#/paths/~1objects~1%7Bpublic_id%7D~1state/get"),
        ),
        ("/objects/5/state", "put", None),
        ("/objects", "get", None),
        ("/types/5", "get", None),
    ] {
        let found = operation(&document, path, method).map(|operation| operation.pointer);
        assert_eq!(found.as_deref(), expected, "{method} {path}");
    }
}

/// A valid answer to reading a category.
fn read() -> (Answer, Value) {
    let headers: HeaderMap = [
        ("content-type", "application/json"),
        ("x-api-version", "1.0"),
        ("etag", "\"1\""),
    ]
    .map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()))
    .into_iter()
    .collect();
    let body = json!({
        "result": {
            "public_id": 1, "name": "a", "label": "A", "meta": {"icon": "", "order": null}, "parent": null, "types": [],
        },
        "response_type": "GET", "model": "Category", "time": "2026-03-04T05:06:07.089012",
    });
    let answer = Answer {
        method: Method::GET,
        path: "/base/rest/categories/1/?x=y".to_owned(),
        status: 200,
        headers,
        body: Vec::new(),
        sent: 0,
    };
    (answer, body)
}

fn check_with(change: impl FnOnce(&mut Answer, &mut Value)) -> Result<(), String> {
    let (mut answer, mut body) = read();
    change(&mut answer, &mut body);
    if answer.body.is_empty() {
        answer.body = body.to_string().into_bytes();
    }
    check(&answer, "/base")
}

#[test]
fn an_answer_as_the_document_describes_it_passes() {
    assert_eq!(check_with(|_, _| {}), Ok(()));
}

#[test]
fn every_deviation_from_the_document_is_told() {
    type Change = fn(&mut Answer, &mut Value);
    let changes: [(&str, Change); 10] = [
        ("X-API-Version", |answer, _| {
            drop(answer.headers.remove("x-api-version"));
        }),
        ("Content-Length", |answer, _| {
            drop(answer.headers.insert("content-length", 3.into()));
        }),
        ("no such operation", |answer, _| {
            answer.path = "/base/rest/nothing".to_owned();
        }),
        ("no such operation", |answer, _| {
            answer.method = Method::POST;
        }),
        ("this status", |answer, _| answer.status = 201),
        ("the type \"text/html\"", |answer, _| {
            let html = "text/html".parse().unwrap();
            drop(answer.headers.insert("content-type", html));
        }),
        ("line 1 column 1", |answer, _| answer.body = b"x".to_vec()),
        ("/result/name", |_, body| body["result"]["name"] = json!(5)),
        ("'extra' was unexpected", |_, body| {
            body["result"]["extra"] = json!(5);
        }),
        ("is a required property", |_, body| {
            drop(body.as_object_mut().unwrap().remove("time"));
        }),
    ];
    for (expected, change) in changes {
        let deviation = check_with(change).expect_err(expected);
        assert!(deviation.contains(expected), "{expected}: {deviation}");
    }
}

#[test]
fn errors_outside_of_operations_must_be_problems() {
    let outside = |answer: &mut Answer| {
        answer.path = "/base/rest/nothing".to_owned();
        answer.status = 404;
    };
    let deviation = check_with(|answer, _| outside(answer)).unwrap_err();
    assert!(deviation.contains("request_id"), "{deviation}");
    let problem = json!({
        "type": "about:blank", "title": "Not Found", "status": 404, "detail": "none", "instance": "/", "request_id": "1",
    });
    let checked = check_with(|answer, body| {
        outside(answer);
        *body = problem;
    });
    assert_eq!(checked, Ok(()));
}
