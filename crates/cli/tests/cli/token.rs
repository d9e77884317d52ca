//! `stockroom token`

use serde_json::{Value, json};
use tempfile::tempdir;

use crate::client::Client;
use crate::process::{Ended, Server, run, serve, stockroom};

fn token(data: &std::path::Path, name: &str) -> Ended {
    run(stockroom(&["token", name, "--data"]).arg(data))
}

/// Every operation under `/rest` that needs a token, with ids filled in. Operations that end the
/// token come last.
fn operations(document: &Value) -> Vec<(String, String)> {
    let paths = document["paths"].as_object().unwrap();
    let mut operations: Vec<(String, String)> = paths
        .iter()
        .filter(|(path, _)| path.starts_with("/rest/"))
        .filter(|(path, _)| !matches!(path.as_str(), "/rest/auth/login" | "/rest/openapi.json"))
        .flat_map(|(path, item)| {
            let path = path.replace(['{', '}'], "~");
            let filled = path.split('~').enumerate();
            let filled = filled.map(|(number, part)| if number % 2 == 0 { part } else { "1" });
            let path: String = filled.collect();
            let methods = item.as_object().unwrap().keys();
            methods.map(move |method| (method.to_uppercase(), path.clone()))
        })
        .filter(|(method, _)| {
            ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].contains(&method.as_str())
        })
        .collect();
    operations.sort_by_key(|(_, path)| path.starts_with("/rest/auth/"));
    operations
}

#[test]
fn a_token_made_beside_a_running_server_opens_every_route() {
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    let anonymous = Client::anonymous(&server);
    let (_, document) = anonymous.get("/rest/openapi.json");
    let operations = operations(&document);
    assert!(operations.len() > 40, "{operations:?}");
    let mut printed = token(data.path(), "admin").succeeded();
    for (method, path) in operations {
        let body = json!({});
        let client = anonymous.with_token(printed.trim());
        let body = (!matches!(method.as_str(), "GET" | "HEAD")).then_some(&body);
        let (status, answer) = client.send(&method, &path, body);
        assert!(
            !matches!(status, 401 | 403) && status < 500,
            "{method} {path}: {status} {answer}"
        );
        assert_eq!(
            anonymous.send(&method, &path, body).0,
            401,
            "{method} {path}"
        );
        if path.starts_with("/rest/auth/") {
            printed = token(data.path(), "admin").succeeded();
        }
    }
}

#[test]
fn it_acts_for_the_user_that_it_names() {
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    let user = json!({"user_name": "Paul", "password": "x", "group_id": 2, "active": true});
    let id = Client::admin(&server).insert("/rest/users", &user);
    let printed = token(data.path(), "paul").succeeded();
    let paul = Client::anonymous(&server).with_token(printed.trim());
    let (status, answer) = paul.get(&format!("/rest/users/{id}"));
    assert_eq!(
        (status, &answer["result"]["user_name"]),
        (200, &json!("Paul"))
    );
    let group = json!({"name": "porters", "label": "Porters", "rights": []});
    assert_eq!(paul.send("POST", "/rest/groups", Some(&group)).0, 403);
}

#[test]
fn it_ends_as_any_token_of_the_user_does() {
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    let admin = Client::admin(&server);
    let user = json!({"user_name": "paul", "password": "x", "group_id": 1, "active": true});
    let id = admin.insert("/rest/users", &user);
    let printed = token(data.path(), "paul").succeeded();
    let paul = Client::anonymous(&server).with_token(printed.trim());
    assert_eq!(paul.get("/rest/users").0, 200);
    let path = format!("/rest/users/{id}");
    assert_eq!(
        admin
            .send("PATCH", &path, Some(&json!({"active": false})))
            .0,
        202
    );
    assert_eq!(paul.get("/rest/users").0, 401);
}

#[test]
fn there_is_none_for_an_unknown_or_inactive_user_or_without_a_database() {
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    let user = json!({"user_name": "paul", "password": "x", "group_id": 2, "active": false});
    Client::admin(&server).insert("/rest/users", &user);
    let nowhere = tempdir().unwrap();
    for (data, name, expected) in [
        (data.path(), "paul", "user paul is not active"),
        (data.path(), "paula", "user paula"),
        (nowhere.path(), "admin", "there is no database in"),
    ] {
        let message = token(data, name).failed();
        assert!(message.contains(expected), "{name}: {message}");
    }
    assert_eq!(std::fs::read_dir(nowhere.path()).unwrap().count(), 0);
}
