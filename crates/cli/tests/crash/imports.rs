//! An import whose servers are killed makes exactly the objects of its file, once each.

use std::collections::HashSet;

use fastrand::Rng;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::client::{Client, Request};
use crate::database::Database;
use crate::process::Server;

const ROWS: u64 = 4_000;
/// Every so many rows refer to the next one, which a second pass sets.
const REFERRING: u64 = 4;
const KILLS: usize = 4;

#[test]
fn a_killed_server_goes_on_with_its_import_on_sqlite() {
    run(&Database::sqlite(), 1);
}

#[test]
fn a_killed_server_goes_on_with_its_import_on_postgres() {
    run(&Database::postgres(), 1);
}

#[test]
fn other_nodes_go_on_with_the_import_of_a_killed_one_on_postgres() {
    run(&Database::postgres(), 3);
}

fn run(database: &Database, nodes: usize) {
    let mut random = Rng::with_seed(7);
    let start = |_| Server::start(database.serve());
    let mut servers: Vec<Server> = (0..nodes).map(start).collect();
    let first = Client::admin(servers[0].url());
    let type_id = make_type(&first);
    let import = begin(&first, type_id);
    for _ in 0..KILLS {
        // The kill comes some chunks later, at any point of one.
        let more = random.u64(300..900);
        let client = first.at(servers[0].url());
        let rows = (done(&client, &import) + more).min(ROWS - 600);
        wait_for(&client, &import, rows);
        kill(database, &mut servers, &mut random);
    }
    let client = first.at(servers[0].url());
    let ended = end(&client, &import);
    assert_eq!(ended["state"], "done", "{ended}");
    assert_eq!(ended["counts"]["new"], ROWS, "{ended}");
    check_objects(&client, type_id);
    let problems = database.check().err();
    assert_eq!(problems, None);
}

/// Kills a server a moment later, and starts another one.
pub(crate) fn kill(database: &Database, servers: &mut Vec<Server>, random: &mut Rng) {
    for _ in 0..random.u32(0..3_000_000) {
        std::hint::spin_loop();
    }
    let victim = servers.remove(random.usize(..servers.len()));
    victim.signal(Signal::KILL);
    let _ = victim.ended();
    if servers.is_empty() {
        database.settle();
    }
    database.free_leases();
    servers.push(Server::start(database.serve()));
}

pub(crate) fn make_type(client: &Client) -> i64 {
    let body = json!({
        "name": "host", "label": "Host", "author_id": 1,
        "fields": [
            {"type": "text", "name": "name", "label": "Name"},
            {"type": "ref", "name": "next", "label": "Next"},
        ],
        "render_meta": {
            "sections": [{"type": "section", "name": "all", "label": "All", "fields": ["name", "next"]}],
            "summary": {"fields": ["name"]}, "externals": [], "icon": null,
        },
    });
    let made = send(client, "POST", "/rest/types", body);
    made["result_id"].as_i64().expect("an id")
}

/// Uploads the file and starts the import. Returns its path.
fn begin(client: &Client, type_id: i64) -> String {
    let rows = (0..ROWS).map(|row| {
        let next = (row % REFERRING == 0).then(|| format!("host {}", row + 1));
        json!({"name": format!("host {row}"), "next": next})
    });
    let next = json!({"field": "next", "by": "name", "types": [type_id]});
    let plan = json!({
        "type_id": type_id, "key": ["name"], "columns": {"name": "name", "next": next},
    });
    start(client, rows.collect(), plan)
}

/// Uploads a file and runs it. Returns the path of the import.
pub(crate) fn start(client: &Client, rows: Vec<Value>, plan: Value) -> String {
    let upload = send(client, "POST", "/rest/imports?format=json", rows.into());
    let path = format!("/rest/imports/{}", upload["result"]["id"]);
    send(client, "POST", &format!("{path}/run"), plan);
    path
}

pub(crate) fn send(client: &Client, method: &'static str, path: &str, body: Value) -> Value {
    let answer = client.send(&Request::new("import", method, path, Some(body)));
    let answer = answer.expect("an answer");
    assert!(answer.is_success(), "{answer:?}");
    answer.body
}

/// How many rows are done.
fn done(client: &Client, import: &str) -> u64 {
    rows_done(&client.get(import).body["result"])
}

fn rows_done(import: &Value) -> u64 {
    let counts = import["counts"].as_object().expect("counts").values();
    counts.filter_map(Value::as_u64).sum()
}

/// Waits until so many rows are done.
pub(crate) fn wait_for(client: &Client, import: &str, rows: u64) {
    // An import gives way to requests, so that it must not be asked again and again.
    let is_enough = |now: &Value| rows_done(now) >= rows;
    while !client.events(import).any(|now| is_enough(&now)) {}
}

/// Waits for the end of an import, and returns it.
pub(crate) fn end(client: &Client, import: &str) -> Value {
    loop {
        let mut events = client.events(import);
        if let Some(ended) = events.find(|now| now["state"] != "importing") {
            return ended;
        }
    }
}

pub(crate) fn objects_of(client: &Client, type_id: i64) -> Vec<Value> {
    let filter = format!("%7B%22type_id%22:{type_id}%7D");
    let list = client.get(&format!("/rest/objects?limit=0&filter={filter}"));
    list.body["results"].as_array().expect("objects").clone()
}

fn check_objects(client: &Client, type_id: i64) {
    let objects = objects_of(client, type_id);
    let field = |object: &Value, index: usize| object["fields"][index]["value"].clone();
    let names: HashSet<String> = objects
        .iter()
        .map(|object| field(object, 0).to_string())
        .collect();
    let counts = [objects.len(), names.len()];
    assert_eq!(json!(counts), json!([ROWS, ROWS]));
    let referring = objects.iter().filter(|object| !field(object, 1).is_null());
    assert_eq!(json!(referring.count()), ROWS / REFERRING);
}
