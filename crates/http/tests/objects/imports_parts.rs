//! Imports whose chunks take several transactions, because their objects are large or because
//! clients wait.

use std::time::Duration;

use serde_json::{Value, json};
use stockroom_service::background::{Imports, ObjectJobs};
use stockroom_testkit::{Client, TestServer, apply, both};

use crate::fixture::{field, insert, make_type, native, value};
use crate::imports::{at, counts, objects_of, problems, read, undo, upload, values};

/// Large objects; a transaction changes about ten of them.
const LARGE: usize = 16;

/// Rows that no transaction writes whole while clients wait, as each row takes this long.
const ROWS: usize = 60;
const ROW: Duration = Duration::from_millis(5);

async fn start(client: &Client, import: &Value, rest: &str, body: Value) {
    let _ = client.post(&at(import, rest), body).await.expect(202);
}

/// Works on an import until it ends, while a client writes all the time. Returns how many
/// transactions that took.
async fn run_beside_writes(server: &TestServer, client: &Client, import: &Value) -> usize {
    let mut parts = 0;
    server.step_clock_by(ROW);
    loop {
        let setting = json!({"payload": {"parts": parts}, "active": true});
        let _ = client.put("/rest/settings/parts", setting).await;
        if !server
            .service()
            .step(Imports { most: Some(1) })
            .await
            .unwrap()
        {
            server.step_clock_by(Duration::ZERO);
            return parts;
        }
        parts += 1;
        assert!(parts < 20 * ROWS, "{}", read(client, import).await);
    }
}

async fn parts_of_hosts(admin: &Client, name: &str) -> i64 {
    let fields = [
        field("text", "name"),
        field("number", "cores"),
        field("ref", "parent"),
    ];
    make_type(admin, name, &fields).await
}

/// Rows that refer to later ones, have the key of an earlier one, or are refused.
fn rows() -> String {
    let row = |row: usize| match row % 10 {
        7 => format!("host-{},1,\n", row - 1),
        8 => format!("host-{row},many,\n"),
        9 => format!("host-{row},2,nobody\n"),
        _ => format!("host-{row},3,host-{}\n", (row + 11) / 10 * 10 % ROWS),
    };
    std::iter::once("name,cores,parent\n".to_owned())
        .chain((0..ROWS).map(row))
        .collect()
}

fn plan(type_id: i64) -> Value {
    json!({
        "type_id": type_id, "key": ["name"], "policy": "skip",
        "columns": {"name": "name", "cores": "cores", "parent": {"field": "parent", "by": "name", "types": [type_id]}},
    })
}

#[apply(both)]
async fn large_objects_are_changed_a_few_at_a_time(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(
        &admin,
        "large",
        &["name", "note", "text"].map(|name| field("text", name)),
    )
    .await;
    let text = "x".repeat(800_000);
    for number in 0..LARGE {
        let name = json!(format!("large-{number}"));
        insert(
            &admin,
            type_id,
            &[
                ("name", name),
                ("note", json!("old")),
                ("text", json!(text)),
            ],
        )
        .await;
    }
    let rows: Vec<String> = (0..LARGE)
        .map(|number| format!("large-{number},new\n"))
        .collect();
    let import = upload(&admin, "large.csv", format!("name,note\n{}", rows.concat())).await;
    for dry_run in [true, false] {
        let body = json!({"type_id": type_id, "key": ["name"], "dry_run": dry_run});
        start(&admin, &import, "/run", body).await;
        assert!(
            server
                .service()
                .step(Imports { most: Some(1) })
                .await
                .unwrap()
        );
        let updated = read(&admin, &import).await["counts"]["update"]
            .as_u64()
            .unwrap();
        assert!(
            (1..LARGE as u64).contains(&updated),
            "{updated} of {LARGE} in one transaction"
        );
        server.service().finish(Imports::default()).await.unwrap();
        assert_eq!(
            counts(&read(&admin, &import).await),
            json!({"update": LARGE})
        );
    }
    let notes = values(&objects_of(&admin, type_id).await, "note");
    assert_eq!(notes, vec![json!("new"); LARGE]);
    let undone = undo(&server, &admin, &import).await;
    assert_eq!(
        counts(&undone),
        json!({"update": LARGE, "undone": LARGE}),
        "{undone}"
    );
}

#[apply(both)]
async fn an_import_beside_writes_does_what_one_alone_does(server: TestServer) {
    let admin = server.admin();
    let mut seen = Vec::new();
    for (name, is_alone) in [("alone", true), ("beside", false)] {
        let type_id = parts_of_hosts(&admin, name).await;
        let _ = insert(
            &admin,
            type_id,
            &[
                ("name", json!("host-3")),
                ("cores", json!(1)),
                ("parent", json!(null)),
            ],
        )
        .await;
        let import = upload(&admin, "hosts.csv", rows()).await;
        let mut ends = Vec::new();
        let mut dry = plan(type_id);
        dry["dry_run"] = json!(true);
        let mut again = plan(type_id);
        again["only"] = json!("failed");
        for (rest, body) in [
            ("/run", dry),
            ("/run", plan(type_id)),
            ("/run", again),
            ("/undo", json!({})),
        ] {
            start(&admin, &import, rest, body).await;
            if is_alone {
                server.advance(Duration::from_secs(1));
                server.service().finish(Imports::default()).await.unwrap();
            } else {
                let parts = run_beside_writes(&server, &admin, &import).await;
                assert!(parts > 2, "{rest} took {parts} transactions");
            }
            let end = read(&admin, &import).await;
            let objects = objects_of(&admin, type_id).await;
            let names = values(&objects, "name");
            let parents: Vec<bool> = values(&objects, "parent")
                .iter()
                .map(Value::is_null)
                .collect();
            let problems: Vec<_> = problems(&admin, &import)
                .await
                .into_iter()
                .map(|(row, _, detail)| {
                    (
                        row,
                        detail
                            .trim_end_matches(|last: char| last.is_numeric())
                            .to_owned(),
                    )
                })
                .collect();
            ends.push(json!([
                end["state"],
                counts(&end),
                end["error"],
                problems,
                names,
                parents
            ]));
        }
        seen.push(ends);
    }
    for (step, (alone, beside)) in seen[0].iter().zip(&seen[1]).enumerate() {
        for (alone, beside) in alone
            .as_array()
            .unwrap()
            .iter()
            .zip(beside.as_array().unwrap())
        {
            assert_eq!(alone, beside, "step {step}");
        }
    }
    assert_eq!(seen[0][1][0], "done");
}

#[apply(both)]
async fn what_an_earlier_run_refused_stops_no_repaired_import(server: TestServer) {
    let admin = server.admin();
    let fields = [field("text", "name"), field("date", "bought")];
    let type_id = make_type(&admin, "host", &fields).await;
    let row = |row: usize| match row {
        10 | 50 => format!("host-{row},soon\n"),
        _ => format!("host-{row},2024-05-06\n"),
    };
    let rows: Vec<String> = (0..ROWS).map(row).collect();
    let import = upload(
        &admin,
        "hosts.csv",
        format!("name,bought\n{}", rows.concat()),
    )
    .await;
    let body = |policy: &str, only: Value| json!({"type_id": type_id, "key": ["name"], "policy": policy, "only": only});
    start(&admin, &import, "/run", body("skip", Value::Null)).await;
    run_beside_writes(&server, &admin, &import).await;
    assert_eq!(
        counts(&read(&admin, &import).await),
        json!({"new": ROWS - 2, "error": 2})
    );
    let repaired = |row: usize| json!({"row": row + 2, "cells": {"bought": "2024-05-07"}});
    let repair = json!({"rows": [repaired(10), repaired(50)]});
    let _ = admin.patch(&at(&import, "/rows"), repair).await.expect(202);
    start(&admin, &import, "/run", body("stop", json!("failed"))).await;
    run_beside_writes(&server, &admin, &import).await;
    let done = read(&admin, &import).await;
    assert_eq!(
        [&done["state"], &counts(&done)],
        [&json!("done"), &json!({"new": ROWS})],
        "{done}"
    );
}

#[apply(both)]
async fn a_job_beside_writes_goes_on_in_parts(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host", &[field("text", "note")]).await;
    let mut ids = Vec::new();
    for _ in 0..ROWS {
        ids.push(insert(&admin, type_id, &[("note", json!("old"))]).await);
    }
    let body = json!({"filter": {"type_id": type_id}, "total": ROWS, "set": {"note": "new"}});
    let job = admin
        .post("/rest/objects/jobs", body)
        .await
        .expect(202)
        .member("result");
    let job = format!("/rest/objects/jobs/{}", job["id"]);
    server.step_clock_by(ROW);
    assert!(server.service().step(ObjectJobs).await.unwrap());
    server.step_clock_by(Duration::ZERO);
    let half = admin.get(&job).await.expect(200).member("result");
    let changed = half["changed"].as_u64().unwrap();
    assert_eq!(half["state"], "running", "{half}");
    assert!((1..ROWS as u64).contains(&changed), "{half}");
    server.service().finish(ObjectJobs).await.unwrap();
    let done = admin.get(&job).await.expect(200).member("result");
    assert_eq!(
        [&done["state"], &done["changed"], &done["done"]],
        [&json!("done"), &json!(ROWS), &json!(ROWS)]
    );
    for id in ids {
        assert_eq!(value(&native(&admin, id).await, "note"), "new");
    }
}
