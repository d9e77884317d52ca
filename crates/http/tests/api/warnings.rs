//! Warnings (`docs/guide/src/errors.md`).

use serde_json::{Value, json};
use stockroom_testkit::{Answer, Client, TestServer, apply, both};

const PATH: &str = "/rest/types";

/// A type whose summary and section name fields that it does not have.
fn doubtful() -> Value {
    json!({
        "name": "server", "author_id": 1,
        "fields": [{"type": "text", "name": "hostname", "label": "Host name"}],
        "render_meta": {
            "icon": null,
            "sections": [{"type": "section", "name": "main", "label": "Main", "fields": ["hostname", "cores"]}],
            "externals": [],
            "summary": {"fields": ["owner"]},
        },
    })
}

const WARNINGS: [&str; 2] = [
    "/render_meta/sections/0/fields/1",
    "/render_meta/summary/fields/0",
];

/// A list of objects with a parameter.
async fn list(client: &Client, parameter: &str, value: &str) -> Answer {
    let value = percent_encoding::utf8_percent_encode(value, percent_encoding::NON_ALPHANUMERIC);
    client
        .get(&format!("/rest/objects?{parameter}={value}"))
        .await
}

fn strict(client: Client) -> Client {
    client.with_header("prefer", "handling=strict")
}

#[apply(both)]
async fn doubtful_input_is_stored_with_warnings(server: TestServer) {
    let inserted = server.admin().post(PATH, doubtful()).await.expect(200);
    assert_eq!(
        inserted.keys(),
        [
            "result_id",
            "raw",
            "warnings",
            "response_type",
            "model",
            "time"
        ]
    );
    assert_eq!(inserted.warnings(), WARNINGS);
    let warning = &inserted.member("warnings")[0];
    assert!(
        warning["detail"]
            .as_str()
            .is_some_and(|detail| detail.contains("cores")),
        "{warning}"
    );
    let read = server
        .admin()
        .get("/rest/types/1")
        .await
        .expect(200)
        .member("result");
    let updated = server.admin().put("/rest/types/1", read).await.expect(202);
    assert_eq!(
        updated.keys(),
        ["result", "warnings", "response_type", "model", "time"]
    );
}

#[apply(both)]
async fn input_without_warnings_has_no_member_warnings(server: TestServer) {
    let answer = server
        .admin()
        .post(PATH, json!({"name": "server", "author_id": 1}))
        .await
        .expect(200);
    assert_eq!(answer.json().get("warnings"), None);
}

#[apply(both)]
async fn strict_handling_refuses_what_is_doubtful(server: TestServer) {
    for preference in [
        "handling=strict",
        "respond-async, handling=strict",
        "Handling=\"Strict\"; x=y",
        "handling = strict",
    ] {
        let client = server.admin().with_header("prefer", preference);
        assert_eq!(
            client.post(PATH, doubtful()).await.pointers(),
            WARNINGS,
            "{preference}"
        );
    }
    assert_eq!(
        server.admin().get(PATH).await.expect(200).member("total"),
        0
    );
}

#[apply(both)]
async fn other_preferences_are_no_reason_to_refuse(server: TestServer) {
    for preference in ["handling=lenient", "return=minimal", "handling", "strict"] {
        let client = server.admin().with_header("prefer", preference);
        let mut body = doubtful();
        body["name"] = json!(format!("type-{}", preference.replace('=', "-")));
        let _ = client.post(PATH, body).await.expect(200);
    }
}

#[apply(both)]
async fn strict_handling_refuses_doubtful_updates_and_accepts_the_rest(server: TestServer) {
    let client = strict(server.admin());
    let sound = json!({"name": "server", "author_id": 1});
    let _ = client.post(PATH, sound.clone()).await.expect(200);
    assert_eq!(
        client.put("/rest/types/1", doubtful()).await.pointers(),
        WARNINGS
    );
    let patch = json!({"render_meta": {"summary": {"fields": ["owner"]}}});
    assert_eq!(
        client.patch("/rest/types/1", patch).await.pointers(),
        ["/render_meta/summary/fields/0"]
    );
    let _ = client.put("/rest/types/1", sound).await.expect(202);
}

#[apply(both)]
async fn filters_and_sorts_that_look_like_mistakes_are_doubted(server: TestServer) {
    let admin = server.admin();
    for (parameter, value, pointer, detail) in [
        (
            "filter",
            r#"{"public_id": {"gt": 5}}"#,
            "filter/public_id",
            "the operator is $gt",
        ),
        (
            "filter",
            r#"{"$or": [{"a": 1}, {"version": {"in": ["1"]}}]}"#,
            "filter/$or/1/version",
            "the operator is $in",
        ),
        (
            "filter",
            r#"{"feilds.name": "a"}"#,
            "filter",
            "feilds: objects have no such member",
        ),
        (
            "sort",
            "feilds.name",
            "sort",
            "feilds: objects have no such member",
        ),
    ] {
        let found = list(&admin, parameter, value)
            .await
            .expect(200)
            .member("warnings");
        let doubted = found.as_array().unwrap().iter().any(|warning| {
            warning["pointer"] == pointer && warning["detail"].as_str().unwrap().contains(detail)
        });
        assert!(doubted, "{value}: {found}");
        let _ = list(&strict(admin.clone()), parameter, value)
            .await
            .expect(400);
    }
    for certain in [
        r#"{"public_id": {"$gt": 5}}"#,
        r#"{"fields.meta": {"type": 1}}"#,
        r#"{"$comment": {"in": 1}}"#,
    ] {
        let answer = list(&admin, "filter", certain).await;
        let warnings = answer.json()["warnings"].to_string();
        assert!(
            !warnings.contains("the operator is"),
            "{certain}: {warnings}"
        );
    }
}
