//! Secrets never appear in the log, at any log level.

use serde_json::json;
use tempfile::tempdir;

use crate::client::Client;
use crate::process::{ADMIN_PASSWORD, Server, run, serve, stockroom};

const SECRET_KEY: &str = "c0ffee1dc0ffee1dc0ffee1dc0ffee1dc0ffee1dc0ffee1dc0ffee1dc0ffee1d";

/// Each is distinct from all other text in the log.
const SECRETS: [&str; 9] = [
    ADMIN_PASSWORD,
    SECRET_KEY,
    "wr0ng-login",
    "new-us3r-password",
    "chang3d-password",
    "r3fused-password",
    "br0ken-body-password",
    "d00r-code-one",
    "d00r-code-two",
];

/// Sends every secret to the server in every possible way, and returns the tokens.
fn tell_all(server: &Server) -> [String; 2] {
    let anonymous = Client::anonymous(server);
    assert_eq!(anonymous.login("admin", "wr0ng-login").0, 401);
    let broken = json!({"user_name": 5, "password": "br0ken-body-password"});
    assert_eq!(
        anonymous.send("POST", "/rest/auth/login", Some(&broken)).0,
        400
    );
    let (_, login) = anonymous.login("admin", ADMIN_PASSWORD);
    let token = login["token"].as_str().unwrap().to_owned();
    let admin = anonymous.with_token(&token);

    let user = json!({"user_name": "paul", "password": "new-us3r-password", "group_id": 2, "active": true});
    let user = admin.insert("/rest/users", &user);
    let refused = json!({"user_name": "paul", "password": "r3fused-password", "group_id": "none"});
    assert_eq!(admin.send("POST", "/rest/users", Some(&refused)).0, 400);
    let change = json!({"password": "chang3d-password"});
    let path = format!("/rest/users/{user}/password");
    assert!(matches!(
        admin.send("PATCH", &path, Some(&change)).0,
        200..300
    ));
    let (_, login) = anonymous.login("paul", "chang3d-password");

    let key = json!({"name": "key", "author_id": 1, "fields": [{"type": "password", "name": "code", "label": "Code"}]});
    let key = admin.insert("/rest/types", &key);
    let object = |code: &str| json!({"type_id": key, "author_id": 1, "fields": [{"name": "code", "value": code}]});
    let inserted = admin.insert("/rest/objects", &object("d00r-code-one"));
    let path = format!("/rest/objects/{inserted}");
    assert_eq!(
        admin.send("PUT", &path, Some(&object("d00r-code-two"))).0,
        200
    );
    let (_, read) = admin.get(&format!("{path}/native"));
    assert_eq!(read["fields"][0]["value"], "d00r-code-two");
    let filter = "/rest/objects?filter=%7B%22fields.value%22:%22d00r-code-one%22%7D";
    assert_eq!(admin.get(filter).0, 200);
    [token, login["token"].as_str().unwrap().to_owned()]
}

#[test]
fn no_secret_is_ever_logged() {
    let data = tempdir().unwrap();
    let mut command = serve(data.path());
    command
        .env("STOCKROOM_LOG", "trace")
        .env("STOCKROOM_SECRET_KEY", SECRET_KEY);
    let server = Server::start(command);
    let mut command = stockroom(&["token", "session", "admin", "--log", "trace", "--data"]);
    command
        .arg(data.path())
        .env("STOCKROOM_SECRET_KEY", SECRET_KEY);
    let by_command = run(&mut command);
    assert_eq!(by_command.err, "");
    let by_command = by_command.succeeded().trim().to_owned();
    let client = Client::anonymous(&server).with_token(&by_command);
    assert_eq!(client.get("/rest/users/1").0, 200);
    let tokens = tell_all(&server);

    let log = server.stopped();
    // The places that could reveal a secret did write to the log.
    for target in ["stockroom_store::sql", "\"answered\""] {
        assert!(log.contains(target), "nothing of {target} in\n{log}");
    }
    let tokens = tokens.iter().chain([&by_command]).map(String::as_str);
    for secret in SECRETS.into_iter().chain(tokens) {
        let line = log.lines().find(|line| line.contains(secret));
        assert!(line.is_none(), "{line:?}");
    }
}

#[test]
fn no_value_of_a_password_field_lies_in_the_files_as_it_is() {
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    tell_all(&server);
    server.stopped();
    for file in std::fs::read_dir(data.path()).unwrap() {
        let path = file.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        for secret in SECRETS {
            let found = bytes
                .windows(secret.len())
                .any(|window| window == secret.as_bytes());
            assert!(!found, "{secret} is in {}", path.display());
        }
    }
}
