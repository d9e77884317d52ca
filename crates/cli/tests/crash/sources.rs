//! An import of a source whose servers are killed gives each record one object and the right link.

use std::collections::HashMap;
use std::ops::Range;

use fastrand::Rng;
use serde_json::{Value, json};

use crate::client::Client;
use crate::database::Database;
use crate::imports::{end, kill, make_type, objects_of, send, start, wait_for};
use crate::process::Server;

/// Records of the first file.
const KNOWN: u64 = 3_500;
/// The second file lacks so many of them, which takes five transactions.
const MISSING: u64 = 2_500;
/// Records of both files.
const ALL: u64 = 5_500;
/// Rows of the second file.
const ROWS: u64 = ALL - MISSING;

#[test]
fn a_killed_server_goes_on_with_its_source_on_sqlite() {
    run(&Database::sqlite());
}

#[test]
fn a_killed_server_goes_on_with_its_source_on_postgres() {
    run(&Database::postgres());
}

fn run(database: &Database) {
    let mut random = Rng::with_seed(7);
    let mut servers = vec![Server::start(database.serve())];
    let first = Client::admin(servers[0].url());
    let type_id = make_type(&first);
    let source = json!({
        "name": "vcenter", "type_id": type_id, "columns": {"name": "name"},
        "external_key": ["uuid"], "missing": "deactivate", "missing_limit": 100,
    });
    send(&first, "POST", "/rest/sources", source);
    let known = sync(&first, 0..KNOWN, "host");
    assert_eq!(end(&first, &known)["counts"]["new"], KNOWN);
    let import = sync(&first, MISSING..ALL, "guest");
    // The kills come in chunks of rows, then in transactions of the pass over missing records.
    let passes = [
        0..ROWS / 2,
        ROWS / 2..ROWS,
        ROWS..ROWS + 500,
        ROWS + 500..ROWS + 1_000,
    ];
    for rows in passes {
        let client = first.at(servers[0].url());
        wait_for(&client, &import, random.u64(rows));
        kill(database, &mut servers, &mut random);
    }
    let client = first.at(servers[0].url());
    let ended = end(&client, &import);
    assert_eq!(ended["state"], "done", "{ended}");
    let counts = json!({"new": ALL - KNOWN, "update": KNOWN - MISSING, "missing": MISSING});
    for (status, count) in counts.as_object().expect("counts") {
        assert_eq!(ended["counts"][status], *count, "{ended}");
    }
    check_objects(&client, type_id);
    let problems = database.check().err();
    assert_eq!(problems, None);
}

/// Begins to import records, whose names start with a word.
fn sync(client: &Client, records: Range<u64>, word: &str) -> String {
    let row = |record| json!({"uuid": format!("u{record}"), "name": format!("{word} {record}")});
    let rows = records.map(row).collect();
    start(client, rows, json!({"source": "vcenter"}))
}

/// Each record has one object with its name, which is inactive if the record is missing.
fn check_objects(client: &Client, type_id: i64) {
    let links = links(client);
    let mut found: Vec<Value> = objects_of(client, type_id)
        .iter()
        .map(|object| {
            let name = &object["fields"][0]["value"];
            let link = links.get(&object["public_id"].as_i64().expect("an id"));
            json!([link, name, object["active"]])
        })
        .collect();
    let mut expected: Vec<Value> = (0..ALL)
        .map(|record| {
            let is_missing = record < MISSING;
            let word = if is_missing { "host" } else { "guest" };
            let link = json!([[format!("u{record}")], is_missing]);
            json!([link, format!("{word} {record}"), !is_missing])
        })
        .collect();
    for list in [&mut found, &mut expected] {
        list.sort_by_key(Value::to_string);
    }
    assert_eq!(found, expected);
}

/// The records of objects, and whether they are missing.
fn links(client: &Client) -> HashMap<i64, Value> {
    let mut links = HashMap::new();
    let mut after = String::new();
    loop {
        let path = format!("/rest/sources/1/objects?limit=500&after={after}");
        let page = client.get(&path).body;
        for link in page["results"].as_array().expect("links") {
            let object = link["object_id"].as_i64().expect("an id");
            let is_missing = !link["missing_since"].is_null();
            links.insert(object, json!([link["external_key"], is_missing]));
        }
        let Some(next) = page["pager"]["after"].as_str() else {
            return links;
        };
        next.clone_into(&mut after);
    }
}
