//! `stockroom key rotate`

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::tempdir;

use crate::client::Client;
use crate::migrate_store::{Schema, fill};
use crate::process::{Ended, Server, run, serve, stockroom};

const FIRST: &str = "1111111111111111111111111111111111111111111111111111111111111111";
const SECOND: &str = "2222222222222222222222222222222222222222222222222222222222222222";

fn rotate(data: &Path, keys: &[(&str, &str)]) -> Ended {
    let mut command = stockroom(&["key", "rotate", "--data"]);
    run(command.arg(data).envs(keys.iter().copied()))
}

fn with_key(mut command: Command, key: &str) -> Command {
    command.env("STOCKROOM_SECRET_KEY", key);
    command
}

/// The password that a server shows to the administrator.
fn password(command: Command, id: &Value) -> Value {
    let server = Server::start(command);
    let (status, object) = Client::admin(&server).get(&format!("/rest/objects/{id}/native"));
    assert_eq!(status, 200, "{object}");
    server.stopped();
    object["fields"][1]["value"].clone()
}

/// The message of a server that does not start.
fn refusal(mut command: Command) -> String {
    run(&mut command).failed()
}

#[test]
fn a_stored_key_is_replaced_by_a_random_one_and_tokens_end() {
    let data = tempdir().unwrap();
    let (id, token) = fill(data.path());
    for _ in 0..2 {
        let done = rotate(data.path(), &[]).succeeded();
        assert!(done.starts_with("The secrets of 1 objects"), "{done}");
        assert_eq!(password(serve(data.path()), &id), "open sesame");
    }
    let server = Server::start(serve(data.path()));
    let old = Client::anonymous(&server).with_token(&token);
    assert_eq!(old.get("/rest/auth/me").0, 401);
    let (_, sessions) = Client::admin(&server).get("/rest/auth/sessions");
    // Those of the last password and of this client.
    let sessions = sessions["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 2, "{sessions:?}");
    server.stopped();
}

#[test]
fn api_tokens_do_not_depend_on_the_key() {
    let data = tempdir().unwrap();
    Server::start(serve(data.path())).stopped();
    let create = ["token", "create", "admin", "--name", "a", "--data"];
    let secret = run(stockroom(&create).arg(data.path())).succeeded();
    rotate(data.path(), &[]).succeeded();
    let server = Server::start(serve(data.path()));
    let client = Client::anonymous(&server).with_token(secret.trim());
    assert_eq!(client.get("/rest/auth/me").0, 200);
}

#[test]
fn a_key_can_move_out_of_the_database_and_be_replaced_there() {
    let data = tempdir().unwrap();
    let (id, _) = fill(data.path());
    let done = rotate(data.path(), &[("STOCKROOM_NEW_SECRET_KEY", FIRST)]).succeeded();
    assert!(done.contains("as STOCKROOM_SECRET_KEY"), "{done}");
    let message = refusal(serve(data.path()));
    assert!(message.contains("set STOCKROOM_SECRET_KEY"), "{message}");
    let message = refusal(with_key(serve(data.path()), SECOND));
    assert!(
        message.contains("not the one of the last rotation"),
        "{message}"
    );
    assert_eq!(
        password(with_key(serve(data.path()), FIRST), &id),
        "open sesame"
    );

    let file = data.path().join("key");
    fs::write(&file, format!("{SECOND}\n")).unwrap();
    let file = file.to_str().unwrap();
    let keys = [
        ("STOCKROOM_SECRET_KEY", FIRST),
        ("STOCKROOM_NEW_SECRET_KEY_FILE", file),
    ];
    rotate(data.path(), &keys).succeeded();
    assert_eq!(
        password(with_key(serve(data.path()), SECOND), &id),
        "open sesame"
    );
    let message = rotate(data.path(), &keys).failed();
    assert!(message.contains("is in use already"), "{message}");
}

#[test]
fn a_server_does_not_take_a_new_key_for_one_that_is_missing() {
    let data = tempdir().unwrap();
    let with_first = || with_key(serve(data.path()), FIRST);
    Server::start(with_first()).stopped();
    let message = refusal(serve(data.path()));
    let way_out = "set STOCKROOM_SECRET_KEY as before";
    assert!(message.contains(way_out), "{message}");
    Server::start(with_first()).stopped();
}

#[test]
fn a_rotation_that_is_refused_changes_nothing() {
    let data = tempdir().unwrap();
    let (id, token) = fill(data.path());
    let (old, new) = ("STOCKROOM_SECRET_KEY", "STOCKROOM_NEW_SECRET_KEY");
    let cases = [
        (
            &[(old, FIRST), (new, SECOND)] as &[_],
            "object 1, field code",
        ),
        (
            &[(old, FIRST)],
            "give a new one as STOCKROOM_NEW_SECRET_KEY",
        ),
        (&[(new, "12")], "64 hexadecimal digits"),
    ];
    for (keys, expected) in cases {
        let message = rotate(data.path(), keys).failed();
        assert!(message.contains(expected), "{message}");
    }
    let server = Server::start(serve(data.path()));
    let message = rotate(data.path(), &[]).failed();
    assert!(
        message.contains("is in use by another process"),
        "{message}"
    );
    assert!(!message.contains("internal"), "{message}");
    let client = Client::anonymous(&server).with_token(&token);
    assert_eq!(client.get("/rest/auth/me").0, 200);
    server.stopped();
    assert_eq!(password(serve(data.path()), &id), "open sesame");
}

#[test]
fn a_node_with_the_old_key_writes_no_secrets() {
    let schema = Schema::new("key");
    let server = Server::start(schema.serve());
    let admin = Client::admin(&server);
    let fields = json!([{"type": "password", "name": "code", "label": "Code"}]);
    let body = json!({"name": "safe", "author_id": 1, "fields": fields});
    let safe = admin.insert("/rest/types/", &body);
    let object = |code: &Value| {
        let fields = json!([{"name": "code", "value": code}]);
        json!({"type_id": safe, "author_id": 1, "fields": fields})
    };
    let id = admin.insert("/rest/objects/", &object(&json!("open sesame")));
    let mut command = stockroom(&["key", "rotate"]);
    command
        .env("STOCKROOM_DATABASE", &schema.url)
        .env("STOCKROOM_DATABASE_SCHEMA", &schema.name);
    run(&mut command).succeeded();

    let (status, _) = admin.send("POST", "/rest/objects/", Some(&object(&json!("another"))));
    assert_eq!(status, 500);
    admin.insert("/rest/objects/", &object(&Value::Null));
    let log = server.stopped();
    assert!(log.contains("not the one of the last rotation"), "{log}");

    let server = Server::start(schema.serve());
    let admin = Client::admin(&server);
    let (_, found) = admin.get(&format!("/rest/objects/{id}/native"));
    assert_eq!(found["fields"][0]["value"], "open sesame", "{found}");
    admin.insert("/rest/objects/", &object(&json!("another")));
    server.stopped();
}
