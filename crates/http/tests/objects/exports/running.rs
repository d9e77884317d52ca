//! Exports that others write beside, that are left, or that are too many.

use axum::body::{Body, to_bytes};
use futures_util::StreamExt as _;
use stockroom_testkit::{Engine, Setup, apply};

use super::*;
use crate::fixture::{document, path};

/// More than fits between the thread and the client.
const OBJECTS_OF_TYPE: i64 = 3_000;

fn many() -> Vec<Value> {
    let note = "x".repeat(1_000);
    let document = |id| document(id, 1, &[("note", json!(note))]);
    (1..=OBJECTS_OF_TYPE).map(document).collect()
}

async fn start(engine: Engine) -> TestServer {
    let setup = Setup {
        documents: many(),
        ..Setup::default()
    };
    setup.start(engine).await
}

async fn open(client: &Client) -> Body {
    let answer = client.open(&query(EXPORT, &[("format", "ndjson")])).await;
    assert_eq!(answer.status(), 200);
    answer.into_body()
}

#[apply(both)]
async fn an_export_is_one_snapshot(engine: Engine) {
    let server = start(engine).await;
    let admin = server.admin();
    let mut parts = open(&admin).await.into_data_stream();
    let mut text = parts.next().await.unwrap().unwrap().to_vec();
    let _ = admin.delete(&path(OBJECTS_OF_TYPE)).await.expect(200);
    let _ = admin
        .patch(&path(OBJECTS_OF_TYPE - 1), json!({"version": "2"}))
        .await
        .expect(200);
    insert(&admin, 1, &[("note", json!("new"))]).await;
    while let Some(part) = parts.next().await {
        text.extend(part.unwrap());
    }
    let text = String::from_utf8(text).unwrap();
    let documents: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(Value::from(documents), Value::from(many()));
}

#[apply(both)]
async fn an_export_ends_with_the_right_to_it(engine: Engine) {
    let server = start(engine).await;
    let admin = server.admin();
    let person = server.user_with(OBJECTS).await;
    let body = open(&person.client).await;
    restrict(&admin, 1, person.group_id, &[]).await;
    assert!(
        to_bytes(body, usize::MAX).await.is_err(),
        "the file is not whole"
    );
}

#[apply(both)]
async fn users_have_a_few_exports_at_once(engine: Engine) {
    let server = start(engine).await;
    let admin = server.admin();
    let mut held = Vec::new();
    for _ in 0..4 {
        held.push(open(&admin).await);
    }
    let refused = export(&admin, "ndjson", &[]).await.expect(429);
    assert_eq!(refused.header("retry-after"), "5");
    assert!(
        refused.detail().contains("you have 4 running exports"),
        "{refused}"
    );
    let person = server.user_with(OBJECTS).await;
    let _ = export(&person.client, "ndjson", &[]).await.expect(200);
    // A client that leaves ends its export; its thread needs a moment to notice.
    drop(held);
    loop {
        let answer = admin.open(&query(EXPORT, &[("format", "ndjson")])).await;
        if answer.status() == 200 {
            break;
        }
        tokio::task::yield_now().await;
    }
}

#[apply(both)]
async fn an_export_has_a_time_limit(engine: Engine) {
    let mut setup = Setup {
        documents: vec![document(1, 1, &[])],
        ..Setup::default()
    };
    setup.config.export_seconds = 0;
    let server = setup.start(engine).await;
    let body = open(&server.admin()).await;
    assert!(
        to_bytes(body, usize::MAX).await.is_err(),
        "the file is not whole"
    );
}

#[apply(both)]
async fn the_server_has_a_few_exports_at_once(engine: Engine) {
    let mut setup = Setup::default();
    setup.config.exports = 0;
    let server = setup.start(engine).await;
    for path in [
        query(EXPORT, &[("format", "json")]),
        "/rest/exports/all".to_owned(),
    ] {
        let refused = server.admin().get(&path).await.expect(503);
        assert_eq!(refused.header("retry-after"), "5");
        assert!(refused.detail().contains("exports of others"), "{refused}");
    }
}
