//! Imports that are bound to a source (`docs/guide/src/sources.md`).

use std::time::Duration;

use serde_json::{Value, json};
use stockroom_service::background::Imports;
use stockroom_testkit::inventory;
use stockroom_testkit::{Client, TestServer, apply, both};

use crate::fixture::{field, field_with, insert, make_type, native, path, value};
use crate::imports::{
    at, counts, lines, objects_of, problems, read, run, undo, upload, values, values_of_ids,
};

pub(crate) const SOURCES: &str = "/rest/sources";

/// A type of hosts, and a source of them by the column `uuid`, which goes to no field.
pub(crate) async fn hosts(admin: &Client, more: Value) -> (i64, i64) {
    let fields = [
        field("text", "name"),
        field("text", "note"),
        field("ref", "other"),
    ];
    let type_id = make_type(admin, "host", &fields).await;
    (type_id, source(admin, type_id, more).await)
}

async fn source(admin: &Client, type_id: i64, more: Value) -> i64 {
    let mut body = json!({
        "name": "vcenter", "type_id": type_id, "columns": {"name": "name"},
        "external_key": ["uuid"], "missing": "flag", "missing_limit": 100,
    });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    inventory::insert(admin, SOURCES, body).await
}

/// Imports a file by a source.
pub(crate) async fn sync(server: &TestServer, client: &Client, file: &str) -> Value {
    sync_with(server, client, file, json!({})).await
}

async fn sync_with(server: &TestServer, client: &Client, file: &str, more: Value) -> Value {
    let import = upload(client, "hosts.csv", file).await;
    let mut body = more;
    body["source"] = json!("vcenter");
    run(server, client, &import, body).await
}

/// The objects of a source: their ids, the keys of their records, and whether these are missing.
pub(crate) async fn links(client: &Client, source: i64) -> Vec<(i64, String, bool)> {
    let links = client
        .get(&format!("{SOURCES}/{source}/objects"))
        .await
        .expect(200);
    let link = |link: &Value| {
        let key = link["external_key"].as_array().unwrap();
        let key: Vec<&str> = key.iter().map(|text| text.as_str().unwrap()).collect();
        (
            link["object_id"].as_i64().unwrap(),
            key.join("/"),
            link["missing_since"].is_string(),
        )
    };
    links
        .member("results")
        .as_array()
        .unwrap()
        .iter()
        .map(link)
        .collect()
}

async fn names(client: &Client, type_id: i64) -> Vec<Value> {
    values(&objects_of(client, type_id).await, "name")
}

/// What an import says of missing records: objects, statuses and first reasons.
pub(crate) async fn missing(client: &Client, import: &Value) -> Vec<(i64, String, String)> {
    let found = client
        .get(&at(import, "/missing"))
        .await
        .expect(200)
        .member("results");
    let row = |row: &Value| {
        let reason = row["problems"]
            .get(0)
            .map(|problem| problem["detail"].clone());
        let reason = reason
            .unwrap_or_default()
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let status = row["status"].as_str().unwrap().to_owned();
        (row["object"].as_i64().unwrap(), status, reason)
    };
    found.as_array().unwrap().iter().map(row).collect()
}

#[apply(both)]
async fn records_keep_their_objects(server: TestServer) {
    let admin = server.admin();
    let (type_id, source) = hosts(&admin, json!({})).await;
    let first = sync(
        &server,
        &admin,
        "uuid,name,extra\nu1,web,x\nu2,db,x\nu3,mail,x\n",
    )
    .await;
    assert_eq!(
        [&first["state"], &counts(&first)],
        [&json!("done"), &json!({"new": 3})],
        "{first}"
    );
    assert_eq!(
        first["plan"]["source"],
        json!({"public_id": source, "name": "vcenter"})
    );
    let ids = values_of_ids(&objects_of(&admin, type_id).await);
    let by_hand = json!({"fields": [{"name": "name", "value": "renamed"}, {"name": "note", "value": "mine"}]});
    let _ = admin.patch(&path(ids[0]), by_hand).await.expect(200);
    let _ = admin.delete(&path(ids[1])).await.expect(200);
    // Web is renamed in the source, db was deleted by hand, mail is missing, and one is new.
    let second = sync(&server, &admin, "uuid,name\nu1,web-2\nu2,db\nu4,new\n").await;
    assert_eq!(
        counts(&second),
        json!({"update": 1, "new": 2, "missing": 1}),
        "{second}"
    );
    let web = native(&admin, ids[0]).await;
    assert_eq!(
        [value(&web, "name"), value(&web, "note")],
        [&json!("web-2"), &json!("mine")]
    );
    let objects = objects_of(&admin, type_id).await;
    assert_eq!(values(&objects, "name"), ["web-2", "mail", "db", "new"]);
    let new = values_of_ids(&objects);
    let expected = [
        (ids[0], "u1", false),
        (ids[2], "u3", true),
        (new[2], "u2", false),
        (new[3], "u4", false),
    ];
    let expected = expected.map(|(id, key, is_missing)| (id, key.to_owned(), is_missing));
    assert_eq!(links(&admin, source).await, expected);
    assert_eq!(
        missing(&admin, &second).await,
        [(ids[2], "missing".to_owned(), String::new())]
    );
    let known = admin
        .get(&format!("{SOURCES}/{source}"))
        .await
        .expect(200)
        .member("result");
    assert_eq!(
        [&known["linked_objects"], &known["missing_objects"]],
        [4, 1]
    );
    assert_eq!(known["last_import"], second["id"]);
    let only = admin
        .get(&format!("{SOURCES}/{source}/objects?missing=true"))
        .await
        .expect(200);
    assert_eq!(only.member("results").as_array().unwrap().len(), 1);
    let third = sync(
        &server,
        &admin,
        "uuid,name\nu1,web-2\nu2,db\nu3,mail\nu4,new\n",
    )
    .await;
    assert_eq!(counts(&third), json!({"unchanged": 4}), "{third}");
    assert!(
        links(&admin, source)
            .await
            .iter()
            .all(|(_, _, is_missing)| !is_missing)
    );
    let first_page = admin
        .get(&format!("{SOURCES}/{source}/objects?limit=3&after="))
        .await
        .expect(200);
    let after = first_page.member("pager")["after"]
        .as_str()
        .unwrap()
        .to_owned();
    let rest = admin
        .get(&format!("{SOURCES}/{source}/objects?limit=3&after={after}"))
        .await
        .expect(200);
    assert_eq!(rest.member("results").as_array().unwrap().len(), 1);
}

#[apply(both)]
async fn an_object_lists_its_sources(server: TestServer) {
    let admin = server.admin();
    let (type_id, vcenter) = hosts(&admin, json!({"missing": "deactivate"})).await;
    let racks = source(&admin, type_id, json!({"name": "racks", "key": ["name"]})).await;
    let _ = sync(&server, &admin, "uuid,name\nu1,web\nu2,db\n").await;
    let import = upload(&admin, "hosts.csv", "uuid,name\nr7,db\n").await;
    let by_racks = run(&server, &admin, &import, json!({"source": "racks"})).await;
    let last = sync(&server, &admin, "uuid,name\nu1,web\n").await;
    let ids = values_of_ids(&objects_of(&admin, type_id).await);
    let expected = [
        json!({"source_id": vcenter, "source_name": "vcenter", "external_key": ["u2"], "deactivated": true, "last_import": last["id"]}),
        json!({"source_id": racks, "source_name": "racks", "external_key": ["r7"], "deactivated": false, "last_import": by_racks["id"]}),
    ];
    let of_db = format!("{}/sources", path(ids[1]));
    let found = admin.get(&of_db).await.expect(200).member("results");
    let found = found.as_array().unwrap();
    assert_eq!(found.len(), 2);
    for (found, expected) in found.iter().zip(&expected) {
        for (member, value) in expected.as_object().unwrap() {
            assert_eq!(found[member], *value, "{found}");
        }
        // The rest is as in the list of the source.
        let links = admin
            .get(&format!("{SOURCES}/{}/objects", found["source_id"]))
            .await
            .expect(200);
        let links = links.member("results");
        let link = links
            .as_array()
            .unwrap()
            .iter()
            .find(|link| link["object_id"] == ids[1])
            .unwrap();
        for (member, value) in link.as_object().unwrap() {
            assert_eq!(found[member], *value, "{found}");
        }
    }
    let missing = json!({"filter": {"missing_since": {"$ne": null}}});
    let missing = admin
        .post(&format!("{of_db}/query"), missing)
        .await
        .expect(200);
    assert_eq!(
        [
            missing.member("total"),
            missing.member("results")[0]["source_id"].clone()
        ],
        [json!(1), json!(vcenter)]
    );
    let by_hand = insert(
        &admin,
        type_id,
        &[
            ("name", json!("mail")),
            ("note", json!(null)),
            ("other", json!(null)),
        ],
    )
    .await;
    let none = admin
        .get(&format!("{}/sources", path(by_hand)))
        .await
        .expect(200);
    assert_eq!(none.member("total"), 0);
    let _ = admin
        .delete(&format!("{SOURCES}/{racks}"))
        .await
        .expect(202);
    assert_eq!(admin.get(&of_db).await.expect(200).member("total"), 1);
    let viewer = server
        .user_with(&["base.framework.object.view"])
        .await
        .client;
    assert_eq!(viewer.get(&of_db).await.status, 403);
    let _ = admin.delete(&path(ids[1])).await.expect(200);
    assert_eq!(admin.get(&of_db).await.status, 404);
    let listed = admin.get(SOURCES).await.expect(200).member("results")[0].clone();
    assert_eq!(
        [&listed["linked_objects"], &listed["missing_objects"]],
        [1, 0],
        "{listed}"
    );
}

#[apply(both)]
async fn unknown_records_adopt_the_objects_that_their_key_fits(server: TestServer) {
    let admin = server.admin();
    let (type_id, source) = hosts(&admin, json!({"key": ["name"], "policy": "skip"})).await;
    let web = insert(
        &admin,
        type_id,
        &[
            ("name", json!("web")),
            ("note", json!("old")),
            ("other", json!(null)),
        ],
    )
    .await;
    let done = sync(&server, &admin, "uuid,name\nu1,web\nu2,\n").await;
    assert_eq!(counts(&done), json!({"unchanged": 1, "new": 1}), "{done}");
    let second = values_of_ids(&objects_of(&admin, type_id).await)[1];
    assert_eq!(
        links(&admin, source).await,
        [
            (web, "u1".to_owned(), false),
            (second, "u2".to_owned(), false)
        ]
    );
    // Both records are there, so one object cannot be both.
    let done = sync(&server, &admin, "uuid,name\nu1,web\nu2,\nu3,web\n").await;
    assert_eq!(counts(&done), json!({"unchanged": 2, "error": 1}), "{done}");
    let (_, _, detail) = &problems(&admin, &done).await[0];
    assert_eq!(
        *detail,
        format!("object {web}, which its key fits, belongs to the record [\"u1\"] of the source")
    );
    // The record was made again in the source.
    let done = sync(&server, &admin, "uuid,name\nu2,\nu3,web\n").await;
    assert_eq!(counts(&done), json!({"unchanged": 2}), "{done}");
    assert_eq!(
        links(&admin, source).await[0],
        (web, "u3".to_owned(), false)
    );
}

#[apply(both)]
async fn two_rows_of_a_record_are_duplicates(server: TestServer) {
    let admin = server.admin();
    let (type_id, source) = hosts(
        &admin,
        json!({"external_key": ["dc", "uuid"], "policy": "skip"}),
    )
    .await;
    let long = "x".repeat(1_100);
    let file = format!("uuid,name,dc\n1,a,north\n1,b,north\n1,c,south\n,d,south\n{long},e,south\n");
    let done = sync(&server, &admin, &file).await;
    assert_eq!(
        counts(&done),
        json!({"new": 2, "duplicate": 1, "error": 2}),
        "{done}"
    );
    assert_eq!(names(&admin, type_id).await, ["a", "c"]);
    let keys: Vec<String> = links(&admin, source)
        .await
        .into_iter()
        .map(|(_, key, _)| key)
        .collect();
    assert_eq!(keys, ["north/1", "south/1"]);
    assert_eq!(
        problems(&admin, &done).await[0].2,
        "has the same key as row 2"
    );
}

#[apply(both)]
async fn missing_records_deactivate_their_objects_until_they_return(server: TestServer) {
    let admin = server.admin();
    let (type_id, source) = hosts(&admin, json!({"missing": "deactivate"})).await;
    let first = sync(&server, &admin, "uuid,name\nu1,a\nu2,b\nu3,c\n").await;
    let ids = values_of_ids(&objects_of(&admin, type_id).await);
    // Somebody has made this one inactive, so its return does not make it active.
    let _ = admin
        .put(&format!("{}/state", path(ids[2])), json!(false))
        .await
        .expect(200);
    let second = sync(&server, &admin, "uuid,name\nu1,a\n").await;
    assert_eq!(
        counts(&second),
        json!({"unchanged": 1, "missing": 2}),
        "{second}"
    );
    let active = async |id: i64| native(&admin, id).await["active"].clone();
    assert_eq!(
        [
            active(ids[0]).await,
            active(ids[1]).await,
            active(ids[2]).await
        ],
        [true, false, false]
    );
    let third = sync(&server, &admin, "uuid,name\nu1,a\nu2,b\nu3,c\n").await;
    assert_eq!(
        counts(&third),
        json!({"unchanged": 2, "update": 1}),
        "{third}"
    );
    assert_eq!([active(ids[1]).await, active(ids[2]).await], [true, false]);
    let undone = undo(&server, &admin, &third).await;
    assert_eq!(
        [&undone["state"], &undone["counts"]["undone"]],
        [&json!("undone"), &json!(1)],
        "{undone}"
    );
    assert_eq!(active(ids[1]).await, false);
    assert_eq!(
        links(&admin, source).await[1],
        (ids[1], "u2".to_owned(), true)
    );
    // The undo before has changed b, but to what the import had left.
    let undone = undo(&server, &admin, &second).await;
    assert_eq!(
        counts(&undone),
        json!({"unchanged": 1, "missing": 2, "undone": 2}),
        "{undone}"
    );
    assert_eq!(active(ids[1]).await, true);
    let expected = [
        (ids[0], "u1", false),
        (ids[1], "u2", false),
        (ids[2], "u3", false),
    ];
    assert_eq!(
        links(&admin, source).await,
        expected.map(|(id, key, is_missing)| (id, key.to_owned(), is_missing))
    );
    let _ = undo(&server, &admin, &first).await;
    assert_eq!(names(&admin, type_id).await, ["c"], "it was changed since");
    assert_eq!(links(&admin, source).await.len(), 1);
}

#[apply(both)]
async fn missing_records_delete_their_objects_unless_others_refer_to_them(server: TestServer) {
    let admin = server.admin();
    let (type_id, source) = hosts(&admin, json!({"missing": "delete"})).await;
    let _ = sync(&server, &admin, "uuid,name\nu1,a\nu2,b\nu3,c\nu4,d\n").await;
    let ids = values_of_ids(&objects_of(&admin, type_id).await);
    let refer = |to: i64| json!({"fields": [{"name": "other", "value": to}]});
    // B is missing and c, which refers to it, too; d is referred to by one that stays.
    let _ = admin.patch(&path(ids[2]), refer(ids[1])).await.expect(200);
    let _ = admin.patch(&path(ids[0]), refer(ids[3])).await.expect(200);
    let second = sync(&server, &admin, "uuid,name\nu1,a\n").await;
    assert_eq!(
        counts(&second),
        json!({"unchanged": 1, "missing": 2, "kept": 1}),
        "{second}"
    );
    assert_eq!(names(&admin, type_id).await, ["a", "d"]);
    let kept = (
        ids[3],
        "kept".to_owned(),
        format!("references: referenced by {}", ids[0]),
    );
    assert!(
        missing(&admin, &second).await.contains(&kept),
        "{:?}",
        missing(&admin, &second).await
    );
    assert_eq!(
        links(&admin, source).await,
        [
            (ids[0], "u1".to_owned(), false),
            (ids[3], "u4".to_owned(), true)
        ]
    );
    let undone = undo(&server, &admin, &second).await;
    assert_eq!(
        counts(&undone),
        json!({"unchanged": 1, "missing": 2, "undone": 3}),
        "{undone}"
    );
    let objects = objects_of(&admin, type_id).await;
    assert_eq!(
        values_of_ids(&objects),
        ids,
        "they come back under their ids"
    );
    assert_eq!(value(&objects[2], "other"), &json!(ids[1]));
    let expected: Vec<(i64, String, bool)> = (1..)
        .zip(&ids)
        .map(|(number, id)| (*id, format!("u{number}"), false))
        .collect();
    assert_eq!(links(&admin, source).await, expected);
}

#[apply(both)]
async fn a_truncated_file_touches_nothing(server: TestServer) {
    let admin = server.admin();
    let (type_id, source) = hosts(&admin, json!({"missing": "delete", "missing_limit": 25})).await;
    let _ = sync(&server, &admin, "uuid,name\nu1,a\nu2,b\nu3,c\nu4,d\n").await;
    let second = sync(&server, &admin, "uuid,name\nu1,a\nu2,b\nu5,e\nu6,f\n").await;
    assert_eq!(second["state"], "failed", "{second}");
    let error = second["error"].as_str().unwrap();
    assert!(
        error.starts_with("2 of 4 known objects are missing from the file"),
        "{error}"
    );
    assert_eq!(
        counts(&second),
        json!({"unchanged": 2, "new": 2}),
        "the rows are written"
    );
    assert_eq!(names(&admin, type_id).await.len(), 6);
    assert!(
        links(&admin, source)
            .await
            .iter()
            .all(|(_, _, is_missing)| !is_missing)
    );
    // Once the limit is higher, the rest of the import follows.
    let _ = admin
        .patch(&format!("{SOURCES}/{source}"), json!({"missing_limit": 50}))
        .await
        .expect(202);
    let again = run(
        &server,
        &admin,
        &second,
        json!({"source": source, "only": "failed"}),
    )
    .await;
    assert_eq!(
        [&again["state"], &again["counts"]["missing"]],
        [&json!("done"), &json!(2)],
        "{again}"
    );
    assert_eq!(names(&admin, type_id).await, ["a", "b", "e", "f"]);
    let undone = undo(&server, &admin, &second).await;
    assert_eq!(undone["state"], "undone", "{undone}");
    assert_eq!(names(&admin, type_id).await, ["a", "b", "c", "d"]);
}

#[apply(both)]
async fn an_object_that_another_record_takes_over_is_not_missing(server: TestServer) {
    let admin = server.admin();
    let first: Vec<String> = (1..6)
        .map(|number| format!("u{number},n{number}\n"))
        .collect();
    let first = first.concat();
    let next = "uuid,name\nu1,n1\nu2,n2\nu3,n3\nu9,n4\n";
    for (policy, dry_run) in [("all", true), ("skip", true), ("all", false)] {
        let name = format!("{policy}_{dry_run}");
        let type_id = make_type(&admin, &name, &[field("text", "name")]).await;
        let more = json!({
            "name": name, "policy": policy, "key": ["name"], "missing": "deactivate",
            "missing_limit": 20,
        });
        let source = source(&admin, type_id, more).await;
        let bound = json!({"source": name});
        let import = upload(&admin, "hosts.csv", format!("uuid,name\n{first}")).await;
        let _ = run(&server, &admin, &import, bound.clone()).await;
        let import = upload(&admin, "hosts.csv", next).await;
        let mut body = bound;
        body["dry_run"] = json!(dry_run);
        let done = run(&server, &admin, &import, body).await;
        assert_eq!(done["error"], json!(null), "{done}");
        assert_eq!(
            counts(&done),
            json!({"unchanged": 4, "missing": 1}),
            "{name}"
        );
        if !dry_run {
            let missing: Vec<bool> = links(&admin, source)
                .await
                .iter()
                .map(|link| link.2)
                .collect();
            assert_eq!(missing, [false, false, false, false, true]);
        }
    }
}

/// Imports a record, then a file without rows. Returns the source and the second import.
async fn import_without_rows(server: &TestServer, admin: &Client, source: Value) -> (i64, Value) {
    let (_, source) = hosts(admin, source).await;
    let _ = sync(server, admin, "uuid,name\nu1,a\n").await;
    let empty = sync(server, admin, "uuid,name\n").await;
    assert_eq!(
        [&empty["state"], &counts(&empty)],
        [&json!("done"), &json!({"missing": 1})],
        "{empty}"
    );
    assert!(links(admin, source).await[0].2);
    (source, empty)
}

#[apply(both)]
async fn a_file_without_rows_has_all_records_missing(server: TestServer) {
    let admin = server.admin();
    let (source, empty) = import_without_rows(&server, &admin, json!({})).await;
    let undone = undo(&server, &admin, &empty).await;
    assert_eq!(
        [&undone["state"], &undone["counts"]["undone"]],
        [&json!("undone"), &json!(1)],
        "{undone}"
    );
    assert!(!links(&admin, source).await[0].2);
}

#[apply(both)]
async fn a_file_without_rows_is_imported_as_a_whole(server: TestServer) {
    let source = json!({"policy": "all"});
    let _ = import_without_rows(&server, &server.admin(), source).await;
}

#[apply(both)]
async fn a_dry_run_tells_what_would_be_missing(server: TestServer) {
    let admin = server.admin();
    let (type_id, source) = hosts(&admin, json!({"missing": "delete", "missing_limit": 60})).await;
    let _ = sync(&server, &admin, "uuid,name\nu1,a\nu2,b\nu3,c\n").await;
    let before = (
        objects_of(&admin, type_id).await,
        links(&admin, source).await,
    );
    let ids = values_of_ids(&before.0);
    let refer = json!({"fields": [{"name": "other", "value": ids[1]}]});
    let _ = admin.patch(&path(ids[0]), refer).await.expect(200);
    let checked = sync_with(
        &server,
        &admin,
        "uuid,name\nu1,x\nu4,y\nu3,c\n",
        json!({"dry_run": true}),
    )
    .await;
    assert_eq!(
        [&checked["state"], &checked["error"]],
        [&json!("checked"), &json!(null)]
    );
    assert_eq!(
        counts(&checked),
        json!({"update": 1, "new": 1, "unchanged": 1, "kept": 1}),
        "{checked}"
    );
    assert_eq!(
        missing(&admin, &checked).await,
        [(
            ids[1],
            "kept".to_owned(),
            format!("references: referenced by {}", ids[0])
        )]
    );
    let checked = sync_with(
        &server,
        &admin,
        "uuid,name\nu4,y\n",
        json!({"dry_run": true}),
    )
    .await;
    assert!(
        checked["error"]
            .as_str()
            .unwrap()
            .starts_with("3 of 3 known objects"),
        "{checked}"
    );
    assert_eq!(
        checked["counts"]["missing"], 3,
        "b can go with a, which refers to it"
    );
    assert_eq!(links(&admin, source).await, before.1);
    assert_eq!(names(&admin, type_id).await, ["a", "b", "c"]);
    let _ = admin
        .patch(&format!("{SOURCES}/{source}"), json!({"policy": "all"}))
        .await
        .expect(202);
    let refused = sync(&server, &admin, "uuid,name\nu4,y\n").await;
    assert_eq!(refused["state"], "checked", "all or nothing: {refused}");
    assert_eq!(names(&admin, type_id).await, ["a", "b", "c"]);
    let done = sync(&server, &admin, "uuid,name\nu1,a\nu2,b\n").await;
    assert_eq!(
        [&done["state"], &counts(&done)],
        [&json!("done"), &json!({"unchanged": 2, "missing": 1})],
        "{done}"
    );
    assert_eq!(names(&admin, type_id).await, ["a", "b"]);
}

#[apply(both)]
async fn a_source_has_one_running_import(server: TestServer) {
    let admin = server.admin();
    let (type_id, _) = hosts(&admin, json!({"missing": "delete"})).await;
    let body = json!({"source": "vcenter"});
    let first = upload(&admin, "hosts.csv", "uuid,name\nu1,a\nu2,b\n").await;
    let second = upload(&admin, "hosts.csv", "uuid,name\nu1,a\nu2,b\n").await;
    let start = admin.post(&at(&first, "/run"), body.clone()).await;
    let _ = start.expect(202);
    let refused = admin.post(&at(&second, "/run"), body.clone()).await;
    assert_eq!(refused.expect(400).pointers(), ["/source"]);
    server.service().finish(Imports::default()).await.unwrap();
    let first = read(&admin, &first).await;
    assert_eq!(counts(&first), json!({"new": 2}), "{first}");
    let second = run(&server, &admin, &second, body).await;
    assert_eq!(counts(&second), json!({"unchanged": 2}), "{second}");
    assert_eq!(names(&admin, type_id).await, ["a", "b"]);
}

#[apply(both)]
async fn records_that_another_import_has_seen_since_are_not_missing(server: TestServer) {
    let admin = server.admin();
    let fields = [
        field("text", "name"),
        field_with("text", "serial", &json!({"regex": "SN-[0-9]+"})),
    ];
    let type_id = make_type(&admin, "host", &fields).await;
    let columns = json!({"name": "name", "serial": "serial"});
    let more =
        json!({"columns": columns, "missing": "delete", "policy": "skip", "missing_limit": 60});
    let _ = source(&admin, type_id, more).await;
    let whole = "uuid,name,serial\nu1,a,SN-1\nu2,b,SN-2\nu3,c,SN-3\n";
    let _ = sync(&server, &admin, whole).await;
    let monday = sync(&server, &admin, &format!("{whole}u4,d,wrong\n")).await;
    // Cut off: more are missing than the limit allows.
    let tuesday = sync(&server, &admin, "uuid,name,serial\nu1,a,SN-1\n").await;
    assert_eq!(tuesday["state"], "failed", "{tuesday}");
    let repair = json!({"rows": [{"row": 5, "cells": {"serial": "SN-4"}}]});
    let _ = admin.patch(&at(&monday, "/rows"), repair).await.expect(202);
    let rest = json!({"source": "vcenter", "only": "failed"});
    let done = run(&server, &admin, &monday, rest).await;
    assert_eq!(done["state"], "done", "{done}");
    assert_eq!(names(&admin, type_id).await, ["a", "b", "c", "d"]);
}

#[apply(both)]
async fn a_row_without_its_key_hides_which_record_is_missing(server: TestServer) {
    let admin = server.admin();
    let more = json!({"missing": "delete", "policy": "skip"});
    let (type_id, _) = hosts(&admin, more).await;
    let _ = sync(&server, &admin, "uuid,name\nu1,a\nu2,b\n").await;
    let refused = sync(&server, &admin, "uuid,name\nu1,a\n,b\n").await;
    assert_eq!(refused["state"], "failed", "{refused}");
    assert_eq!(names(&admin, type_id).await, ["a", "b"]);
    let blank = sync(&server, &admin, "uuid,name\nu1,a\n,\n").await;
    assert_eq!(blank["state"], "done", "{blank}");
    assert_eq!(names(&admin, type_id).await, ["a"]);
}

#[apply(both)]
async fn an_older_file_misses_nothing_that_a_newer_one_has(server: TestServer) {
    let admin = server.admin();
    let more = json!({"missing": "delete", "missing_limit": 100});
    let (type_id, _) = hosts(&admin, more).await;
    let older = upload(&admin, "hosts.csv", "uuid,name\nu1,a\n").await;
    server.advance(Duration::from_secs(1));
    let _ = sync(&server, &admin, "uuid,name\nu1,a\nu2,b\n").await;
    let done = run(&server, &admin, &older, json!({"source": "vcenter"})).await;
    assert_eq!(counts(&done), json!({"unchanged": 1}), "{done}");
    assert_eq!(names(&admin, type_id).await, ["a", "b"]);
}

#[apply(both)]
async fn links_of_unchanged_objects_are_taken_back(server: TestServer) {
    let admin = server.admin();
    let (type_id, source) = hosts(&admin, json!({"key": ["name"]})).await;
    let _ = insert(&admin, type_id, &[("name", json!("a"))]).await;
    let import = sync(&server, &admin, "uuid,name\nu1,a\n").await;
    assert_eq!(counts(&import), json!({"unchanged": 1}), "{import}");
    assert_eq!(links(&admin, source).await.len(), 1);
    let undone = undo(&server, &admin, &import).await;
    assert_eq!(undone["state"], "undone", "{undone}");
    assert_eq!(links(&admin, source).await, []);
}

#[apply(both)]
async fn a_row_that_was_repaired_to_another_record_is_taken_back(server: TestServer) {
    let admin = server.admin();
    for policy in ["flag", "deactivate", "delete"] {
        let name = format!("vcenter {policy}");
        let fields = [field("text", "name"), field("date", "day")];
        let type_id = make_type(&admin, &format!("host-{policy}"), &fields).await;
        let more =
            json!({"name": name, "columns": {"name": "name", "day": "day"}, "missing": policy});
        let source = source(&admin, type_id, more).await;
        let of = async |file: &str| {
            let import = upload(&admin, "hosts.csv", file).await;
            run(&server, &admin, &import, json!({"source": name})).await
        };
        let _ = of("uuid,name,day\nu1,a,2026-01-01\nu2,b,2026-01-01\nu3,c,2026-01-01\n").await;
        let before = (links(&admin, source).await, names(&admin, type_id).await);
        let import = of("uuid,name,day\nu1,b2,bad\nu3,c,2026-01-01\n").await;
        let cells = json!({"uuid": "u2", "day": "2026-02-02"});
        let repair = json!({"rows": [{"row": 2, "cells": cells}]});
        let _ = admin.patch(&at(&import, "/rows"), repair).await.expect(202);
        let again = json!({"source": name, "only": "failed"});
        let again = run(&server, &admin, &import, again).await;
        assert_eq!(again["state"], "done", "{again}");
        let _ = undo(&server, &admin, &import).await;
        let after = (links(&admin, source).await, names(&admin, type_id).await);
        assert_eq!(after, before, "{policy}");
    }
}

#[apply(both)]
async fn objects_of_missing_records_that_refer_to_each_other_go_in_any_number(server: TestServer) {
    const HALF: usize = 80;
    let admin = server.admin();
    let fields = [field("text", "name"), field("ref", "other")];
    let type_id = make_type(&admin, "host", &fields).await;
    let by = json!({"field": "other", "by": "name", "types": [type_id]});
    let columns = json!({"name": "name", "other": by});
    source(
        &admin,
        type_id,
        json!({"columns": columns, "missing": "delete"}),
    )
    .await;
    let row = |index: usize| {
        let other = index.checked_sub(HALF);
        let other = other.map_or(String::new(), |other| format!("n{other}"));
        format!("u{index},n{index},{other}\n")
    };
    let rows: String = (0..2 * HALF).map(row).collect();
    let file = format!("uuid,name,other\nu,stays,\n{rows}");
    let _ = sync(&server, &admin, &file).await;
    let of_one = "uuid,name,other\nu,stays,\n";
    let checked = sync_with(&server, &admin, of_one, json!({"dry_run": true})).await;
    let done = sync(&server, &admin, of_one).await;
    for import in [&checked, &done] {
        assert_eq!(
            counts(import),
            json!({"unchanged": 1, "missing": 2 * HALF}),
            "{import}"
        );
    }
    assert_eq!(names(&admin, type_id).await, ["stays"]);
    let _ = undo(&server, &admin, &done).await;
    assert_eq!(names(&admin, type_id).await.len(), 2 * HALF + 1);
}

#[apply(both)]
async fn two_new_records_do_not_get_the_same_key(server: TestServer) {
    let admin = server.admin();
    let (type_id, _) = hosts(&admin, json!({"key": ["name"], "policy": "skip"})).await;
    let done = sync(&server, &admin, "uuid,name\nu1,a\nu2,a\n").await;
    assert_eq!(counts(&done), json!({"new": 1, "error": 1}), "{done}");
    assert_eq!(names(&admin, type_id).await, ["a"]);
}

#[apply(both)]
async fn a_record_takes_no_object_whose_record_is_in_the_file(server: TestServer) {
    let admin = server.admin();
    let (type_id, _) = hosts(&admin, json!({"key": ["name"], "policy": "skip"})).await;
    let _ = sync(&server, &admin, "uuid,name\nu1,web\n").await;
    // Machine u1 has another name now, and a new one has its name.
    let file = "uuid,name\nu9,web\nu1,web-old\n";
    for dry_run in [true, false] {
        let done = sync_with(&server, &admin, file, json!({"dry_run": dry_run})).await;
        assert_eq!(counts(&done), json!({"update": 1, "error": 1}), "{done}");
    }
    assert_eq!(names(&admin, type_id).await, ["web-old"]);
}

#[apply(both)]
async fn nothing_is_missing_from_a_file_with_unreadable_rows(server: TestServer) {
    let admin = server.admin();
    let more = json!({"missing": "delete", "policy": "skip"});
    let (type_id, _) = hosts(&admin, more).await;
    let _ = sync(&server, &admin, "uuid,name\nu1,a\nu2,b\nu3,c\n").await;
    let never_closed = "uuid,name\nu1,x\n\"u2,b\nu3,c\n";
    let checked = sync_with(&server, &admin, never_closed, json!({"dry_run": true})).await;
    let done = sync(&server, &admin, never_closed).await;
    for (import, state) in [(&checked, "checked"), (&done, "failed")] {
        assert_eq!(import["state"], state, "{import}");
        let error = import["error"].as_str().unwrap();
        assert!(error.starts_with("1 row does not tell"), "{error}");
    }
    assert_eq!(names(&admin, type_id).await, ["x", "b", "c"]);
    let whole = json!({"rows": [{"row": 3, "cells": {"uuid": "u2", "name": "b"}}]});
    let _ = admin.patch(&at(&done, "/rows"), whole).await.expect(202);
    let rest = json!({"source": "vcenter", "only": "failed"});
    let done = run(&server, &admin, &done, rest).await;
    assert_eq!(
        counts(&done),
        json!({"update": 1, "unchanged": 1, "missing": 1}),
        "{done}"
    );
    assert_eq!(names(&admin, type_id).await, ["x", "b"]);
}

#[apply(both)]
async fn a_refused_row_shows_that_its_record_is_there(server: TestServer) {
    let admin = server.admin();
    let fields = [
        field("text", "name"),
        field_with("text", "serial", &json!({"regex": "SN-[0-9]+"})),
    ];
    let type_id = make_type(&admin, "host", &fields).await;
    let columns = json!({"columns": {"name": "name", "serial": "serial"}, "missing": "delete"});
    let source = source(&admin, type_id, columns).await;
    let _ = sync(
        &server,
        &admin,
        "uuid,name,serial\nu1,a,SN-1\nu2,b,SN-2\nu3,c,SN-3\n",
    )
    .await;
    let stopped = sync(&server, &admin, "uuid,name,serial\nu1,a,wrong\nu2,b,SN-2\n").await;
    assert_eq!(stopped["state"], "failed", "{stopped}");
    assert_eq!(
        names(&admin, type_id).await,
        ["a", "b", "c"],
        "rows are left, so nothing is missing yet"
    );
    let repair = json!({"rows": [{"row": 2, "cells": {"serial": "SN-9"}}]});
    let _ = admin
        .patch(&at(&stopped, "/rows"), repair)
        .await
        .expect(202);
    let refused = admin
        .post(
            &at(&stopped, "/run"),
            json!({"type_id": type_id, "only": "failed"}),
        )
        .await;
    assert_eq!(refused.expect(400).pointers(), ["/only"]);
    let done = run(
        &server,
        &admin,
        &stopped,
        json!({"source": "vcenter", "only": "failed"}),
    )
    .await;
    assert_eq!(
        counts(&done),
        json!({"update": 1, "unchanged": 1, "missing": 1}),
        "{done}"
    );
    assert_eq!(names(&admin, type_id).await, ["a", "b"]);
    let _ = admin
        .patch(&format!("{SOURCES}/{source}"), json!({"policy": "skip"}))
        .await
        .expect(202);
    let skipped = sync(&server, &admin, "uuid,name,serial\nu1,a,SN-9\nu2,b,wrong\n").await;
    assert_eq!(
        counts(&skipped),
        json!({"unchanged": 1, "error": 1}),
        "{skipped}"
    );
    assert_eq!(names(&admin, type_id).await, ["a", "b"]);
}

#[apply(both)]
async fn two_workers_give_each_record_one_object(server: TestServer) {
    let admin = server.admin();
    let (type_id, source) = hosts(&admin, json!({"policy": "skip"})).await;
    let rows: Vec<String> = lines(0..1_200)
        .lines()
        .map(|name| format!("{name},{name}\n"))
        .collect();
    let file = format!("uuid,name\n{}", rows.concat());
    let service = server.service();
    for _ in 0..2 {
        let import = upload(&admin, "hosts.csv", file.clone()).await;
        let _ = admin
            .post(&at(&import, "/run"), json!({"source": "vcenter"}))
            .await
            .expect(202);
        let (first, second) = tokio::join!(
            service.finish(Imports::default()),
            service.finish(Imports::default())
        );
        first.unwrap();
        second.unwrap();
    }
    assert_eq!(objects_of(&admin, type_id).await.len(), 1_200);
    let known = admin
        .get(&format!("{SOURCES}/{source}"))
        .await
        .expect(200)
        .member("result");
    assert_eq!(
        [&known["linked_objects"], &known["missing_objects"]],
        [1_200, 0]
    );
    // More missing records than one transaction deals with.
    let flagged = sync(&server, &admin, "uuid,name\nhost-7,host-7\n").await;
    assert_eq!(
        counts(&flagged),
        json!({"unchanged": 1, "missing": 1_199}),
        "{flagged}"
    );
    let undone = undo(&server, &admin, &flagged).await;
    assert_eq!(undone["counts"]["undone"], 1_199, "{undone}");
    let known = admin
        .get(&format!("{SOURCES}/{source}"))
        .await
        .expect(200)
        .member("result");
    assert_eq!(known["missing_objects"], 0);
}

#[apply(both)]
async fn an_import_whose_source_is_deleted_ends(server: TestServer) {
    let admin = server.admin();
    let (type_id, source) = hosts(&admin, json!({})).await;
    let import = upload(&admin, "hosts.csv", "uuid,name\nu1,a\n").await;
    let _ = admin
        .post(&at(&import, "/run"), json!({"source": "vcenter"}))
        .await
        .expect(202);
    let _ = admin
        .delete(&format!("{SOURCES}/{source}"))
        .await
        .expect(202);
    server.service().finish(Imports::default()).await.unwrap();
    let ended = read(&admin, &import).await;
    assert_eq!(ended["state"], "failed", "{ended}");
    assert!(names(&admin, type_id).await.is_empty());
}

#[apply(both)]
async fn what_a_source_needs_is_asked_before_it_runs(server: TestServer) {
    let admin = server.admin();
    let (type_id, source) = hosts(
        &admin,
        json!({"columns": {"name": "name", "remark": "note"}}),
    )
    .await;
    let import = upload(&admin, "hosts.csv", "name,other\na,b\n").await;
    for (body, pointer, detail) in [
        (
            json!({"source": "vcenter"}),
            "/source",
            "the file lacks columns that the source \"vcenter\" needs: remark, uuid; it has name, other",
        ),
        (
            json!({"source": "other"}),
            "/source",
            "there is no source \"other\"",
        ),
        (json!({"source": 99}), "/source", "there is no source 99"),
        (
            json!({"source": [1]}),
            "/source",
            "must be the name of a source or its id, not a list",
        ),
        (
            json!({"source": source, "key": []}),
            "/key",
            "comes from the source; leave it out, or change the source",
        ),
        (
            json!({"source": source, "type_id": type_id}),
            "/type_id",
            "comes from the source; leave it out, or change the source",
        ),
    ] {
        let refused = admin.post(&at(&import, "/run"), body).await.expect(400);
        let problem = &refused.problem()["errors"][0];
        assert_eq!([&problem["pointer"], &problem["detail"]], [pointer, detail]);
    }
    let fields = json!({"fields": [field("text", "name"), field("ref", "other")]});
    let sections =
        json!([{"type": "section", "name": "all", "label": "All", "fields": ["name", "other"]}]);
    let mut change = fields;
    change["render_meta"] = json!({"sections": sections});
    let _ = crate::fixture::patch_type(&admin, type_id, change)
        .await
        .expect(202);
    let import = upload(&admin, "hosts.csv", "uuid,name,remark\nu,a,b\n").await;
    let refused = admin
        .post(&at(&import, "/run"), json!({"source": "vcenter"}))
        .await
        .expect(400);
    let problem = &refused.problem()["errors"][0];
    assert_eq!(problem["pointer"], "/source");
    assert!(
        problem["detail"]
            .as_str()
            .unwrap()
            .starts_with("columns/remark of the source \"vcenter\": \"note\" is no field"),
        "{problem}"
    );
}

#[apply(both)]
async fn a_source_without_external_key_is_a_saved_mapping(server: TestServer) {
    let admin = server.admin();
    let more = json!({"external_key": [], "missing": "keep", "key": ["name"]});
    let (type_id, source) = hosts(&admin, more).await;
    for expected in [json!({"new": 1}), json!({"unchanged": 1})] {
        let done = sync(&server, &admin, "name\na\n").await;
        assert_eq!(counts(&done), expected, "{done}");
    }
    assert_eq!(names(&admin, type_id).await, ["a"]);
    assert!(links(&admin, source).await.is_empty());
}

#[apply(both)]
async fn a_source_goes_on_after_its_last_import_was_deleted(server: TestServer) {
    let admin = server.admin();
    let (_, source) = hosts(&admin, json!({})).await;
    let first = sync(&server, &admin, "uuid,name\nu1,a\nu2,b\n").await;
    let _ = admin.delete(&at(&first, "")).await.expect(200);
    let second = sync(&server, &admin, "uuid,name\nu1,a\n").await;
    assert_ne!(second["id"], first["id"], "an id is not given again");
    assert_eq!(
        counts(&second),
        json!({"unchanged": 1, "missing": 1}),
        "{second}"
    );
    assert!(links(&admin, source).await[1].2);
}
