//! Values of a field that became a password: nothing may hold them any longer, not even the free
//! pages of a database file and its log.

use axum::http::Method;
use serde_json::{Value, json};
use stockroom_service::background::ObjectJobs;
use stockroom_testkit::{Client, TestServer, apply, both, inventory};

use crate::fixture::{field, field_with, insert, make_type, patch_type, path};
use crate::imports::{at, counts, run, undo, upload};

const JOBS: &str = "/rest/objects/jobs";
/// A part of all values.
const PLAIN: &str = "hidden-7c1d";

fn readable() -> [Value; 2] {
    [field("text", "name"), field("text", "pin")]
}

fn secret() -> Value {
    json!({"fields": [field("text", "name"), field("password", "pin")]})
}

fn pin(number: usize) -> Value {
    json!(format!("{PLAIN}-{number}{}", "x".repeat(number * 7 % 900)))
}

/// Starts a job that sets the field.
async fn start_job(admin: &Client, total: usize) -> String {
    let set = json!({"pin": format!("{PLAIN}-job")});
    let body = json!({"filter": {"type_id": 1}, "total": total, "set": set});
    let job = admin.post(JOBS, body).await.expect(202);
    format!("{JOBS}/{}", job.member("result")["id"])
}

#[apply(both)]
async fn they_are_nowhere_in_the_database(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "safe", &readable()).await;
    for number in 0..150 {
        let id = insert(
            &admin,
            type_id,
            &[("name", json!("a")), ("pin", pin(number))],
        )
        .await;
        if number % 3 == 0 {
            let change = json!({"fields": [{"name": "pin", "value": pin(number + 500)}]});
            let _ = admin.patch(&path(id), change).await.expect(200);
        }
        if number % 5 == 0 {
            let _ = admin.delete(&path(id)).await.expect(200);
        }
    }
    let keyed = admin.clone().with_header("idempotency-key", "a");
    let deleted = path(2);
    let delete = || keyed.send(Method::DELETE, &deleted, &[], Vec::new());
    let _ = delete().await.expect(200);
    let import = upload(&admin, "pins.csv", format!("name,pin\nb,{PLAIN}-import\n")).await;
    let _ = run(&server, &admin, &import, json!({"type_id": type_id})).await;
    let waiting = upload(&admin, "more.csv", format!("name,pin\nc,{PLAIN}-waiting\n")).await;
    let other = upload(&admin, "other.csv", "name,place\nc,Graz\n").await;
    let job = start_job(&admin, 120).await;
    server.service().finish(ObjectJobs).await.unwrap();
    assert_eq!(
        admin.get(&job).await.expect(200).member("result")["state"],
        "done"
    );
    let _ = server.service().index_searches(1).await.unwrap();
    assert!(server.is_stored(PLAIN), "the values are found that way");

    let _ = patch_type(&admin, type_id, secret()).await.expect(202);
    // SQLite erases before the next write.
    let _ = admin
        .post("/rest/categories", json!({"name": "racks"}))
        .await
        .expect(200);
    assert!(!server.is_stored(PLAIN));
    let _ = admin.get(&job).await.expect(404);
    for gone in [&import, &waiting] {
        let _ = admin.get(&at(gone, "")).await.expect(404);
    }
    let _ = admin.get(&at(&other, "")).await.expect(200);
    let again = delete().await.expect(409);
    assert_eq!(again.header("idempotency-replayed"), "true", "{again}");
    assert!(!server.is_stored(PLAIN));
}

#[apply(both)]
async fn what_is_at_work_with_them_stops_the_change(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "safe", &readable()).await;
    let _ = insert(&admin, type_id, &[("name", json!("a")), ("pin", pin(1))]).await;
    let import = upload(&admin, "pins.csv", format!("name,pin\nb,{PLAIN}\n")).await;
    let _ = admin
        .post(&at(&import, "/run"), json!({"type_id": type_id}))
        .await
        .expect(202);
    let refused = patch_type(&admin, type_id, secret()).await.expect(400);
    assert!(refused.detail().contains("import"), "{refused}");
    let _ = admin
        .post(&at(&import, "/cancel"), json!({}))
        .await
        .expect(200);

    let job = start_job(&admin, 1).await;
    let refused = patch_type(&admin, type_id, secret()).await.expect(400);
    assert!(refused.detail().contains("job"), "{refused}");
    let _ = admin.delete(&job).await.expect(200);

    let source = json!({"name": "pins", "type_id": type_id, "columns": {"name": "name", "pin": "pin"},
            "external_key": ["pin"], "key": ["name"]});
    let source = inventory::insert(&admin, "/rest/sources", source).await;
    let refused = patch_type(&admin, type_id, secret()).await.expect(400);
    assert!(refused.detail().contains("source"), "{refused}");
    let _ = admin
        .delete(&format!("/rest/sources/{source}"))
        .await
        .expect(202);
    let _ = patch_type(&admin, type_id, secret()).await.expect(202);
}

#[apply(both)]
async fn a_new_password_field_leaves_imports_alone(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "safe", &[field("text", "name")]).await;
    let import = upload(&admin, "names.csv", "name\nb\n").await;
    let _ = run(&server, &admin, &import, json!({"type_id": type_id})).await;
    let _ = patch_type(&admin, type_id, secret()).await.expect(202);
    let _ = admin.get(&at(&import, "")).await.expect(200);
}

#[apply(both)]
async fn uploads_with_a_column_that_would_go_to_the_field_are_gone(server: TestServer) {
    let admin = server.admin();
    let labelled = field_with("text", "pin", &json!({"label": "Door code"}));
    let type_id = make_type(&admin, "safe", &[field("text", "name"), labelled]).await;
    let _ = insert(&admin, type_id, &[("name", json!("a")), ("pin", pin(1))]).await;
    let _ = patch_type(&admin, type_id, json!({"fields": readable()}))
        .await
        .expect(202);
    let mut gone = Vec::new();
    for column in ["PIN", "p-i n", "Pin:", "DOOR_CODE"] {
        gone.push(upload(&admin, "pins.csv", format!("a,{column}\nb,{PLAIN}\n")).await);
    }
    let other = upload(&admin, "pins.csv", "a,pins\nb,c\n").await;
    let _ = patch_type(&admin, type_id, secret()).await.expect(202);
    for gone in &gone {
        let _ = admin.get(&at(gone, "")).await.expect(404);
    }
    let _ = admin.get(&at(&other, "")).await.expect(200);
}

/// A type whose objects reference those of another one.
async fn make_doors(admin: &Client, safes: i64) -> i64 {
    let safe = field_with("ref", "safe", &json!({"ref_types": [safes]}));
    make_type(admin, "door", &[field("text", "name"), safe]).await
}

/// How rows of doors name safes.
fn by(field: &str) -> Value {
    json!({"name": "name", "safe": {"field": "safe", "by": field}})
}

#[apply(both)]
async fn imports_of_other_types_by_the_field_are_gone(server: TestServer) {
    let admin = server.admin();
    let safes = make_type(&admin, "safe", &readable()).await;
    let _ = insert(
        &admin,
        safes,
        &[("name", json!("a")), ("pin", json!(PLAIN))],
    )
    .await;
    let doors = make_doors(&admin, safes).await;
    let file = format!("name,safe\nfront,{PLAIN}\n");
    let by_pin = upload(&admin, "doors.csv", file.clone()).await;
    let by_name = upload(&admin, "doors.csv", "name,safe\nback,a\n").await;
    for (import, by) in [(&by_pin, by("pin")), (&by_name, by("name"))] {
        let done = run(
            &server,
            &admin,
            import,
            json!({"type_id": doors, "columns": by}),
        )
        .await;
        assert_eq!(counts(&done), json!({"new": 1}), "{done}");
    }
    let running = upload(&admin, "doors.csv", file).await;
    let body = json!({"type_id": doors, "columns": by("pin")});
    let _ = admin.post(&at(&running, "/run"), body).await.expect(202);
    let refused = patch_type(&admin, safes, secret()).await.expect(400);
    assert!(refused.detail().contains("import"), "{refused}");
    let _ = admin
        .post(&at(&running, "/cancel"), json!({}))
        .await
        .expect(200);
    let _ = patch_type(&admin, safes, secret()).await.expect(202);
    // By name, rows may have named them by lines with the field.
    for gone in [&by_pin, &by_name, &running] {
        let _ = admin.get(&at(gone, "")).await.expect(404);
    }
}

#[apply(both)]
async fn imports_and_sources_that_name_objects_by_summary_lines_hold_them_too(server: TestServer) {
    let admin = server.admin();
    let safes = make_type(&admin, "safe", &readable()).await;
    let summary = json!({"render_meta": {"summary": {"fields": ["name", "pin"]}}});
    let _ = patch_type(&admin, safes, summary).await.expect(202);
    let _ = insert(
        &admin,
        safes,
        &[("name", json!("a")), ("pin", json!(PLAIN))],
    )
    .await;
    let doors = make_doors(&admin, safes).await;
    let file = format!("name,safe\nfront,a | {PLAIN}\n");
    let import = upload(&admin, "doors.csv", file.clone()).await;
    let body = json!({"type_id": doors, "columns": by("name")});
    let done = run(&server, &admin, &import, body).await;
    assert_eq!(counts(&done), json!({"new": 1}), "{done}");
    let source =
        json!({"name": "doors", "type_id": doors, "columns": by("name"), "external_key": ["safe"]});
    let (path, by_source) = source_with_link(&server, source, &file.replace("front", "back")).await;
    let waiting = upload(&admin, "doors.csv", file).await;
    refused_for(&admin, safes, "doors").await;
    // Without lines, the key may stay.
    let _ = undo(&server, &admin, &by_source).await;
    let _ = patch_type(&admin, safes, secret()).await.expect(202);
    for gone in [&import, &by_source, &waiting] {
        let _ = admin.get(&at(gone, "")).await.expect(404);
    }
    let _ = admin.get(&path).await.expect(200);
    let _ = admin
        .post("/rest/categories", json!({"name": "racks"}))
        .await
        .expect(200);
    assert!(!server.is_stored(PLAIN));
}

/// A source, and the import of a record by it.
async fn source_with_link(server: &TestServer, source: Value, file: &str) -> (String, Value) {
    let admin = server.admin();
    let id = inventory::insert(&admin, "/rest/sources", source.clone()).await;
    let import = upload(&admin, "records.csv", file).await;
    let done = run(server, &admin, &import, json!({"source": source["name"]})).await;
    assert_eq!(counts(&done), json!({"new": 1}), "{done}");
    (format!("/rest/sources/{id}"), import)
}

async fn refused_for(admin: &Client, type_id: i64, source: &str) {
    let refused = patch_type(admin, type_id, secret()).await.expect(400);
    assert!(
        refused.detail().contains(&format!("source {source:?}")),
        "{refused}"
    );
}

#[apply(both)]
async fn links_by_a_column_that_went_to_the_field_stop_the_change(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "safe", &readable()).await;
    let both = json!({"name": "name", "pin": {"field": "pin"}});
    let source =
        json!({"name": "pins", "type_id": type_id, "columns": both, "external_key": ["pin"]});
    let file = format!("name,pin\na,{PLAIN}\n");
    let (path, import) = source_with_link(&server, source, &file).await;
    let _ = admin
        .patch(&path, json!({"columns": {"name": "name", "pin": null}}))
        .await
        .expect(202);
    refused_for(&admin, type_id, "pins").await;
    // Restored, it has no links.
    let _ = admin.delete(&path).await.expect(202);
    let _ = admin
        .post(&format!("{path}/restore"), json!({}))
        .await
        .expect(202);
    let _ = patch_type(&admin, type_id, secret()).await.expect(202);
    let _ = admin.get(&at(&import, "")).await.expect(404);
    let _ = admin
        .post("/rest/categories", json!({"name": "racks"}))
        .await
        .expect(200);
    assert!(!server.is_stored(PLAIN));
}

#[apply(both)]
async fn a_source_without_links_does_not_stop_the_change(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "safe", &readable()).await;
    let both = json!({"name": "name", "pin": "pin"});
    let source =
        json!({"name": "pins", "type_id": type_id, "columns": both, "external_key": ["pin"]});
    let file = format!("name,pin\na,{PLAIN}\n");
    let (path, import) = source_with_link(&server, source, &file).await;
    let undone = undo(&server, &admin, &import).await;
    assert_eq!(undone["state"], "undone", "{undone}");
    let _ = admin
        .patch(&path, json!({"columns": {"name": "name", "pin": null}}))
        .await
        .expect(202);
    let _ = patch_type(&admin, type_id, secret()).await.expect(202);
}

#[apply(both)]
async fn links_by_references_that_name_the_field_stop_the_change(server: TestServer) {
    let admin = server.admin();
    let safes = make_type(&admin, "safe", &readable()).await;
    let _ = insert(
        &admin,
        safes,
        &[("name", json!("a")), ("pin", json!(PLAIN))],
    )
    .await;
    let doors = make_doors(&admin, safes).await;
    let source =
        json!({"name": "doors", "type_id": doors, "columns": by("pin"), "external_key": ["safe"]});
    let file = format!("name,safe\nfront,{PLAIN}\n");
    let (path, _) = source_with_link(&server, source, &file).await;
    refused_for(&admin, safes, "doors").await;
    let _ = admin
        .patch(&path, json!({"columns": by("name")}))
        .await
        .expect(202);
    refused_for(&admin, safes, "doors").await;
    let _ = admin.delete(&path).await.expect(202);
    let _ = patch_type(&admin, safes, secret()).await.expect(202);
}

#[apply(both)]
async fn copies_under_a_former_name_are_gone(server: TestServer) {
    let admin = server.admin();
    let code = [
        field("text", "name"),
        field_with("text", "code", &json!({"label": "Door code"})),
    ];
    let safes = make_type(&admin, "safe", &code).await;
    let _ = insert(
        &admin,
        safes,
        &[("name", json!("a")), ("code", json!(PLAIN))],
    )
    .await;
    let doors = make_doors(&admin, safes).await;
    let by_code = upload(&admin, "doors.csv", format!("name,safe\nfront,{PLAIN}\n")).await;
    let _ = run(
        &server,
        &admin,
        &by_code,
        json!({"type_id": doors, "columns": by("code")}),
    )
    .await;
    let mut gone = vec![by_code];
    for column in ["Code", "door code"] {
        gone.push(upload(&admin, "codes.csv", format!("a,{column}\nb,{PLAIN}\n")).await);
    }
    let job = json!({"filter": {"fields.code": PLAIN}, "total": 1, "set": {"name": "b"}});
    let job = admin.post(JOBS, job).await.expect(202);
    let job = format!("{JOBS}/{}", job.member("result")["id"]);
    server.service().finish(ObjectJobs).await.unwrap();
    let columns = json!({"name": "name", "number": "code"});
    let source =
        json!({"name": "codes", "type_id": safes, "columns": columns, "external_key": ["number"]});
    let (path, _) = source_with_link(&server, source, &format!("name,number\nc,{PLAIN}-c\n")).await;
    let _ = admin
        .patch(&path, json!({"columns": {"name": "name", "number": null}}))
        .await
        .expect(202);

    let renamed = field_with("text", "pin", &json!({"renamed_from": "code"}));
    let renamed = json!({"fields": [field("text", "name"), renamed]});
    let _ = patch_type(&admin, safes, renamed).await.expect(202);
    refused_for(&admin, safes, "codes").await;
    let _ = admin.delete(&path).await.expect(202);
    let _ = patch_type(&admin, safes, secret()).await.expect(202);
    for gone in &gone {
        let _ = admin.get(&at(gone, "")).await.expect(404);
    }
    let _ = admin.get(&job).await.expect(404);
    let _ = admin
        .post("/rest/categories", json!({"name": "racks"}))
        .await
        .expect(200);
    assert!(!server.is_stored(PLAIN));
}

#[apply(both)]
async fn a_field_that_never_held_a_value_leaves_nothing_to_erase(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "safe", &readable()).await;
    let _ = insert(
        &admin,
        type_id,
        &[("name", json!("a")), ("pin", json!(null))],
    )
    .await;
    let _ = patch_type(&admin, type_id, secret()).await.expect(202);
    assert!(!server.is_stored("erasure_due"));
    let again = make_type(&admin, "safe-2", &readable()).await;
    let _ = insert(
        &admin,
        again,
        &[("name", json!("a")), ("pin", json!(PLAIN))],
    )
    .await;
    let _ = patch_type(&admin, again, secret()).await.expect(202);
    let _ = admin
        .post("/rest/categories", json!({"name": "racks"}))
        .await
        .expect(200);
    assert!(!server.is_stored(PLAIN));
}

#[apply(both)]
async fn files_that_were_for_the_type_before_are_gone(server: TestServer) {
    let admin = server.admin();
    let safes = make_type(&admin, "safe", &readable()).await;
    let rooms = make_type(&admin, "room", &[field("text", "title")]).await;
    let doors = make_doors(&admin, safes).await;
    for first in [
        json!({"type_id": safes, "columns": {"a": "name", "b": "pin"}}),
        json!({"type_id": doors, "columns": {"b": {"field": "safe", "by": "pin"}}}),
    ] {
        let import = upload(&admin, "a.csv", format!("a,b\nx,{PLAIN}\n")).await;
        for mut body in [
            first.clone(),
            json!({"type_id": rooms, "columns": {"a": "title"}}),
        ] {
            body["dry_run"] = json!(true);
            body["policy"] = json!("skip");
            let _ = run(&server, &admin, &import, body).await;
        }
        patch_type(&admin, safes, secret()).await;
        let _ = admin.get(&at(&import, "")).await.expect(404);
        patch_type(&admin, safes, json!({"fields": [field("text", "name")]})).await;
        patch_type(&admin, safes, json!({"fields": readable()})).await;
    }
}

#[apply(both)]
async fn a_file_that_waits_for_its_source_is_gone(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "safe", &readable()).await;
    let source = json!({"name": "keys", "type_id": type_id, "columns": {"Code": "pin", "Name": "name"}, "key": ["name"]});
    let _ = admin.post("/rest/sources", source).await.expect(201);
    let import = upload(&admin, "keys.csv", format!("Name,Code\nx,{PLAIN}\n")).await;
    let other = upload(&admin, "other.csv", "Name,Place\nx,y\n").await;
    patch_type(&admin, type_id, secret()).await;
    let _ = admin.get(&at(&import, "")).await.expect(404);
    let _ = admin.get(&at(&other, "")).await.expect(200);
}

#[apply(both)]
async fn the_answer_of_the_change_itself_keeps_none(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "safe", &readable()).await;
    let id = insert(&admin, type_id, &[("name", json!("a")), ("pin", pin(1))]).await;
    let batch = json!({"operations": [
        {"method": "PATCH", "path": format!("/objects/{id}"), "body": {"version": "2.0.0"}},
        {"method": "PATCH", "path": format!("/types/{type_id}"), "body": secret()},
    ]});
    let keyed = admin.clone().with_header("idempotency-key", "both");
    let _ = keyed.post("/rest/batch", batch.clone()).await.expect(200);
    let again = keyed.unchecked().post("/rest/batch", batch).await;
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert!(
        !String::from_utf8_lossy(&again.body).contains(PLAIN),
        "{again}"
    );
    assert!(!server.is_stored(PLAIN));
}
