//! `stockroom user set-password`

use std::path::Path;

use tempfile::tempdir;

use crate::client::Client;
use crate::process::{ADMIN_PASSWORD, Ended, Server, run_with_input, serve, stockroom};

fn set_password(data: &Path, name: &str, input: &str) -> Ended {
    let mut command = stockroom(&["user", "set-password", name, "--data"]);
    run_with_input(command.arg(data), input)
}

#[test]
fn a_new_password_is_set_while_the_server_is_stopped_and_ends_all_tokens() {
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    let (_, login) = Client::anonymous(&server).login("admin", ADMIN_PASSWORD);
    let token = login["token"].as_str().unwrap().to_owned();
    server.stopped();

    let set = set_password(data.path(), "ADMIN", "another one ü\r\n");
    assert!(!set.err.contains("another one"), "{set:?}");
    assert!(!set.succeeded().contains("another one"));

    let server = Server::start(serve(data.path()));
    let client = Client::anonymous(&server);
    assert_eq!(client.with_token(&token).get("/rest/users/1").0, 401);
    assert_eq!(client.login("admin", ADMIN_PASSWORD).0, 401);
    assert_eq!(client.login("admin", "another one ü").0, 200);
}

#[test]
fn it_is_refused_while_the_server_runs() {
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    let message = set_password(data.path(), "admin", "another one\n").failed();
    assert!(
        message.contains("is in use by another process"),
        "{message}"
    );
    assert_eq!(
        Client::anonymous(&server).login("admin", ADMIN_PASSWORD).0,
        200
    );
}

#[test]
fn what_cannot_be_set_is_refused_and_changes_nothing() {
    let data = tempdir().unwrap();
    Server::start(serve(data.path())).stopped();
    let nowhere = tempdir().unwrap();
    for (data, name, input, expected) in [
        (
            data.path(),
            "admin",
            "",
            "a password is 1 to 1024 bytes long",
        ),
        (
            data.path(),
            "admin",
            "\n",
            "a password is 1 to 1024 bytes long",
        ),
        (
            data.path(),
            "admin",
            &"x".repeat(1_025),
            "a password is 1 to 1024 bytes long",
        ),
        (data.path(), "paula", "another one\n", "user paula"),
        (
            nowhere.path(),
            "admin",
            "another one\n",
            "there is no database in",
        ),
    ] {
        let message = set_password(data, name, input).failed();
        assert!(message.contains(expected), "{message}");
    }
    assert_eq!(std::fs::read_dir(nowhere.path()).unwrap().count(), 0);
    let server = Server::start(serve(data.path()));
    assert_eq!(
        Client::anonymous(&server).login("admin", ADMIN_PASSWORD).0,
        200
    );
}
