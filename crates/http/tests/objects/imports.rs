//! `/imports`: files whose rows become objects (`docs/guide/src/imports.md`).

use std::time::Duration;

use axum::http::Method;
use serde_json::{Value, json};
use stockroom_service::background::Imports;
use stockroom_testkit::{Client, Engine, Setup, TestServer, apply, both};

use crate::fixture::{field, field_with, insert, list, make_type, native, path, restrict, value};

pub(crate) const IMPORTS: &str = "/rest/imports";

/// More rows than two chunks have.
const MANY: usize = 2_400;

pub(crate) async fn upload(client: &Client, name: &str, file: impl Into<Vec<u8>>) -> Value {
    let path = format!("{IMPORTS}?file_name={name}");
    let answer = client.send(Method::POST, &path, &[], file.into()).await;
    answer.expect(201).member("result")
}

pub(crate) fn at(import: &Value, rest: &str) -> String {
    format!("{IMPORTS}/{}{rest}", import["id"])
}

pub(crate) async fn read(client: &Client, import: &Value) -> Value {
    client
        .get(&at(import, ""))
        .await
        .expect(200)
        .member("result")
}

/// Runs an import to its end.
pub(crate) async fn run(
    server: &TestServer,
    client: &Client,
    import: &Value,
    body: Value,
) -> Value {
    let started = client.post(&at(import, "/run"), body).await.expect(202);
    assert!(started.member("result")["started_at"].is_string());
    // Nobody else writes, so that a transaction takes many rows.
    server.advance(Duration::from_secs(1));
    server.service().finish(Imports::default()).await.unwrap();
    read(client, import).await
}

pub(crate) async fn undo(server: &TestServer, client: &Client, import: &Value) -> Value {
    let _ = client
        .post(&at(import, "/undo"), json!({}))
        .await
        .expect(202);
    server.service().finish(Imports::default()).await.unwrap();
    read(client, import).await
}

/// The counts that are not 0.
pub(crate) fn counts(import: &Value) -> Value {
    let mut counts = import["counts"].clone();
    counts
        .as_object_mut()
        .unwrap()
        .retain(|_, count| *count != 0);
    counts
}

/// The rows that have a problem, and the first one of each.
pub(crate) async fn problems(client: &Client, import: &Value) -> Vec<(i64, String, String)> {
    let rows = client
        .get(&at(import, "/rows?limit=500"))
        .await
        .expect(200)
        .member("results");
    let with_problem = |row: &Value| {
        let problem = row["problems"].get(0)?;
        let text = |name: &str| problem[name].as_str().unwrap_or_default().to_owned();
        Some((row["row"].as_i64()?, text("column"), text("detail")))
    };
    rows.as_array()
        .unwrap()
        .iter()
        .filter_map(with_problem)
        .collect()
}

pub(crate) async fn objects_of(client: &Client, type_id: i64) -> Vec<Value> {
    let filter = json!({"type_id": type_id}).to_string();
    let found = list(client, &[("filter", &filter), ("limit", "3000")]).await;
    found.member("results").as_array().unwrap().clone()
}

pub(crate) fn values(objects: &[Value], name: &str) -> Vec<Value> {
    objects
        .iter()
        .map(|object| value(object, name).clone())
        .collect()
}

async fn hosts(admin: &Client) -> i64 {
    let fields = [
        field("text", "name"),
        field_with("text", "serial", &json!({"regex": "SN-[0-9]+"})),
        field("date", "bought"),
        field_with("number", "cores", &json!({"value": "4"})),
        field("ref", "parent"),
    ];
    make_type(admin, "host", &fields).await
}

#[apply(both)]
async fn columns_go_to_the_fields_of_their_names(server: TestServer) {
    let admin = server.admin();
    let type_id = hosts(&admin).await;
    let file = "Name;Serial;Bought;Note\nweb-01;SN-1;31.12.2026;x\n\"web\n02\";\"\";;\n";
    let import = upload(&admin, "hosts.csv", file).await;
    assert_eq!(
        [&import["state"], &import["rows"]],
        [&json!("ready"), &json!(2)]
    );
    assert_eq!(import["file"]["separator"], ";");
    let looks: Vec<&Value> = import["columns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|column| &column["looks"])
        .collect();
    assert_eq!(looks, ["long_text", "text", "date", "text"]);
    let done = run(&server, &admin, &import, json!({"type_id": type_id})).await;
    assert_eq!(
        [&done["state"], &counts(&done)],
        [&json!("done"), &json!({"new": 2})],
        "{done}"
    );
    let objects = objects_of(&admin, type_id).await;
    assert_eq!(values(&objects, "name"), ["web-01", "web\n02"]);
    assert_eq!(values(&objects, "serial"), [json!("SN-1"), json!("")]);
    assert_eq!(
        values(&objects, "bought"),
        [json!("2026-12-31"), json!(null)]
    );
    assert_eq!(
        values(&objects, "cores"),
        [4, 4],
        "fields without a column have their value"
    );
}

#[apply(both)]
async fn a_dry_run_gives_the_results_and_writes_nothing(server: TestServer) {
    let admin = server.admin();
    let type_id = hosts(&admin).await;
    let known = [
        ("name", json!("known")),
        ("serial", json!("SN-1")),
        ("bought", json!(null)),
        ("cores", json!(4)),
        ("parent", json!(null)),
    ];
    let known = insert(&admin, type_id, &known).await;
    let before = native(&admin, known).await;
    let file = "name,serial\nknown,SN-1\nknown,SN-2\nnew,SN-3\nwrong,12\n,SN-5\n";
    let import = upload(&admin, "hosts.csv", file).await;
    let body = json!({"type_id": type_id, "key": ["name"], "policy": "skip", "dry_run": true});
    let checked = run(&server, &admin, &import, body).await;
    assert_eq!(checked["state"], "checked", "{checked}");
    let expected = json!({"unchanged": 1, "duplicate": 1, "new": 1, "error": 2});
    assert_eq!(counts(&checked), expected);
    assert_eq!(
        problems(&admin, &import).await,
        [
            (3, String::new(), "has the same key as row 2".to_owned()),
            (
                5,
                "serial".to_owned(),
                "\"serial\" must match SN-[0-9]+ as a whole".to_owned()
            ),
            (
                6,
                "name".to_owned(),
                "is empty, but objects are found by it".to_owned()
            ),
        ]
    );
    assert_eq!(objects_of(&admin, type_id).await.len(), 1);
    assert_eq!(native(&admin, known).await, before);
}

#[apply(both)]
async fn rows_change_the_objects_with_their_keys(server: TestServer) {
    let admin = server.admin();
    let type_id = hosts(&admin).await;
    let row = |name: &str, cores: i64| {
        [
            ("name", json!(name)),
            ("serial", json!("SN-1")),
            ("bought", json!("2026-01-01")),
            ("cores", json!(cores)),
            ("parent", json!(null)),
        ]
    };
    let first = insert(&admin, type_id, &row("a", 1)).await;
    for _ in 0..2 {
        insert(&admin, type_id, &row("twice", 1)).await;
    }
    let file = r#"[{"name": "a", "cores": 2}, {"name": "twice", "cores": 2}, {"name": "b", "bought": null}]"#;
    let import = upload(&admin, "hosts.json", file).await;
    let body = json!({"type_id": type_id, "key": ["name"], "policy": "skip"});
    let done = run(&server, &admin, &import, body).await;
    assert_eq!(
        counts(&done),
        json!({"update": 1, "error": 1, "new": 1}),
        "{done}"
    );
    let changed = native(&admin, first).await;
    assert_eq!(
        [value(&changed, "cores"), value(&changed, "bought")],
        [&json!(2), &json!("2026-01-01")]
    );
    let [(row, _, detail)] = &problems(&admin, &import).await[..] else {
        panic!("one problem")
    };
    assert_eq!(*row, 2);
    assert!(
        detail.starts_with("its key fits more than one object"),
        "{detail}"
    );
    let filter = json!({"request_id": done["request_id"]}).to_string();
    let history = admin
        .query("/rest/history", &[("filter", &filter)])
        .await
        .expect(200);
    assert_eq!(
        history.member("results").as_array().unwrap().len(),
        2,
        "{history}"
    );
}

#[apply(both)]
async fn references_name_objects_and_rows_of_the_same_file(server: TestServer) {
    let admin = server.admin();
    let type_id = hosts(&admin).await;
    let site = make_type(&admin, "site", &[field("text", "code")]).await;
    let bonn = insert(&admin, site, &[("code", json!("53"))]).await;
    let file = "name,parent\na,b\nb,c\nc,\nd,nobody\ne,a\n";
    let import = upload(&admin, "hosts.csv", file).await;
    let own = json!({"field": "parent", "by": "name", "types": [type_id]});
    let body =
        json!({"type_id": type_id, "columns": {"name": "name", "parent": own}, "policy": "skip"});
    let mut dry = body.clone();
    dry["dry_run"] = json!(true);
    let checked = run(&server, &admin, &import, dry).await;
    assert_eq!(counts(&checked), json!({"new": 4, "error": 1}), "{checked}");
    let done = run(&server, &admin, &import, body).await;
    assert_eq!(counts(&done), json!({"new": 4, "error": 1}), "{done}");
    let objects = objects_of(&admin, type_id).await;
    let ids = values_of_ids(&objects);
    assert_eq!(
        values(&objects, "parent"),
        [
            json!(ids[1]),
            json!(ids[2]),
            json!(null),
            json!(null),
            json!(ids[0])
        ]
    );
    let other = upload(&admin, "hosts.csv", "name,parent\nf,53\ng,54\n").await;
    let by_site = json!({"field": "parent", "by": "code", "types": [site]});
    let body = json!({"type_id": type_id, "columns": {"name": "name", "parent": by_site}, "policy": "skip"});
    let done = run(&server, &admin, &other, body).await;
    assert_eq!(counts(&done), json!({"new": 1, "error": 1}), "{done}");
    let last = objects_of(&admin, type_id).await.pop().unwrap();
    assert_eq!(value(&last, "parent"), &json!(bonn));
    let undone = undo(&server, &admin, &import).await;
    assert_eq!(undone["state"], "undone");
    assert_eq!(
        values(&objects_of(&admin, type_id).await, "name"),
        ["f"],
        "{undone}"
    );
}

#[apply(both)]
async fn columns_tell_an_object_together(server: TestServer) {
    let admin = server.admin();
    let site = make_type(&admin, "site", &[field("text", "name")]).await;
    let at_site = field_with("ref", "site", &json!({"ref_types": [site]}));
    let rack = make_type(
        &admin,
        "rack",
        &[
            field("text", "name"),
            field("text", "hall"),
            at_site.clone(),
        ],
    )
    .await;
    let in_rack = field_with("ref", "rack", &json!({"ref_types": [rack]}));
    let host = make_type(&admin, "host", &[field("text", "name"), at_site, in_rack]).await;
    let akron = insert(&admin, site, &[("name", json!("Akron"))]).await;
    let bonn = insert(&admin, site, &[("name", json!("Bonn"))]).await;
    let mut racks = Vec::new();
    for (site, hall) in [
        (json!(akron), "A"),
        (json!(akron), "B"),
        (json!(bonn), "A"),
        (Value::Null, ""),
    ] {
        racks.push(
            insert(
                &admin,
                rack,
                &[("name", json!("R1")), ("hall", json!(hall)), ("site", site)],
            )
            .await,
        );
    }
    let file = "name,Hall,Rack,Site
a,A,R1,Akron
b,B,R1,Akron
c,A,R1,Bonn
d,,R1,
e,B,R1,Bonn
f,A,R2,Bonn
g,A,R1,Ulm
h,A,,Bonn
";
    let import = upload(&admin, "hosts.csv", file).await;
    let by = json!({"name": "Rack", "hall": "Hall", "site": "Site"});
    let columns = json!({
        "name": "name",
        "Rack": {"field": "rack", "by": by},
        "Site": {"field": "site", "by": "name"},
    });
    let body =
        json!({"type_id": host, "columns": columns, "ignore_columns": false, "policy": "skip"});
    let done = run(&server, &admin, &import, body.clone()).await;
    assert_eq!(counts(&done), json!({"new": 5, "error": 3}), "{done}");
    assert_eq!(done["plan"]["columns"]["Rack"]["by"], by);
    assert_eq!(
        done["plan"]["columns"]["Hall"],
        json!(null),
        "it goes nowhere"
    );
    let found = values(&objects_of(&admin, host).await, "rack");
    let expected = [
        json!(racks[0]),
        json!(racks[1]),
        json!(racks[2]),
        json!(racks[3]),
        json!(null),
    ];
    assert_eq!(found, expected);
    let problems: Vec<String> = problems(&admin, &import)
        .await
        .into_iter()
        .map(|(row, column, detail)| format!("{row} {column}: {detail}"))
        .collect();
    assert_eq!(
        problems,
        [
            "6 Rack: there is no object with the name \"R1\" and the hall \"B\" and the site \"Bonn\" that you may read",
            "7 Rack: there is no object with the name \"R2\" and the hall \"A\" and the site \"Bonn\" that you may read",
            "8 Site: there is no object with the name \"Ulm\" that you may read",
        ]
    );
    for (by, detail) in [
        (
            json!({"name": "Rack", "site": "Where"}),
            "must name a column of the file",
        ),
        (
            json!({"name": "Site"}),
            "must have one field for the column \"Rack\" itself",
        ),
        (
            json!({"name": "Rack", "floor": "Site"}),
            "has a field \"name\" and \"floor\"",
        ),
    ] {
        let mut wrong = body.clone();
        wrong["columns"]["Rack"]["by"] = by;
        let refused = admin.post(&at(&import, "/run"), wrong).await.expect(400);
        let first = refused.problem()["errors"][0]["detail"].clone();
        assert!(first.as_str().unwrap().contains(detail), "{refused}");
    }
    // A column that goes nowhere names the site of a rack as people see it.
    let summary = json!({"render_meta": {"summary": {"fields": ["name"]}}});
    let _ = admin
        .patch(&format!("/rest/types/{site}"), summary)
        .await
        .expect(202);
    let mut racks_only = body.clone();
    let _ = racks_only["columns"]
        .as_object_mut()
        .unwrap()
        .shift_remove("Site");
    racks_only["ignore_columns"] = json!(true);
    let again = upload(&admin, "hosts.csv", "name,Hall,Rack,Site\nx,A,R1,Bonn\n").await;
    let done = run(&server, &admin, &again, racks_only).await;
    assert_eq!(counts(&done), json!({"new": 1}), "{done}");
    let last = objects_of(&admin, host).await.pop().unwrap();
    assert_eq!(value(&last, "rack"), &json!(racks[2]));
    let mut circle = body;
    circle["columns"]["Site"] =
        json!({"field": "site", "by": {"name": "Site", "rack": "Rack"}, "types": [host]});
    let refused = admin.post(&at(&import, "/run"), circle).await.expect(400);
    assert_eq!(
        refused.pointers(),
        ["/columns/Rack", "/columns/Site"],
        "{refused}"
    );
}

#[apply(both)]
async fn rows_of_the_same_file_are_told_by_several_columns(server: TestServer) {
    let admin = server.admin();
    let parent = field_with("ref", "parent", &json!({"ref_types": []}));
    let location = make_type(
        &admin,
        "location",
        &[field("text", "name"), field("text", "site"), parent],
    )
    .await;
    let file = "name,site,parent\nroom,X,hall\nhall,X,\nhall,Y,\nroom,Y,hall\nroom,Z,hall\n";
    let import = upload(&admin, "locations.csv", file).await;
    let by =
        json!({"field": "parent", "by": {"name": "parent", "site": "site"}, "types": [location]});
    let mut body = json!({"type_id": location, "columns": {"name": "name", "site": "site", "parent": by}, "policy": "skip"});
    body["dry_run"] = json!(true);
    let checked = run(&server, &admin, &import, body.clone()).await;
    assert_eq!(counts(&checked), json!({"new": 4, "error": 1}), "{checked}");
    body["dry_run"] = json!(false);
    let done = run(&server, &admin, &import, body).await;
    assert_eq!(counts(&done), json!({"new": 4, "error": 1}), "{done}");
    let objects = objects_of(&admin, location).await;
    let ids = values_of_ids(&objects);
    assert_eq!(
        values(&objects, "parent")[..4],
        [json!(ids[1]), json!(null), json!(null), json!(ids[2])]
    );
}

#[apply(both)]
async fn a_cell_adds_to_no_number(server: TestServer) {
    let admin = server.admin();
    let fields = [field("text", "name"), field("number", "stock")];
    let part = make_type(&admin, "part", &fields).await;
    let values = [("name", json!("a")), ("stock", json!(10))];
    let id = insert(&admin, part, &values).await;
    let body =
        json!({"type_id": part, "key": ["name"], "columns": {"name": "name", "stock": "stock"}});
    for (name, file) in [
        ("parts.csv", "name,stock\na,\"{\"\"$inc\"\":100}\"\n"),
        ("parts.json", r#"[{"name": "a", "stock": {"$inc": 100}}]"#),
    ] {
        let import = upload(&admin, name, file).await;
        let done = run(&server, &admin, &import, body.clone()).await;
        assert_eq!(counts(&done), json!({"error": 1}), "{name}");
    }
    assert_eq!(value(&native(&admin, id).await, "stock"), 10);
}

#[apply(both)]
async fn a_second_undo_brings_no_reference_back(server: TestServer) {
    let admin = server.admin();
    let parent = field_with("ref", "parent", &json!({"ref_types": []}));
    let part = make_type(&admin, "part", &[field("text", "name"), parent]).await;
    let import = upload(&admin, "parts.csv", "name,parent\na,b\nb,\n").await;
    let by = json!({"field": "parent", "by": "name", "types": [part]});
    let body = json!({"type_id": part, "columns": {"name": "name", "parent": by}});
    let _ = run(&server, &admin, &import, body).await;
    let ids = values_of_ids(&objects_of(&admin, part).await);
    let values = [("name", json!("c")), ("parent", json!(ids[0]))];
    let referrer = insert(&admin, part, &values).await;
    for _ in 0..3 {
        let undone = undo(&server, &admin, &import).await;
        assert_eq!(counts(&undone)["kept"], 1, "{undone}");
        let kept = native(&admin, ids[0]).await;
        assert_eq!(value(&kept, "parent"), &json!(null));
    }
    let _ = admin.delete(&path(referrer)).await.expect(200);
    let undone = undo(&server, &admin, &import).await;
    assert_eq!(counts(&undone)["undone"], 2, "{undone}");
    assert!(objects_of(&admin, part).await.is_empty());
}

#[apply(both)]
async fn rows_that_refer_to_one_another_are_undone(server: TestServer) {
    let admin = server.admin();
    let parent = field_with("ref", "parent", &json!({"ref_types": []}));
    let part = make_type(&admin, "part", &[field("text", "name"), parent]).await;
    // Two rows in a circle, and a chain of references to the next row.
    let chain: Vec<String> = (2..30).map(|n| format!("p{n},p{}\n", n + 1)).collect();
    let file = format!("name,parent\np0,p1\np1,p0\n{}p30,\n", chain.concat());
    let import = upload(&admin, "parts.csv", file).await;
    let by = json!({"field": "parent", "by": "name", "types": [part]});
    let body = json!({"type_id": part, "columns": {"name": "name", "parent": by}});
    let done = run(&server, &admin, &import, body).await;
    assert_eq!(counts(&done), json!({"new": 31}), "{done}");
    let objects = objects_of(&admin, part).await;
    let ids = values_of_ids(&objects);
    let parents: Vec<Value> = [1, 0]
        .into_iter()
        .chain(3..31)
        .map(|n| json!(ids[n]))
        .collect();
    assert_eq!(values(&objects, "parent")[..30], parents);
    let undone = undo(&server, &admin, &import).await;
    assert_eq!(counts(&undone)["undone"], 31, "{undone}");
    assert!(objects_of(&admin, part).await.is_empty());
}

#[apply(both)]
async fn an_undo_keeps_what_others_wrote_between_two_runs(server: TestServer) {
    let admin = server.admin();
    let parent = field_with("ref", "parent", &json!({"ref_types": []}));
    let fields = [field("text", "name"), field("text", "note"), parent];
    let part = make_type(&admin, "part", &fields).await;
    let import = upload(&admin, "parts.csv", "name,parent\na,b\n").await;
    let by = json!({"field": "parent", "by": "name", "types": [part]});
    let columns = json!({"name": "name", "parent": by});
    let mut body = json!({"type_id": part, "columns": columns, "policy": "skip"});
    let failed = run(&server, &admin, &import, body.clone()).await;
    assert_eq!(counts(&failed), json!({"error": 1}), "{failed}");
    let made = objects_of(&admin, part).await;
    // Nothing but refused rows, of which one has made an object.
    let [a] = values_of_ids(&made)[..] else {
        panic!("{made:?}");
    };
    let theirs = json!({"fields": [{"name": "note", "value": "theirs"}]});
    let _ = admin.patch(&path(a), theirs).await.expect(200);
    let repair = json!({"rows": [{"row": 2, "cells": {"parent": "a"}}]});
    let _ = admin.patch(&at(&import, "/rows"), repair).await.expect(202);
    body["only"] = json!("failed");
    let done = run(&server, &admin, &import, body).await;
    assert_eq!(done["state"], "done", "{done}");
    let undone = undo(&server, &admin, &import).await;
    assert_eq!(undone["counts"]["kept"], 1, "{undone}");
    assert_eq!(value(&native(&admin, a).await, "note"), "theirs");
    // What was kept can be taken back later.
    let again = admin.post(&at(&import, "/undo"), json!({})).await;
    let _ = again.expect(202);
}

#[apply(both)]
async fn an_undo_keeps_what_others_have_changed(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(
        &admin,
        "host",
        &[field("text", "name"), field("text", "note")],
    )
    .await;
    let old = insert(
        &admin,
        type_id,
        &[("name", json!("a")), ("note", json!("old"))],
    )
    .await;
    let import = upload(&admin, "hosts.csv", "name,note\na,new\nb,new\nc,new\n").await;
    let done = run(
        &server,
        &admin,
        &import,
        json!({"type_id": type_id, "key": ["name"]}),
    )
    .await;
    assert_eq!(counts(&done), json!({"update": 1, "new": 2}));
    let objects = objects_of(&admin, type_id).await;
    let b = objects[1]["public_id"].as_i64().unwrap();
    let theirs = json!({"fields": [{"name": "note", "value": "theirs"}]});
    let _ = admin.patch(&path(b), theirs).await.expect(200);
    let undone = undo(&server, &admin, &import).await;
    assert_eq!(
        counts(&undone),
        json!({"update": 1, "new": 2, "undone": 2, "kept": 1})
    );
    let objects = objects_of(&admin, type_id).await;
    assert_eq!(values(&objects, "note"), ["old", "theirs"]);
    assert_eq!(value(&native(&admin, old).await, "note"), "old");
    let refused = admin
        .post(&at(&import, "/run"), json!({"type_id": type_id}))
        .await;
    assert_eq!(
        refused.status, 202,
        "an import that was undone can run again"
    );
}

#[apply(both)]
async fn imports_are_undone_one_after_the_other(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(
        &admin,
        "host",
        &[field("text", "name"), field("text", "note")],
    )
    .await;
    let plan = json!({"type_id": type_id, "key": ["name"]});
    let first = upload(&admin, "hosts.csv", "name,note\na,1\nb,1\n").await;
    let _ = run(&server, &admin, &first, plan.clone()).await;
    let second = upload(&admin, "hosts.csv", "name,note\na,2\nb,2\n").await;
    let _ = run(&server, &admin, &second, plan).await;
    let undone = undo(&server, &admin, &second).await;
    assert_eq!(counts(&undone), json!({"update": 2, "undone": 2}));
    assert_eq!(
        values(&objects_of(&admin, type_id).await, "note"),
        ["1", "1"]
    );
    let undone = undo(&server, &admin, &first).await;
    assert_eq!(counts(&undone), json!({"new": 2, "undone": 2}));
    assert_eq!(objects_of(&admin, type_id).await.len(), 0);
}

#[apply(both)]
async fn policies_decide_what_a_refused_row_stops(server: TestServer) {
    let admin = server.admin();
    let fields = [field_with("text", "serial", &json!({"regex": "SN-[0-9]+"}))];
    for (policy, state, made) in [
        ("stop", "failed", 1_200),
        ("skip", "done", MANY - 1),
        ("all", "checked", 0),
    ] {
        let type_id = make_type(&admin, policy, &fields).await;
        let rows = (0..MANY).map(|row| {
            if row == 1_200 {
                "wrong\n".to_owned()
            } else {
                format!("SN-{row}\n")
            }
        });
        let file = format!("serial\n{}", rows.collect::<String>());
        let import = upload(&admin, "serials.csv", file).await;
        let body = json!({"type_id": type_id, "policy": policy});
        let ended = run(&server, &admin, &import, body).await;
        assert_eq!(ended["state"], state, "{ended}");
        assert_eq!(objects_of(&admin, type_id).await.len(), made, "{policy}");
        if policy == "stop" {
            assert_eq!(undo(&server, &admin, &import).await["state"], "undone");
            assert!(objects_of(&admin, type_id).await.is_empty());
        }
        if policy == "all" {
            let refused = admin
                .post(&at(&import, "/undo"), json!({}))
                .await
                .expect(400);
            assert!(refused.detail().contains("nothing to undo"), "{refused}");
        }
    }
}

#[apply(both)]
async fn refused_rows_are_a_file_that_can_be_imported_again(server: TestServer) {
    let admin = server.admin();
    let type_id = hosts(&admin).await;
    let file = "name,serial,bought\n=1+1,SN-1,\n\"'=x\",wrong,\"\"\n\\new,wrong,2026-01-01\n";
    let import = upload(&admin, "hosts.csv", file).await;
    let done = run(
        &server,
        &admin,
        &import,
        json!({"type_id": type_id, "policy": "skip"}),
    )
    .await;
    assert_eq!(counts(&done), json!({"new": 1, "error": 2}));
    let failed = admin.get(&at(&import, "/failed")).await.expect(200);
    let text = String::from_utf8(failed.body.clone()).unwrap();
    assert!(text.contains("import_problem"), "{text}");
    let repaired = text.replace(",wrong,", ",SN-2,");
    let again = upload(&admin, "hosts-failed.csv", repaired).await;
    assert_eq!(again["file"]["escapes"], true);
    let done = run(&server, &admin, &again, json!({"type_id": type_id})).await;
    assert_eq!(counts(&done), json!({"new": 2}), "{done}");
    assert_eq!(
        values(&objects_of(&admin, type_id).await, "name"),
        ["=1+1", "'=x", "\\new"]
    );
}

#[apply(both)]
async fn an_export_is_read_back_to_the_same_objects(server: TestServer) {
    let admin = server.admin();
    let type_id = hosts(&admin).await;
    for (name, cores) in [
        ("=1+1", json!(4)),
        ("", json!("4")),
        ("a;\"b\n", json!(null)),
        ("\\", json!(0.5)),
    ] {
        let values = [
            ("name", json!(name)),
            ("serial", json!(null)),
            ("bought", json!("2026-01-01")),
            ("cores", cores),
            ("parent", json!(null)),
        ];
        insert(&admin, type_id, &values).await;
    }
    let before = objects_of(&admin, type_id).await;
    let filter = json!({"type_id": type_id}).to_string();
    for format in ["csv", "ndjson", "json"] {
        let export = admin
            .query(
                "/rest/exports/objects",
                &[("format", format), ("filter", &filter)],
            )
            .await
            .expect(200);
        let import = upload(&admin, &format!("hosts.{format}"), export.body.clone()).await;
        let body = json!({"type_id": type_id});
        let done = run(&server, &admin, &import, body.clone()).await;
        assert_eq!(counts(&done), json!({"unchanged": 4}), "{format}: {done}");
        let ids: Vec<String> = values_of_ids(&before)
            .iter()
            .map(ToString::to_string)
            .collect();
        let _ = admin
            .delete(&format!("/rest/objects/{}", ids.join(",")))
            .await
            .expect(200);
        let again = upload(&admin, &format!("hosts.{format}"), export.body.clone()).await;
        let done = run(&server, &admin, &again, body).await;
        assert_eq!(counts(&done), json!({"new": 4}), "{format}: {done}");
        let after = objects_of(&admin, type_id).await;
        let fields = |objects: &[Value]| {
            objects
                .iter()
                .map(|object| (object["public_id"].clone(), object["fields"].clone()))
                .collect::<Vec<_>>()
        };
        assert_eq!(fields(&after), fields(&before), "{format}");
    }
}

#[apply(both)]
async fn refused_rows_are_repaired_and_imported_alone(server: TestServer) {
    let admin = server.admin();
    let type_id = hosts(&admin).await;
    let file = "name,serial,cores\na,SN-1,1\nb,wrong,2\n\na,SN-3,3\nd,wrong,4\n";
    let import = upload(&admin, "hosts.csv", file).await;
    let plan = json!({"type_id": type_id, "key": ["name"], "policy": "skip"});
    let done = run(&server, &admin, &import, plan.clone()).await;
    assert_eq!(
        counts(&done),
        json!({"new": 1, "error": 2, "duplicate": 1}),
        "{done}"
    );
    let repair = async |rows: Value| {
        admin
            .patch(&at(&import, "/rows"), json!({"rows": rows}))
            .await
    };
    let refused = repair(
        json!([{"row": 3, "cells": {"serial": "SN-2"}}, {"row": 2, "cells": {"serial": "SN-9"}}]),
    )
    .await;
    assert_eq!(
        refused.expect(400).problem()["errors"][0]["detail"],
        "row 2 is imported already"
    );
    let refused = repair(json!([{"row": 4, "cells": {"serial": "SN-2"}}])).await;
    assert_eq!(
        refused.expect(400).problem()["errors"][0]["detail"],
        "the file has no row 4 with values"
    );
    let _ = repair(json!([{"row": 3, "cells": {"serial": "SN-2", "cores": null}}, {"row": 5, "cells": {"name": "c"}}])).await.expect(202);
    let mut again = plan.clone();
    again["only"] = json!("failed");
    let done = run(&server, &admin, &import, again.clone()).await;
    assert_eq!(counts(&done), json!({"new": 3, "error": 1}), "{done}");
    let objects = objects_of(&admin, type_id).await;
    assert_eq!(values(&objects, "name"), ["a", "b", "c"]);
    assert_eq!(values(&objects, "cores"), [json!(1), json!(null), json!(3)]);
    assert_eq!(problems(&admin, &import).await.len(), 1);
    let _ = repair(json!([{"row": 6, "cells": {"serial": "SN-4"}}]))
        .await
        .expect(202);
    let done = run(&server, &admin, &import, again).await;
    assert_eq!(counts(&done), json!({"new": 4}), "{done}");
    let undone = undo(&server, &admin, &import).await;
    assert_eq!(
        [&undone["state"], &undone["counts"]["undone"]],
        [&json!("undone"), &json!(4)]
    );
    assert!(objects_of(&admin, type_id).await.is_empty());
}

#[apply(both)]
async fn a_repaired_reference_belongs_to_the_object_of_its_row(server: TestServer) {
    let admin = server.admin();
    let parent = field_with("ref", "parent", &json!({"ref_types": []}));
    let type_id = make_type(&admin, "host", &[field("text", "name"), parent]).await;
    let import = upload(&admin, "hosts.csv", "name,parent\na,b\nb,nobody\n").await;
    let columns =
        json!({"name": "name", "parent": {"field": "parent", "by": "name", "types": [type_id]}});
    let plan = json!({"type_id": type_id, "columns": columns, "policy": "skip"});
    let done = run(&server, &admin, &import, plan.clone()).await;
    assert_eq!(counts(&done), json!({"new": 1, "error": 1}), "{done}");
    let repair = json!({"rows": [{"row": 3, "cells": {"parent": "a"}}]});
    let _ = admin.patch(&at(&import, "/rows"), repair).await.expect(202);
    let mut again = plan;
    again["only"] = json!("failed");
    let done = run(&server, &admin, &import, again).await;
    assert_eq!(counts(&done), json!({"new": 2}), "{done}");
    let objects = objects_of(&admin, type_id).await;
    let ids = values_of_ids(&objects);
    assert_eq!(values(&objects, "parent"), [json!(ids[1]), json!(ids[0])]);
    let undone = undo(&server, &admin, &import).await;
    assert_eq!(
        objects_of(&admin, type_id).await.len(),
        0,
        "they referred to each other: {undone}"
    );
}

#[apply(both)]
async fn a_repaired_row_is_checked_alone(server: TestServer) {
    let admin = server.admin();
    let type_id = hosts(&admin).await;
    let import = upload(&admin, "hosts.csv", "name,serial\na,SN-1\nb,wrong\n").await;
    let plan = json!({"type_id": type_id, "dry_run": true});
    let mut only = plan.clone();
    only["only"] = json!("failed");
    let refused = admin.post(&at(&import, "/run"), only.clone()).await;
    assert_eq!(
        refused.expect(400).problem()["errors"][0]["pointer"],
        "/only"
    );
    let checked = run(&server, &admin, &import, plan).await;
    assert_eq!(counts(&checked), json!({"new": 1, "error": 1}), "{checked}");
    let repair = json!({"rows": [{"row": 3, "cells": {"serial": "SN-2"}}]});
    let _ = admin.patch(&at(&import, "/rows"), repair).await.expect(202);
    let checked = run(&server, &admin, &import, only).await;
    assert_eq!(counts(&checked), json!({"new": 2}), "{checked}");
    assert!(objects_of(&admin, type_id).await.is_empty());
}

#[apply(both)]
async fn progress_comes_as_events_until_the_end(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host", &[field("text", "name")]).await;
    let import = upload(&admin, "hosts.csv", format!("name\n{}", lines(0..MANY))).await;
    let _ = admin
        .post(&at(&import, "/run"), json!({"type_id": type_id}))
        .await
        .expect(202);
    let headers = [("accept", "text/event-stream")];
    let path = at(&import, "");
    let (events, ran) = tokio::join!(
        admin.send(Method::GET, &path, &headers, Vec::new()),
        server.service().finish(Imports::default())
    );
    ran.unwrap();
    let events = String::from_utf8(events.expect(200).body).unwrap();
    let states: Vec<Value> = events
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str::<Value>(data).unwrap()["state"].clone())
        .collect();
    assert_eq!(states.last(), Some(&json!("done")), "{events}");
}

#[apply(both)]
async fn an_interrupted_import_is_continued_where_it_was(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host", &[field("text", "name")]).await;
    let rows = lines((0..MANY).map(|row| row % 2_200));
    let import = upload(&admin, "hosts.csv", format!("name\n{rows}")).await;
    let body = json!({"type_id": type_id, "key": ["name"], "policy": "skip"});
    let _ = admin.post(&at(&import, "/run"), body).await.expect(202);
    assert!(
        server
            .service()
            .step(Imports { most: Some(1) })
            .await
            .unwrap()
    );
    let half = read(&admin, &import).await;
    assert_eq!(
        [&half["state"], &half["counts"]["new"]],
        [&json!("importing"), &json!(1_000)]
    );
    // The node forgets the keys of its rows over this many others.
    for _ in 0..8 {
        let other = upload(&admin, "hosts.csv", "name\nhost-1\n").await;
        let body = json!({"type_id": type_id, "key": ["name"]});
        let _ = admin.post(&at(&other, "/run"), body).await;
        assert!(
            server
                .service()
                .step(Imports { most: Some(1) })
                .await
                .unwrap()
        );
    }
    server.service().finish(Imports::default()).await.unwrap();
    let done = read(&admin, &import).await;
    assert_eq!(
        counts(&done),
        json!({"new": 2_200, "duplicate": 200}),
        "{done}"
    );
    assert_eq!(objects_of(&admin, type_id).await.len(), 2_200);
}

#[apply(both)]
async fn transactions_are_short_while_clients_write(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host", &[field("text", "name")]).await;
    for (pause, in_one) in [(0, 1_000), (1, MANY)] {
        let import = upload(&admin, "hosts.csv", format!("name\n{}", lines(0..MANY))).await;
        let _ = admin
            .post(&at(&import, "/run"), json!({"type_id": type_id}))
            .await
            .expect(202);
        server.advance(Duration::from_secs(pause));
        assert!(
            server
                .service()
                .step(Imports {
                    most: Some(i64::MAX)
                })
                .await
                .unwrap()
        );
        let after = read(&admin, &import).await;
        assert_eq!(after["counts"]["new"], in_one, "{after}");
        server.service().finish(Imports::default()).await.unwrap();
        let done = read(&admin, &import).await;
        assert_eq!(counts(&done), json!({"new": MANY}), "{done}");
    }
}

#[apply(both)]
async fn two_imports_at_once_make_no_duplicates(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host", &[field("text", "name")]).await;
    let rows = lines(0..MANY);
    for _ in 0..2 {
        let import = upload(&admin, "hosts.csv", format!("name\n{rows}")).await;
        let body = json!({"type_id": type_id, "key": ["name"], "policy": "skip"});
        let _ = admin.post(&at(&import, "/run"), body).await.expect(202);
    }
    server.advance(Duration::from_secs(1));
    let service = server.service();
    let (first, second) = tokio::join!(
        service.finish(Imports::default()),
        service.finish(Imports::default())
    );
    first.unwrap();
    second.unwrap();
    let mut names = values(&objects_of(&admin, type_id).await, "name");
    names.sort_by_key(ToString::to_string);
    names.dedup();
    assert_eq!(names.len(), MANY);
    assert_eq!(objects_of(&admin, type_id).await.len(), MANY);
}

#[apply(both)]
async fn a_proposed_type_takes_the_file(server: TestServer) {
    let admin = server.admin();
    let file = "public_id,Serial No.,Größe,Größe,active\n,a,1,true,yes\n,b,2,no,no\n";
    let import = upload(&admin, "Neue%20Ger%C3%A4te.csv", file).await;
    let made = admin
        .post("/rest/types/", import["proposed_type"].clone())
        .await
        .expect(200);
    let type_id = made.member("result_id").as_i64().unwrap();
    let done = run(&server, &admin, &import, json!({"type_id": type_id})).await;
    assert_eq!(counts(&done), json!({"new": 2}), "{done}");
    let objects = objects_of(&admin, type_id).await;
    assert_eq!(values(&objects, "serial_no"), ["a", "b"]);
    assert_eq!(values(&objects, "größe"), [1, 2]);
    assert_eq!(
        [&objects[0]["active"], &objects[1]["active"]],
        [true, false]
    );
}

#[apply(both)]
async fn rights_are_asked_for_every_chunk(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host", &[field("text", "name")]).await;
    let rights = ["base.import.object.*", "base.framework.object.*"];
    let user = server.user_with(&rights).await.client;
    let rows = lines(0..MANY);
    let import = upload(&user, "hosts.csv", format!("name\n{rows}")).await;
    let _ = user
        .post(&at(&import, "/run"), json!({"type_id": type_id}))
        .await
        .expect(202);
    assert!(
        server
            .service()
            .step(Imports { most: Some(1) })
            .await
            .unwrap()
    );
    restrict(&admin, type_id, 1, &["CREATE", "READ", "UPDATE", "DELETE"]).await;
    server.service().finish(Imports::default()).await.unwrap();
    let ended = read(&admin, &import).await;
    assert_eq!(
        [&ended["state"], &ended["counts"]["new"]],
        [&json!("failed"), &json!(1_000)],
        "{ended}"
    );
    let refused = user
        .post(&at(&import, "/run"), json!({"type_id": type_id}))
        .await;
    assert_eq!(refused.status, 403);
}

#[apply(both)]
async fn users_have_a_few_imports(server: TestServer) {
    let admin = server.admin();
    let mut last = Value::Null;
    for _ in 0..20 {
        last = upload(&admin, "hosts.csv", "name\na\n").await;
    }
    let file = b"name\na\n".to_vec();
    let refused = admin
        .send(Method::POST, IMPORTS, &[], file)
        .await
        .expect(429);
    assert!(!refused.header("retry-after").is_empty());
    let _ = admin.delete(&at(&last, "")).await.expect(200);
    upload(&admin, "hosts.csv", "name\na\n").await;
}

#[apply(both)]
async fn passwords_and_unknown_fields_are_refused(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(
        &admin,
        "host",
        &[field("text", "name"), field("password", "console")],
    )
    .await;
    let import = upload(&admin, "hosts.csv", "name,console\na,secret\n").await;
    for (columns, pointer) in [
        (json!({"console": "console"}), "/columns/console"),
        (json!({"name": "nothing"}), "/columns/name"),
        (json!({"other": "name"}), "/columns/other"),
        (json!({}), "/columns"),
        (
            json!({"name": {"field": "name", "by": "x"}}),
            "/columns/name/by",
        ),
    ] {
        let body = json!({"type_id": type_id, "columns": columns});
        let refused = admin.post(&at(&import, "/run"), body).await.expect(400);
        assert_eq!(refused.json()["errors"][0]["pointer"], pointer, "{refused}");
    }
    assert_eq!(read(&admin, &import).await["state"], "ready");
}

#[apply(both)]
async fn files_that_cannot_be_read_leave_nothing(engine: Engine) {
    let mut setup = Setup::default();
    setup.http.bodies.import_bytes = 100_000;
    let server = setup.start(engine).await;
    let admin = server.admin();
    let long = format!("name\n{}", "x\n".repeat(60_000));
    let damaged = [&b"PK\x03\x04"[..], &[0; 100]].concat();
    for (file, expected) in [
        (Vec::new(), "it has no rows"),
        (damaged, "the file cannot be read"),
        (b"%PDF-1.7\n".to_vec(), "PDF"),
        (long.into_bytes(), "100000 bytes"),
        (b"[{\"a\": 1}".to_vec(), "the file cannot be read"),
    ] {
        let refused = admin.send(Method::POST, IMPORTS, &[], file).await;
        assert!([400, 413].contains(&refused.status), "{refused}");
        assert!(
            refused.json()["detail"]
                .as_str()
                .unwrap()
                .contains(expected),
            "{refused}"
        );
    }
    assert_eq!(admin.get(IMPORTS).await.expect(200).member("total"), 0);
}

pub(crate) fn values_of_ids(objects: &[Value]) -> Vec<i64> {
    objects
        .iter()
        .map(|object| object["public_id"].as_i64().unwrap())
        .collect()
}

pub(crate) fn lines(numbers: impl Iterator<Item = usize>) -> String {
    let lines: Vec<String> = numbers.map(|number| format!("host-{number}\n")).collect();
    lines.concat()
}
