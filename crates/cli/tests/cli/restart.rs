//! Acknowledged writes survive restarts and crashes.

use std::sync::mpsc::channel;

use rustix::process::Signal;
use serde_json::{Value, json};
use tempfile::tempdir;

use crate::client::Client;
use crate::process::{Server, serve};

/// Records written before each crash.
const BEFORE_THE_CRASH: usize = 50;

/// Inserts one record of each resource, and returns the paths to read them.
fn insert_one_of_each(admin: &Client) -> Vec<String> {
    let key = json!({"name": "key", "author_id": 1, "fields": [
        {"type": "text", "name": "number", "label": "Number"},
        {"type": "password", "name": "code", "label": "Code"},
    ]});
    let key = admin.insert("/rest/types", &key);
    let category = admin.insert(
        "/rest/categories",
        &json!({"name": "doors", "types": [key]}),
    );
    let object = json!({"type_id": key, "author_id": 1, "fields": [
        {"name": "number", "value": "K042"}, {"name": "code", "value": "1234"},
    ]});
    let object = admin.insert("/rest/objects", &object);
    let group =
        json!({"name": "porters", "label": "Porters", "rights": ["base.framework.object.*"]});
    let group = admin.insert("/rest/groups", &group);
    let user =
        json!({"user_name": "paul", "password": "open sesame", "group_id": group, "active": true});
    let user = admin.insert("/rest/users", &user);
    let setting = json!({"identifier": "grid", "setting_type": "GLOBAL", "user_id": 1, "payload": {"rows": 5}});
    admin.insert("/rest/users/1/settings", &setting);
    vec![
        format!("/rest/types/{key}"),
        format!("/rest/categories/{category}"),
        format!("/rest/objects/{object}/native"),
        format!("/rest/groups/{group}"),
        format!("/rest/users/{user}"),
        "/rest/users/1/settings/grid".to_owned(),
    ]
}

/// The answers at these paths, without their time.
fn read_all(client: &Client, paths: &[String]) -> Vec<Value> {
    let read = |path: &String| {
        let (status, mut answer) = client.get(path);
        assert_eq!(status, 200, "{path}: {answer}");
        if let Some(members) = answer.as_object_mut() {
            members.remove("time");
        }
        answer
    };
    paths.iter().map(read).collect()
}

#[test]
fn every_resource_outlives_a_stop_and_a_crash() {
    for signal in [Signal::TERM, Signal::KILL] {
        let data = tempdir().unwrap();
        let server = Server::start(serve(data.path()));
        let admin = Client::admin(&server);
        let paths = insert_one_of_each(&admin);
        let before = read_all(&admin, &paths);
        server.signal(signal);
        server.ended();

        let server = Server::start(serve(data.path()));
        let admin = Client::admin(&server);
        assert_eq!(read_all(&admin, &paths), before, "{signal:?}");
        let (status, _) = Client::anonymous(&server).login("paul", "open sesame");
        assert_eq!(status, 200, "{signal:?}");
    }
}

#[test]
fn tokens_and_what_ended_them_outlive_a_restart() {
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    let token = |server: &Server| {
        let (_, login) = Client::anonymous(server).login("admin", crate::process::ADMIN_PASSWORD);
        login["token"].as_str().unwrap().to_owned()
    };
    let (kept, ended) = (token(&server), token(&server));
    let client = Client::anonymous(&server).with_token(&ended);
    assert_eq!(client.send("POST", "/rest/auth/logout", None).0, 200);
    server.stopped();

    let server = Server::start(serve(data.path()));
    for (token, status) in [(kept, 200), (ended, 401)] {
        let client = Client::anonymous(&server).with_token(&token);
        assert_eq!(client.get("/rest/users/1").0, status);
    }
}

#[test]
fn views_are_counted_before_it_ends() {
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    let admin = Client::admin(&server);
    let kind = admin.insert(
        "/rest/types",
        &json!({"name": "key", "author_id": 1, "fields": []}),
    );
    let object = json!({"type_id": kind, "author_id": 1, "fields": []});
    let object = admin.insert("/rest/objects", &object);
    assert_eq!(admin.get(&format!("/rest/objects/{object}")).0, 200);
    server.stopped();

    let server = Server::start(serve(data.path()));
    let native = Client::admin(&server).get(&format!("/rest/objects/{object}/native"));
    assert_eq!(native.1["views"], 1);
}

#[test]
fn whatever_was_acknowledged_outlives_a_crash_under_load() {
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    let admin = Client::admin(&server);
    let (acknowledge, acknowledged) = channel();
    let writer = std::thread::spawn(move || {
        let mut number = 0;
        loop {
            number += 1;
            let body = json!({"name": format!("category {number}")});
            let Ok((200, answer)) = admin.try_send("POST", "/rest/categories", Some(&body)) else {
                break;
            };
            if acknowledge.send(answer["raw"].clone()).is_err() {
                break;
            }
        }
    });
    let mut written: Vec<Value> = acknowledged.iter().take(BEFORE_THE_CRASH).collect();
    server.signal(Signal::KILL);
    server.ended();
    written.extend(acknowledged.iter());
    writer.join().unwrap();
    assert!(written.len() >= BEFORE_THE_CRASH);

    let server = Server::start(serve(data.path()));
    let (_, answer) = Client::admin(&server).get("/rest/categories?limit=0");
    let found = answer["results"].as_array().unwrap();
    let lost: Vec<&Value> = written
        .iter()
        .filter(|record| !found.contains(record))
        .collect();
    assert!(lost.is_empty(), "{lost:?}");
}
