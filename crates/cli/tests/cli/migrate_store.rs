//! `stockroom migrate-store`

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use stockroom_testkit::DATABASE;
use tempfile::tempdir;

use crate::client::Client;
use crate::process::{ADMIN_PASSWORD, Ended, Server, run, serve, stockroom};

/// A new schema on the test server.
pub(crate) struct Schema {
    pub(crate) url: String,
    pub(crate) name: String,
}

impl Schema {
    pub(crate) fn new(name: &str) -> Self {
        let url = std::env::var(DATABASE).expect("a server: `cargo xtask with-postgres`");
        let name = format!("cli_{}_{name}", std::process::id());
        Self { url, name }
    }

    pub(crate) fn serve(&self) -> Command {
        let mut command = stockroom(&["serve", "--listen", "127.0.0.1:0"]);
        command
            .env("STOCKROOM_DATABASE", &self.url)
            .env("STOCKROOM_DATABASE_SCHEMA", &self.name)
            .env("STOCKROOM_ADMIN_PASSWORD", ADMIN_PASSWORD);
        command
    }
}

fn migrate(from: &Path, to: &Path) -> Ended {
    run(stockroom(&["migrate-store", "--from"])
        .arg(from)
        .arg("--to")
        .arg(to))
}

fn path(id: &Value) -> String {
    format!("/rest/objects/{id}/native")
}

/// Starts a server and inserts an object with a password field, encrypted by a key in the database.
/// Returns the object's id and a token.
pub(crate) fn fill(data: &Path) -> (Value, String) {
    let server = Server::start(serve(data));
    let admin = Client::admin(&server);
    let fields = json!([{"type": "text", "name": "name", "label": "Name"}, {"type": "password", "name": "code", "label": "Code"}]);
    let body = json!({"name": "safe", "author_id": 1, "fields": fields});
    let safe = admin.insert("/rest/types/", &body);
    let fields =
        json!([{"name": "name", "value": "vault"}, {"name": "code", "value": "open sesame"}]);
    let body = json!({"type_id": safe, "author_id": 1, "fields": fields});
    let id = admin.insert("/rest/objects/", &body);
    let (_, login) = Client::anonymous(&server).login("admin", ADMIN_PASSWORD);
    server.stopped();
    (id, login["token"].as_str().expect("a token").to_owned())
}

/// The object as a server shows it for a token of the previous server.
pub(crate) fn told(command: Command, id: &Value, token: &str) -> Value {
    let server = Server::start(command);
    let client = Client::anonymous(&server).with_token(token);
    let (status, object) = client.get(&path(id));
    assert_eq!(status, 200, "{object}");
    server.stopped();
    object
}

#[test]
fn a_server_goes_on_with_postgres_and_back_with_its_keys_and_tokens() {
    let (first, last) = (tempdir().unwrap(), tempdir().unwrap());
    let schema = Schema::new("goes_on");
    let (id, token) = fill(first.path());
    let before = told(serve(first.path()), &id, &token);
    assert_eq!(before["fields"][1]["value"], "open sesame");

    let there = run(stockroom(&["migrate-store", "--from"])
        .arg(first.path())
        .env("STOCKROOM_MIGRATE_TO", &schema.url)
        .env("STOCKROOM_MIGRATE_TO_SCHEMA", &schema.name));
    let there = there.succeeded();
    let back = run(stockroom(&["migrate-store", "--to"])
        .arg(last.path())
        .args(["--from", &schema.url, "--from-schema", &schema.name]));
    assert!(back.err.contains("Stop them before this ends"), "{back:?}");
    assert_eq!(back.succeeded(), there);
    assert!(there.contains("copied and verified; sha256 "), "{there}");

    assert_eq!(told(schema.serve(), &id, &token), before);
    assert_eq!(told(serve(last.path()), &id, &token), before);
    assert_eq!(told(serve(first.path()), &id, &token), before);
}

#[test]
fn what_cannot_be_copied_is_refused_with_a_reason() {
    let (full, other, nowhere) = (tempdir().unwrap(), tempdir().unwrap(), tempdir().unwrap());
    Server::start(serve(full.path())).stopped();
    Server::start(serve(other.path())).stopped();
    let target = nowhere.path().join("new");
    let cases = [
        (full.path(), full.path(), "is both source and target"),
        (full.path(), other.path(), "holds records already"),
        (nowhere.path(), &target, "there is no database in"),
        (
            full.path(),
            Path::new("mysql://u:geheim@db/x"),
            "a URL that starts with postgres://",
        ),
        (
            full.path(),
            Path::new("postgres://u:geheim@127.0.0.1:1/x"),
            "cannot write to the target",
        ),
    ];
    for (from, to, expected) in cases {
        let message = migrate(from, to).failed();
        assert!(message.contains(expected), "{message}");
        assert!(!message.contains("geheim"), "{message}");
    }
    assert!(!target.exists());
    let server = Server::start(serve(full.path()));
    let message = migrate(full.path(), &target).failed();
    assert!(
        message.contains("is in use by another process"),
        "{message}"
    );
    server.stopped();
    let message = run(stockroom(&["migrate-store", "--from"]).arg(full.path())).failed();
    assert!(message.contains("--to must name"), "{message}");
}
