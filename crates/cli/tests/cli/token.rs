//! `stockroom token`

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::tempdir;

use crate::client::Client;
use crate::process::{Ended, Server, run, run_with_input, serve, stockroom};

/// A session token.
fn token(data: &Path, name: &str) -> Ended {
    run(stockroom(&["token", "session", name, "--data"]).arg(data))
}

/// `stockroom token` with these arguments.
fn manage(data: &Path, arguments: &[&str]) -> Ended {
    run(stockroom(&["token"])
        .args(arguments)
        .arg("--data")
        .arg(data))
}

fn lines(printed: &str) -> Vec<Value> {
    let lines = printed.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().unwrap()
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
        // HEAD is GET, and this client reads no compressed answer without a body.
        .filter(|(method, _)| ["GET", "POST", "PUT", "PATCH", "DELETE"].contains(&method.as_str()))
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
        let body = (method != "GET").then_some(&body);
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
    assert_eq!(fs::read_dir(nowhere.path()).unwrap().count(), 0);
}

#[test]
fn an_api_token_is_made_listed_and_revoked_while_the_server_is_stopped() {
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    Client::admin(&server).insert("/rest/types", &json!({"name": "site", "author_id": 1}));
    server.stopped();
    let create = [
        "create",
        "ADMIN",
        "--name",
        "Nightly import",
        "--read-only",
        "--right",
        "base.framework.object.view",
        "--right",
        "base.framework.log.view",
        "--type",
        "1",
        "--network",
        "127.0.0.0/8",
        "--network",
        "::1",
        "--expires",
        "2999-12-31",
    ];
    let secret = manage(data.path(), &create).succeeded();
    let secret = secret.trim();
    assert!(
        secret.starts_with("stk_") && !secret.contains('\n'),
        "{secret}"
    );
    let other = manage(data.path(), &["create", "admin", "--name", "whole"]).succeeded();
    let listed = manage(data.path(), &["list"]).succeeded();
    assert!(!listed.contains(secret), "{listed}");
    let listed = lines(&listed);
    assert_eq!(listed.len(), 2);
    let expected = json!({
        "public_id": 1, "user_id": 1, "name": "Nightly import", "prefix": &secret[..10],
        "rights": ["base.framework.object.view", "base.framework.log.view"], "types": [1], "read_only": true,
        "networks": ["127.0.0.0/8", "::1/128"], "created_at": listed[0]["created_at"],
        "expires_at": "2999-12-31T00:00:00.000000",
        "ceiling": {"made_by": null, "rights": ["base.*"], "group_id": null, "denied": {}},
        "effective_rights": ["base.framework.object.view", "base.framework.log.view"],
        "last_used_at": null, "last_used_from": null,
    });
    assert_eq!(listed[0], expected);

    let server = Server::start(serve(data.path()));
    let [limited, whole] =
        [secret, other.trim()].map(|token| Client::anonymous(&server).with_token(token));
    assert_eq!(limited.get("/rest/objects").0, 200);
    assert_eq!(limited.get("/rest/types").0, 403);
    assert_eq!(whole.get("/rest/types").0, 200);
    let (_, history) = whole.get("/rest/tokens/1/history");
    assert_eq!(
        (
            &history["results"][0]["via"],
            &history["results"][0]["actor"]
        ),
        (&json!("command-line"), &json!(0))
    );
    let used = lines(&manage(data.path(), &["list", "admin"]).succeeded());
    assert_eq!(used.len(), 2);
    for arguments in [&["revoke", "1"][..], &["create", "admin", "--name", "x"]] {
        let message = manage(data.path(), arguments).failed();
        assert!(
            message.contains("is in use by another process"),
            "{message}"
        );
    }
    server.stopped();
    let used = lines(&manage(data.path(), &["list"]).succeeded());
    assert_eq!(used[0]["last_used_from"], "127.0.0.1");

    let revoked = manage(data.path(), &["revoke", "1"]).succeeded();
    assert!(revoked.contains("Nightly import"), "{revoked}");
    let server = Server::start(serve(data.path()));
    assert_eq!(
        Client::anonymous(&server)
            .with_token(secret)
            .get("/rest/objects")
            .0,
        401
    );
    assert_eq!(
        Client::anonymous(&server)
            .with_token(other.trim())
            .get("/rest/objects")
            .0,
        200
    );
}

#[test]
fn a_token_that_cannot_be_made_or_revoked_is_refused_with_all_reasons() {
    let data = tempdir().unwrap();
    Server::start(serve(data.path())).stopped();
    let nowhere = tempdir().unwrap();
    let create = ["create", "admin", "--name", "a"];
    let wrong = [
        "--right",
        "base.nothing",
        "--type",
        "7",
        "--network",
        "here",
        "--expires",
        "soon",
    ];
    for (data, arguments, expected) in [
        (
            data.path(),
            [&create[..], &wrong].concat(),
            &["/rights/0", "/types/0", "/networks/0", "/expires_at"][..],
        ),
        (
            data.path(),
            vec!["create", "paula", "--name", "a"],
            &["there is no user paula"],
        ),
        (data.path(), vec!["revoke", "7"], &["there is no token 7"]),
        (
            data.path(),
            vec!["list", "paula"],
            &["there is no user paula"],
        ),
        (
            nowhere.path(),
            create.to_vec(),
            &["there is no database in"],
        ),
        (nowhere.path(), vec!["list"], &["there is no database in"]),
    ] {
        let message = manage(data, &arguments).failed();
        for expected in expected {
            assert!(message.contains(expected), "{arguments:?}: {message}");
        }
    }
    assert_eq!(fs::read_dir(nowhere.path()).unwrap().count(), 0);
}

#[test]
fn a_service_account_has_neither_sessions_nor_a_password() {
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    let user = json!({"user_name": "importer", "group_id": 2, "is_service": true});
    Client::admin(&server).insert("/rest/users", &user);
    let message = token(data.path(), "importer").failed();
    assert!(message.contains("is a service account"), "{message}");
    server.stopped();
    let mut command = stockroom(&["user", "set-password", "importer", "--data"]);
    let message = run_with_input(command.arg(data.path()), "a password\n").failed();
    assert!(message.contains("is a service account"), "{message}");
    let secret = manage(data.path(), &["create", "importer", "--name", "a"]).succeeded();
    let server = Server::start(serve(data.path()));
    let client = Client::anonymous(&server).with_token(secret.trim());
    assert_eq!(client.get("/rest/objects").0, 200);
}

#[test]
fn a_token_that_cannot_be_printed_is_a_failure() {
    let data = tempdir().unwrap();
    Server::start(serve(data.path())).stopped();
    for arguments in [
        &["token", "create", "admin", "--name", "nightly"][..],
        &["token", "session", "admin"],
        &["token", "list"],
        &["check"],
    ] {
        let full = fs::File::create("/dev/full").unwrap();
        let mut command = stockroom(arguments);
        let status = command.arg("--data").arg(data.path()).stdout(full).status();
        assert!(!status.unwrap().success(), "{arguments:?}");
    }
}
