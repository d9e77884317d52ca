//! What a proxy must do, whichever it is.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::Signal;
use serde_json::json;

use crate::client::{Client, answer, connect, line_with};
use crate::front::{Front, HAPROXY, Kind, NAME, NGINX};
use crate::process::ADMIN_PASSWORD;
use crate::waiting::{PATIENCE, eventually};

/// Failed logins of an account from one address, beyond which there is an answer without a look.
const FAILED_LOGINS: usize = 10;
const ROWS: usize = 70;
const CELL: usize = 1_000_000;

#[test]
fn the_page_on_deployment_has_the_files() {
    let page = include_str!("../../../../docs/deployment.md");
    for file in [NGINX, HAPROXY] {
        assert!(page.contains(file), "copy this into the page:\n{file}");
    }
}

#[test]
fn nginx_serves_two_nodes_as_documented() {
    check(Kind::Nginx);
}

#[test]
fn haproxy_serves_two_nodes_as_documented() {
    check(Kind::Haproxy);
}

fn check(kind: Kind) {
    let mut front = Front::start(kind);
    let admin = log_in(&front);
    plain_requests_are_redirected(&front);
    urls_are_those_of_the_proxy(&admin);
    metrics_are_denied(&front);
    failed_logins_count_for_the_address_of_the_client(&front);
    events_arrive_at_once(&admin);
    a_file_arrives_while_it_is_sent(&admin);
    a_node_stops_and_no_request_fails(&mut front, &admin);
}

fn log_in(front: &Front) -> Client {
    let client = Client::at(front, 1);
    let body = json!({"user_name": "admin", "password": ADMIN_PASSWORD}).to_string();
    let login = client.send("POST", "/rest/auth/login", &body);
    assert_eq!(login.status, 200, "{login:?}");
    client.with_token(&login.body["token"])
}

fn plain_requests_are_redirected(front: &Front) {
    let mut stream = connect(front.plain, 1);
    let head = format!("GET /rest/users HTTP/1.1\r\nHost: {NAME}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    assert_eq!(answer(stream).status, 301);
}

fn urls_are_those_of_the_proxy(admin: &Client) {
    let users = admin.get("/rest/users?limit=1");
    let url = users.body["pagination"]["first"].as_str().unwrap();
    assert!(
        url.starts_with(&format!("https://{NAME}/rest/users")),
        "{url}"
    );
}

fn metrics_are_denied(front: &Front) {
    assert_eq!(Client::at(front, 1).get("/metrics").status, 403);
}

fn failed_logins_count_for_the_address_of_the_client(front: &Front) {
    let wrong = json!({"user_name": "admin", "password": "wrong"}).to_string();
    let [attacker, other] = [2, 3].map(|address| Client::at(front, address));
    let log_in = |client: &Client| client.send("POST", "/rest/auth/login", &wrong).status;
    for _ in 0..FAILED_LOGINS {
        assert_eq!(log_in(&attacker), 401);
    }
    assert_eq!(log_in(&attacker), 429);
    assert_eq!(log_in(&other), 401);
}

fn events_arrive_at_once(admin: &Client) {
    let accept = "Accept: text/event-stream\r\n";
    let mut events = admin.begin("GET", "/rest/changes?after=now", accept, 0);
    line_with(&mut events, "id: ");
    let made = admin.send("POST", "/rest/categories", r#"{"name": "new"}"#);
    assert_eq!(made.status, 200, "{made:?}");
    // The stream does not end, so nothing has collected it.
    line_with(&mut events, "event: change");
}

fn a_file_arrives_while_it_is_sent(admin: &Client) {
    let row = format!("{}\n", "x".repeat(CELL - 1));
    let path = "/rest/imports?file_name=large.csv";
    let head = "name\n";
    let length = head.len() + ROWS * CELL;
    let mut upload = admin.begin("POST", path, "Content-Type: text/csv\r\n", length);
    upload.get_mut().write_all(head.as_bytes()).unwrap();
    for number in 0..ROWS {
        if number == ROWS / 2 {
            eventually("the file at a node", PATIENCE, || {
                let imports = admin.get("/rest/imports").body;
                (imports["results"][0]["state"] == "uploading").then_some(())
            });
        }
        upload.get_mut().write_all(row.as_bytes()).unwrap();
    }
    let uploaded = answer(upload);
    assert_eq!(uploaded.status, 201, "{uploaded:?}");
}

fn a_node_stops_and_no_request_fails(front: &mut Front, admin: &Client) {
    let stopping = front.nodes.remove(0);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let asking = scope.spawn(|| {
            let mut count = 0;
            while !is_over.load(Ordering::Relaxed) {
                let users = admin.get("/rest/users");
                assert_eq!(users.status, 200, "after {count} others: {users:?}");
                count += 1;
            }
            count
        });
        stopping.signal(Signal::TERM);
        let ended = stopping.ended();
        assert!(ended.status.success(), "{ended:#?}");
        assert!(!ended.err.contains("given up"), "{}", ended.err);
        for _ in 0..10 {
            assert_eq!(admin.get("/rest/users").status, 200);
        }
        is_over.store(true, Ordering::Relaxed);
        assert!(asking.join().unwrap() > 0);
    });
}
