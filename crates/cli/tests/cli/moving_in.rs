//! The files of `docs/moving-in`: types for the exports of other systems, and bodies of imports.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::tempdir;

use crate::client::Client;
use crate::process::{ADMIN_PASSWORD, Server, run, serve, stockroom};

const PATIENCE: Duration = Duration::from_secs(60);

fn folder(system: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs/moving-in")
        .join(system)
}

/// A server with the types of a system, and a client of it.
fn prepared(system: &str, data: &Path) -> (Server, Client) {
    let server = Server::start(serve(data));
    let (_, login) = Client::anonymous(&server).login("admin", ADMIN_PASSWORD);
    let token = login["token"].as_str().expect("a token").to_owned();
    let mut apply = stockroom(&["apply", "-f"]);
    apply
        .arg(folder(system).join("types.yaml"))
        .env("STOCKROOM_SERVER", server.url())
        .env("STOCKROOM_TOKEN", &token);
    let _ = run(&mut apply).succeeded();
    let client = Client::anonymous(&server).with_token(&token);
    (server, client)
}

/// Imports the sample of a file, and returns the import after its end.
fn import(client: &Client, system: &str, file: &str, type_name: &str) -> Value {
    let (_, types) = client.get("/rest/types/?limit=0");
    let all = types["results"].as_array().expect("types");
    let found = all.iter().find(|known| known["name"] == type_name);
    let type_id = found.expect("the type")["public_id"].clone();
    let sample = fs::read(folder(system).join(format!("samples/{file}.csv"))).expect("a sample");
    let path = format!("/rest/imports?file_name={file}.csv");
    let (status, uploaded) = client.upload(&path, &sample);
    assert!((200..300).contains(&status), "{file}: {status} {uploaded}");
    let body = fs::read(folder(system).join(format!("{file}.json"))).expect("a body");
    let mut body: Value = serde_json::from_slice(&body).expect("JSON");
    body["type_id"] = type_id;
    let path = format!("/rest/imports/{}", bare(&uploaded)["id"]);
    let (status, started) = client.send("POST", &format!("{path}/run"), Some(&body));
    assert!((200..300).contains(&status), "{file}: {status} {started}");
    let began = Instant::now();
    loop {
        let (_, answer) = client.get(&path);
        let import = bare(&answer);
        if !import["ended_at"].is_null() {
            return import.clone();
        }
        assert!(began.elapsed() < PATIENCE, "{file}: {answer}");
    }
}

/// The import in an answer.
fn bare(answer: &Value) -> &Value {
    answer.get("result").unwrap_or(answer)
}

fn check(system: &str, files: &[(&str, &str)]) -> (tempfile::TempDir, Server, Client) {
    let data = tempdir().expect("a directory");
    let (server, client) = prepared(system, data.path());
    for (file, type_name) in files {
        for verdict in ["new", "unchanged"] {
            let import = import(&client, system, file, type_name);
            let rows = &import["rows"];
            assert!(rows.as_i64() >= Some(2), "{file}: {import}");
            assert_eq!(&import["counts"][verdict], rows, "{file}: {import}");
        }
    }
    (data, server, client)
}

#[test]
fn the_exports_of_netbox_are_imported_with_their_references() {
    let files = [
        ("sites", "netbox-site"),
        ("racks", "netbox-rack"),
        ("devices", "netbox-device"),
        ("interfaces", "netbox-interface"),
        ("prefixes", "netbox-prefix"),
        ("ip-addresses", "netbox-ip-address"),
    ];
    let (_data, _server, client) = check("netbox", &files);
    let (_, device) = client.get("/rest/objects/6");
    let shown = &device["type_information"];
    assert_eq!(shown["summary_line"], "web-1 | 1", "{device}");
    let (_, device) = client.get("/rest/objects/6/native");
    let rack = json!({"name": "rack", "value": 3});
    assert_eq!(device["fields"][4], rack, "the R1 of its site: {device}");
    let (_, interface) = client.get("/rest/objects/8/native");
    assert_eq!(
        interface["fields"][5],
        json!({"name": "enabled", "value": true})
    );
}

#[test]
fn the_exports_of_snipe_it_are_imported() {
    let files = [
        ("users", "snipe-user"),
        ("assets", "snipe-asset"),
        ("licences", "snipe-licence"),
    ];
    let (_data, _server, client) = check("snipe-it", &files);
    let (_, asset) = client.get("/rest/objects/3");
    let line = &asset["type_information"]["summary_line"];
    assert_eq!(*line, "A-0005 | Jane's laptop", "{asset}");
}
