//! What imports keep: their ids, their plans, and the bytes of their rows.

use axum::http::Method;
use fastrand::Rng;
use serde_json::{Value, json};
use stockroom_service::background::Imports;
use stockroom_testkit::{Answer, Client, Engine, Setup, TestServer, apply, both};

use crate::fixture::{field, make_type};

const IMPORTS: &str = "/rest/imports";
const RIGHTS: [&str; 3] = [
    "base.import.object.*",
    "base.framework.object.*",
    "base.framework.type.*",
];

async fn upload(client: &Client, file: &str) -> Answer {
    client.send(Method::POST, IMPORTS, &[], file.into()).await
}

/// Rows of about so many bytes, which no compression makes shorter than half of it.
fn rows(bytes: usize, seed: u64) -> String {
    let mut random = Rng::with_seed(seed);
    let rows = (0..bytes / 51).map(|_| {
        (0..50)
            .map(|_| random.alphanumeric())
            .chain(['\n'])
            .collect()
    });
    let rows: Vec<String> = rows.collect();
    format!("name\n{}", rows.concat())
}

async fn start(engine: Engine, of_user: u64, of_all: u64) -> TestServer {
    let mut setup = Setup::default();
    setup.config.stored_import_bytes_per_user = of_user;
    setup.config.stored_import_bytes = of_all;
    setup.start(engine).await
}

async fn total(client: &Client) -> Value {
    client.get(IMPORTS).await.expect(200).member("total")
}

#[apply(both)]
async fn the_id_of_a_deleted_import_is_not_given_again(server: TestServer) {
    let admin = server.admin();
    for expected in 1..4 {
        let id = upload(&admin, "name\na\n")
            .await
            .expect(201)
            .member("result")["id"]
            .clone();
        assert_eq!(id, json!(expected));
        let _ = admin.delete(&format!("{IMPORTS}/{id}")).await.expect(200);
    }
}

#[apply(both)]
async fn the_plan_of_an_answer_can_be_sent_back(server: TestServer) {
    let admin = server.admin();
    make_type(&admin, "site", &[field("text", "code")]).await;
    let fields = [
        field("text", "name"),
        field("ref", "site"),
        field("number", "cores"),
    ];
    let type_id = make_type(&admin, "server", &fields).await;
    let _ = upload(&admin, "Host,cores,Where,name\na,1,,x\n")
        .await
        .expect(201);
    let plan = json!({
        "type_id": type_id, "key": ["cores", "name"], "policy": "skip", "dry_run": true,
        "columns": {"Host": "name", "Where": {"field": "site", "by": "code", "types": [1]}, "name": "cores"},
    });
    let run = format!("{IMPORTS}/1/run");
    let first = admin.post(&run, plan).await.expect(202).member("result")["plan"].clone();
    // The column `name` goes to another field than that of its name.
    assert_eq!(first["key"], json!(["cores", "name"]));
    server.service().finish(Imports::default()).await.unwrap();
    let again = admin
        .post(&run, first.clone())
        .await
        .expect(202)
        .member("result")["plan"]
        .clone();
    assert_eq!(again, first);
}

#[apply(both)]
async fn a_user_has_half_of_the_places_for_uploads(server: TestServer) {
    let (slow, other) = (
        server.user_with(&RIGHTS).await,
        server.user_with(&RIGHTS).await,
    );
    let mut waiting = Vec::new();
    for _ in 0..4 {
        waiting.push(slow.client.begin(Method::POST, IMPORTS).await);
    }
    let refused = upload(&slow.client, "name\na\n").await.expect(429);
    assert!(
        refused.detail().contains("you have 4 running uploads"),
        "{refused}"
    );
    let _ = upload(&other.client, "name\na\n").await.expect(201);
    for upload in waiting {
        let _ = upload.finish(&json!([{"name": "a"}])).await.expect(201);
    }
    let _ = upload(&slow.client, "name\na\n").await.expect(201);
}

#[apply(both)]
async fn the_stored_rows_of_a_user_are_bounded(engine: Engine) {
    let server = start(engine, 100_000, 1_000_000).await;
    let (one, other) = (
        server.user_with(&RIGHTS).await.client,
        server.user_with(&RIGHTS).await.client,
    );
    let _ = upload(&one, &rows(60_000, 1)).await.expect(201);
    let refused = upload(&one, &rows(150_000, 2)).await.expect(413);
    assert!(
        refused.detail().contains("more than 100000 bytes"),
        "{refused}"
    );
    // Nothing of it is kept, and others are not concerned.
    assert_eq!(total(&one).await, json!(1));
    let _ = upload(&other, &rows(60_000, 3)).await.expect(201);
    // What compresses well takes little.
    let _ = upload(
        &one,
        &format!("name\n{}", format!("{}\n", "x".repeat(1_000)).repeat(200)),
    )
    .await
    .expect(201);
    let _ = one.delete(&format!("{IMPORTS}/1")).await.expect(200);
    let _ = upload(&one, &rows(100_000, 4)).await.expect(201);
}

#[apply(both)]
async fn the_stored_rows_of_all_users_are_bounded(engine: Engine) {
    let server = start(engine, 100_000, 120_000).await;
    let (one, other) = (
        server.user_with(&RIGHTS).await.client,
        server.user_with(&RIGHTS).await.client,
    );
    let _ = upload(&one, &rows(100_000, 1)).await.expect(201);
    let refused = upload(&other, &rows(100_000, 2)).await.expect(507);
    assert!(
        refused.detail().contains("more than 120000 bytes"),
        "{refused}"
    );
    assert_eq!(total(&other).await, json!(0));
}

#[apply(both)]
async fn a_repair_is_bounded_as_an_upload(engine: Engine) {
    let server = start(engine, 10_000, 1_000_000).await;
    let admin = server.admin();
    let _ = upload(&admin, "name\na\nb\n").await.expect(201);
    let repair = |value: &str| json!({"rows": [{"row": 2, "cells": {"name": value}}]});
    let path = format!("{IMPORTS}/1/rows");
    let refused = admin
        .patch(&path, repair(&rows(50_000, 1)))
        .await
        .expect(413);
    assert!(
        refused.detail().contains("more than 10000 bytes"),
        "{refused}"
    );
    let _ = admin.patch(&path, repair("c")).await.expect(202);
    let listed = admin.get(&path).await.expect(200).member("results");
    assert_eq!(listed[0]["cells"], json!(["c"]));
}
