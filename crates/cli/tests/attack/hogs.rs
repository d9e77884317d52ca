//! A user who asks for all that is allowed, as often as possible, beside another one, who still
//! gets answers. A soak also checks how long those take.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::tempdir;
use tokio::io::AsyncWriteExt as _;
use tokio::task::JoinSet;

use crate::client::Client;
use crate::filters;
use crate::others::{ADDRESS, Waits};
use crate::process::{ADMIN_PASSWORD, Server, serve};
use crate::raw::{Target, status};
use crate::rounds::LONGEST_WAIT;

const OBJECTS_OF_SOAK: usize = 100_000;
const OBJECTS: usize = 2_000;
const PASSWORD: &str = "a password of a quiet user";

#[tokio::test(flavor = "multi_thread")]
async fn a_hog_leaves_answers_to_others() {
    beside_each_hog(OBJECTS, 3, None).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "measures times on a quiet machine: make soak"]
async fn others_wait_for_no_hog_again_and_again() {
    beside_each_hog(OBJECTS_OF_SOAK, 100, Some(LONGEST_WAIT)).await;
}

/// Lets each kind of hog work while another user sends requests so many times.
async fn beside_each_hog(objects: usize, rounds: usize, longest_p99: Option<Duration>) {
    let data = tempdir().unwrap();
    let mut command = serve(data.path());
    command.args(["--log", "error"]);
    let server = Server::start(command);
    let admin = Client::admin(&server);
    let (hog, other) = tokio::task::block_in_place(|| (hog(&server), quiet_user(&server, &admin)));
    let type_id = tokio::task::block_in_place(|| fill(&admin, objects));
    let mut slow = Vec::new();
    for (name, start) in HOGS {
        let running = start(&hog, type_id);
        let waits = quiet_rounds(&other, type_id, rounds).await;
        drop(running);
        println!("beside {name:<12} {waits}");
        assert_eq!(waits.failures, [""; 0], "beside {name}");
        if longest_p99.is_some_and(|longest| waits.percentile(99) > longest) {
            slow.push(name);
        }
    }
    assert_eq!(slow, [""; 0], "others waited too long");
    server.stopped();
}

fn hog(server: &Server) -> Target {
    let (_, login) = Client::anonymous(server).login("admin", ADMIN_PASSWORD);
    Target::new(server, login["token"].as_str().unwrap())
}

fn quiet_user(server: &Server, admin: &Client) -> Target {
    let user = json!({"user_name": "quiet", "password": PASSWORD, "group_id": 1});
    admin.insert("/rest/users/", &user);
    let (_, login) = Client::anonymous(server).login("quiet", PASSWORD);
    Target::new(server, login["token"].as_str().unwrap())
}

/// Makes a type with so many objects.
fn fill(admin: &Client, objects: usize) -> i64 {
    let field = |name: &str| json!({"type": "text", "name": name, "label": name});
    let fields: Vec<Value> = ["name", "note", "serial"].map(field).into();
    let body = json!({"name": "host", "label": "Host", "author_id": 1, "fields": fields});
    let type_id = admin.insert("/rest/types/", &body);
    let numbers: Vec<usize> = (0..objects).collect();
    for chunk in numbers.chunks(1_000) {
        let insert = |number: &usize| {
            let fields = json!([
                {"name": "name", "value": format!("host-{number}")},
                {"name": "note", "value": format!("a note of some length on host {number}").repeat(4)},
                {"name": "serial", "value": format!("SN{number:08}")},
            ]);
            let body = json!({"type_id": type_id, "author_id": 1, "fields": fields});
            json!({"method": "POST", "path": "/objects/", "body": body})
        };
        let operations: Vec<Value> = chunk.iter().map(insert).collect();
        let batch = json!({"operations": operations});
        let (status, answer) = admin.send("POST", "/rest/batch", Some(&batch));
        assert_eq!(status, 200, "{answer}");
    }
    type_id.as_i64().unwrap()
}

/// The requests of a user who works with the inventory, on connections of their own.
async fn quiet_rounds(other: &Target, type_id: i64, rounds: usize) -> Waits {
    let filter = format!("%7B%22type_id%22:{type_id},%22fields.serial%22:%22SN00000007%22%7D");
    let mut waits = Waits::default();
    for round in 0..rounds {
        let change = format!(r#"{{"version": "1.0.{round}"}}"#);
        let requests = [
            ("GET", "/rest/objects/1".to_owned(), String::new()),
            (
                "GET",
                format!("/rest/objects?filter={filter}"),
                String::new(),
            ),
            (
                "GET",
                "/rest/objects?limit=10&sort=fields.name".to_owned(),
                String::new(),
            ),
            ("PATCH", "/rest/objects/2".to_owned(), change),
        ];
        for (method, path, body) in requests {
            let began = Instant::now();
            match other
                .send_from(ADDRESS, method, &path, body.as_bytes())
                .await
            {
                Some(200) => waits.note(began.elapsed()),
                answer => waits.failures.push(format!("{method} {path}: {answer:?}")),
            }
        }
    }
    waits
}

/// Starts requests that are repeated until the set is dropped.
type Hog = fn(&Target, i64) -> JoinSet<()>;

const HOGS: [(&str, Hog); 12] = [
    ("nobody", |_, _| JoinSet::new()),
    ("lists", lists),
    ("one object", filters::of_one_object),
    ("a setting", filters::of_a_setting),
    ("rendered", rendered),
    ("writes", writes),
    ("dry runs", dry_runs),
    ("batches", batches),
    ("previews", previews),
    ("feeds", feeds),
    ("uploads", uploads),
    ("imports", imports),
];

/// Lists that test sixteen patterns on each object.
fn lists(target: &Target, type_id: i64) -> JoinSet<()> {
    let pattern = |number| json!({"fields.note": {"$regex": format!("(?i)n.*o.*t.*e.*{number}$")}});
    let patterns: Vec<Value> = (1_000_000..1_000_016).map(pattern).collect();
    let body = json!({"filter": {"type_id": type_id, "$or": patterns}});
    repeat(target, 40, "POST", "/rest/objects/query", &body)
}

/// Rendered lists of objects with many references, whose lines name a long value again and again.
fn rendered(target: &Target, _type_id: i64) -> JoinSet<()> {
    const OBJECTS: i64 = 30;
    const SHOWN: i64 = 5_001;
    const COSTLY: i64 = 5_002;
    const SHOWN_OBJECT: i64 = 5_000_000;
    let list = json!({"filter": {"type_id": COSTLY}, "view": "render", "limit": 500});
    let mut hogs = repeat(target, 16, "POST", "/rest/objects/query", &list);
    let target = target.clone();
    hogs.spawn(async move {
        let post = async |path: &str, body: Value| {
            target.send("POST", path, body.to_string().as_bytes()).await
        };
        let of_type = |id: i64, fields: Vec<Value>| json!({"public_id": id, "name": format!("hog-{id}"), "author_id": 1, "fields": fields});
        let object = |id: i64, of: i64, fields: Vec<Value>| json!({"public_id": id, "type_id": of, "author_id": 1, "fields": fields});
        let text = json!({"type": "text", "name": "f", "label": "F"});
        post("/rest/types/", of_type(SHOWN, vec![text])).await;
        let value = json!({"name": "f", "value": "x".repeat(60_000)});
        post("/rest/objects/", object(SHOWN_OBJECT, SHOWN, vec![value])).await;
        let line = json!([{"type_id": SHOWN, "line": "{f}".repeat(1_000), "label": "", "icon": ""}]);
        let names: Vec<String> = (0..500).map(|number| format!("f{number}")).collect();
        let field = |name: &String| json!({"type": "ref", "name": name, "label": "", "ref_types": [SHOWN], "summaries": line});
        post("/rest/types/", of_type(COSTLY, names.iter().map(field).collect())).await;
        let value = |name: &String| json!({"name": name, "value": SHOWN_OBJECT});
        let values: Vec<Value> = names.iter().map(value).collect();
        for number in 1..=OBJECTS {
            post("/rest/objects/", object(SHOWN_OBJECT + number, COSTLY, values.clone())).await;
        }
    });
    hogs
}

/// Inserts of long objects.
fn writes(target: &Target, type_id: i64) -> JoinSet<()> {
    let fields = json!([{"name": "note", "value": "long ".repeat(10_000)}]);
    let body = json!({"type_id": type_id, "author_id": 1, "fields": fields});
    repeat(target, 64, "POST", "/rest/objects/", &body)
}

/// Batches that are tried and rolled back.
fn dry_runs(target: &Target, type_id: i64) -> JoinSet<()> {
    let body = json!({"type_id": type_id, "author_id": 1, "fields": []});
    let insert = json!({"method": "POST", "path": "/objects/", "body": body});
    let batch = json!({"operations": vec![insert; 300]});
    repeat(target, 64, "POST", "/rest/batch?dry_run=true", &batch)
}

/// Batches that each take the writer for a second.
fn batches(target: &Target, type_id: i64) -> JoinSet<()> {
    let fields = json!([{"name": "note", "value": "long ".repeat(3_000)}]);
    let body = json!({"type_id": type_id, "author_id": 1, "fields": fields});
    let insert = json!({"method": "POST", "path": "/objects/", "body": body});
    let batch = json!({"operations": vec![insert; 1_000]});
    repeat(target, 8, "POST", "/rest/batch?dry_run=true", &batch)
}

/// Previews of a type that test every object.
fn previews(target: &Target, type_id: i64) -> JoinSet<()> {
    let field =
        |name: &str| json!({"type": "text", "name": name, "label": name, "regex": "(a|b)*c"});
    let fields: Vec<Value> = ["name", "note", "serial"].map(field).into();
    let body = json!({"public_id": type_id, "name": "host", "author_id": 1, "fields": fields});
    repeat(
        target,
        40,
        "POST",
        &format!("/rest/types/{type_id}/preview"),
        &body,
    )
}

/// Waits for changes that do not come.
fn feeds(target: &Target, _type_id: i64) -> JoinSet<()> {
    let path = "/rest/changes?after=now&wait=30";
    let mut hogs = JoinSet::new();
    for _ in 0..300 {
        let target = target.clone();
        hogs.spawn(async move {
            loop {
                target.send("GET", path, b"").await;
            }
        });
    }
    hogs
}

/// Files that never end.
fn uploads(target: &Target, _type_id: i64) -> JoinSet<()> {
    let mut hogs = JoinSet::new();
    for _ in 0..20 {
        let target = target.clone();
        hogs.spawn(async move {
            loop {
                let more = "Content-Length: 100000000\r\n";
                let head = target.head("POST", "/rest/imports?format=csv", more);
                let Ok(mut stream) = target.connect().await else {
                    continue;
                };
                let row = b"a,b\n1,2\n".repeat(1_000);
                let _ = stream.write_all(head.as_bytes()).await;
                let _ = stream.write_all(&row).await;
                status(&mut stream).await;
            }
        });
    }
    hogs
}

/// Imports of a few bytes for each object, which has half a megabyte.
fn imports(target: &Target, type_id: i64) -> JoinSet<()> {
    const LARGE: usize = 60;
    let target = target.clone();
    let mut hogs = JoinSet::new();
    hogs.spawn(async move {
        let post = async |path: &str, body: &Value| {
            target.send("POST", path, body.to_string().as_bytes()).await
        };
        for number in 0..LARGE {
            let fields = json!([
                {"name": "name", "value": format!("large-{number}")},
                {"name": "note", "value": "x".repeat(500_000)},
                {"name": "serial", "value": null},
            ]);
            let body = json!({"type_id": type_id, "author_id": 1, "fields": fields});
            post("/rest/objects/", &body).await;
        }
        // Uploads that did not end have the first ids.
        let mut last_id = 0;
        for round in 0.. {
            let rows = (0..LARGE).map(|number| format!("large-{number},{round}\n"));
            let file = format!("name,serial\n{}", rows.collect::<Vec<_>>().concat());
            let path = "/rest/imports?file_name=large.csv";
            if target.send("POST", path, file.as_bytes()).await != Some(201) {
                continue;
            }
            let body = json!({"type_id": type_id, "key": ["name"], "dry_run": round % 2 == 0});
            loop {
                last_id += 1;
                let run = format!("/rest/imports/{last_id}/run");
                if post(&run, &body).await == Some(202) {
                    break;
                }
            }
            let path = format!("/rest/imports/{last_id}");
            while target.send("DELETE", &path, b"").await != Some(200) {}
        }
    });
    hogs
}

pub(crate) fn repeat(
    target: &Target,
    clients: usize,
    method: &'static str,
    path: &str,
    body: &Value,
) -> JoinSet<()> {
    let body = body.to_string();
    let mut hogs = JoinSet::new();
    for _ in 0..clients {
        let (target, path, body) = (target.clone(), path.to_owned(), body.clone());
        hogs.spawn(async move {
            loop {
                target.send(method, &path, body.as_bytes()).await;
            }
        });
    }
    hogs
}
