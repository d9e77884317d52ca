//! The password of the user `admin`.

use serde_json::Value;
use tempfile::tempdir;

use crate::client::Client;
use crate::process::{ADMIN_PASSWORD, Server, serve, stockroom};

const SHOWN: &str = "The user admin was made with the password ";

#[test]
fn without_a_configured_password_a_random_one_is_shown_once_and_outside_of_the_log() {
    let data = tempdir().unwrap();
    let arguments = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--log",
        "trace",
        "--data",
    ];
    let command = || {
        let mut command = stockroom(&arguments);
        command.arg(data.path());
        command
    };
    let mut server = Server::start(command());
    server.wait_for_log("It is shown this once.");
    let client = Client::anonymous(&server);
    let first = server.logged().to_owned();
    let password = first
        .lines()
        .find_map(|line| line.strip_prefix(SHOWN))
        .unwrap();
    assert_eq!(client.login("admin", password).0, 200);
    let log = server.stopped();
    assert_eq!(log.matches(password).count(), 1, "{log}");
    let records = log
        .lines()
        .filter(|line| serde_json::from_str::<Value>(line).is_ok());
    assert!(!records.collect::<String>().contains(password));

    let server = Server::start(command());
    assert_eq!(Client::anonymous(&server).login("admin", password).0, 200);
    let log = server.stopped();
    assert!(!log.contains(SHOWN) && !log.contains(password), "{log}");
}

#[test]
fn random_passwords_differ() {
    let passwords: Vec<String> = [tempdir().unwrap(), tempdir().unwrap()]
        .iter()
        .map(|data| {
            let mut command = stockroom(&["serve", "--listen", "127.0.0.1:0", "--data"]);
            command.arg(data.path());
            let log = Server::start(command).stopped();
            let password = log.lines().find_map(|line| line.strip_prefix(SHOWN));
            password.unwrap().to_owned()
        })
        .collect();
    assert_ne!(passwords[0], passwords[1]);
    assert!(
        passwords.iter().all(|password| password.len() >= 20),
        "{passwords:?}"
    );
}

#[test]
fn a_configured_password_is_not_shown_and_counts_on_the_first_start_only() {
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    assert_eq!(
        Client::anonymous(&server).login("admin", ADMIN_PASSWORD).0,
        200
    );
    let log = server.stopped();
    assert!(
        !log.contains(ADMIN_PASSWORD) && !log.contains(SHOWN),
        "{log}"
    );

    let mut command = serve(data.path());
    command.env("STOCKROOM_ADMIN_PASSWORD", "another password");
    let server = Server::start(command);
    for (password, status) in [(ADMIN_PASSWORD, 200), ("another password", 401)] {
        assert_eq!(
            Client::anonymous(&server).login("admin", password).0,
            status
        );
    }
}

#[cfg(unix)]
#[test]
fn a_new_data_directory_is_closed_to_other_users() {
    use std::os::unix::fs::PermissionsExt as _;

    let parent = tempdir().unwrap();
    let data = parent.path().join("new").join("data");
    let _ = Server::start(serve(&data)).stopped();
    let mode = data.metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700, "{mode:o}");
}
