//! Starting and stopping.

use std::io::Read as _;
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use rustix::process::Signal;
use serde_json::{Value, json};
use tempfile::tempdir;

use crate::client::Client;
use crate::process::{Server, run, serve, stockroom};

#[test]
fn it_prints_where_it_serves_and_answers_there() {
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    assert!(
        server.url().starts_with("http://127.0.0.1:"),
        "{}",
        server.url()
    );
    for path in [
        "/healthz",
        "/readyz",
        "/metrics",
        "/docs/",
        "/rest/openapi.json",
    ] {
        assert_eq!(Client::anonymous(&server).get(path).0, 200, "{path}");
    }
    let log = server.stopped();
    assert!(log.contains("\"stopped\""), "{log}");
}

#[test]
fn a_base_path_is_part_of_where_it_serves() {
    let data = tempdir().unwrap();
    let mut command = serve(data.path());
    command.args(["--base-path", "/inventory"]);
    let server = Server::start(command);
    assert!(server.url().ends_with("/inventory"), "{}", server.url());
    assert_eq!(Client::admin(&server).get("/rest/users").0, 200);
}

#[test]
fn the_demo_has_a_file_with_rows_to_repair() {
    let data = tempdir().unwrap();
    let mut command = serve(data.path());
    command.arg("--demo");
    let server = Server::start(command);
    let (status, imports) = Client::admin(&server).get("/rest/imports");
    assert_eq!(status, 200);
    let import = &imports["results"][0];
    assert_eq!(import["state"], "checked", "{import}");
    let counts = &import["counts"];
    assert_eq!([&counts["new"], &counts["error"]], [4, 2], "{import}");
}

#[test]
fn a_signal_ends_it_after_the_requests_under_way() {
    let data = tempdir().unwrap();
    for signal in [Signal::TERM, Signal::INT] {
        let mut command = serve(data.path());
        command.arg("--demo");
        let mut server = Server::start(command);
        let address = server.url().trim_start_matches("http://").to_owned();
        // Far more than the buffers of two sockets, so most of it is not even read from the store
        // yet.
        let mut list = Client::admin(&server).open("/rest/objects?view=render&limit=0");
        let mut body = vec![0; 1];
        list.read_exact(&mut body).unwrap();

        server.signal(signal);
        server.wait_for_log("\"stopping\"");
        list.read_to_end(&mut body).unwrap();

        let list: Value = serde_json::from_slice(&body).unwrap();
        let results = list["results"].as_array().unwrap();
        assert_eq!(list["total"], results.len());
        assert!(body.len() > 10_000_000, "{signal:?}: {} bytes", body.len());
        let ended = server.ended();
        assert_eq!(ended.status.code(), Some(0), "{signal:?}: {ended:#?}");
        assert!(TcpStream::connect(address).is_err());
    }
}

#[test]
fn a_second_signal_ends_it_without_waiting() {
    let data = tempdir().unwrap();
    let mut command = serve(data.path());
    command.arg("--demo");
    let mut server = Server::start(command);
    let mut list = Client::admin(&server).open("/rest/objects?view=render&limit=0");
    list.read_exact(&mut [0]).unwrap();
    server.signal(Signal::TERM);
    server.wait_for_log("\"stopping\"");
    server.signal(Signal::TERM);
    // Nobody reads the list, so only the second signal can have stopped the server.
    let ended = server.ended();
    assert_eq!(ended.status.code(), Some(0), "{ended:#?}");
    assert!(
        ended.err.contains("requests under way are given up"),
        "{}",
        ended.err
    );
    assert!(list.read_to_end(&mut Vec::new()).is_err());
}

#[test]
fn a_hangup_ends_no_server() {
    let data = tempdir().unwrap();
    let mut server = Server::start(serve(data.path()));
    server.signal(Signal::HUP);
    server.wait_for_log("there is no certificate to read again");
    assert_eq!(Client::anonymous(&server).get("/readyz").0, 200);
    server.stopped();
}

#[test]
fn a_stop_ends_requests_that_wait_for_changes_and_their_cursors_lead_on() {
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    let admin = Client::admin(&server);
    let (_, now) = admin.get("/rest/changes?after=now");
    let after = now["pager"]["after"].as_str().unwrap();
    let mut events = admin.open_events("/rest/changes?after=now");
    let mut event = [0; 4];
    events.read_exact(&mut event).unwrap();
    assert_eq!(&event, b"id: ");
    let request = json!({"after": after, "wait": 60});
    let mut poll = admin.begin("/rest/changes/query", &request);

    server.signal(Signal::TERM);
    let (mut page, mut rest) = (String::new(), String::new());
    poll.read_to_string(&mut page).unwrap();
    let (head, page) = page.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200 OK"), "{head}");
    let page: Value = serde_json::from_str(page).unwrap();
    assert_eq!(page["count"], 0, "{page}");
    events.read_to_string(&mut rest).unwrap();
    let ended = server.ended();
    assert!(ended.status.success(), "{ended:#?}");
    assert!(!ended.err.contains("given up"), "{}", ended.err);

    let server = Server::start(serve(data.path()));
    let admin = Client::admin(&server);
    admin.insert("/rest/categories", &json!({"name": "later"}));
    let last_event = rest.lines().next().unwrap();
    for cursor in [page["pager"]["after"].as_str().unwrap(), last_event] {
        let (status, later) = admin.get(&format!("/rest/changes?after={cursor}"));
        assert_eq!(status, 200, "{later}");
        assert_eq!(later["results"][0]["resource"], "category", "{later}");
    }
}

#[test]
fn with_a_shutdown_delay_it_is_not_ready_but_serves_until_another_signal() {
    let data = tempdir().unwrap();
    let mut command = serve(data.path());
    command.args(["--shutdown-delay", "1d"]);
    let mut server = Server::start(command);
    let admin = Client::admin(&server);
    assert_eq!(admin.get("/readyz").0, 200);
    server.signal(Signal::TERM);
    server.wait_for_log("not ready from now on");
    let newcomer = Client::admin(&server);
    let (status, problem) = newcomer.get("/readyz");
    assert_eq!(status, 503, "{problem}");
    assert_eq!(problem["detail"], "this server is about to stop");
    for client in [admin, newcomer] {
        assert_eq!(client.get("/rest/users").0, 200);
        assert_eq!(client.get("/healthz").0, 200);
    }
    let log = server.stopped();
    assert!(!log.contains("given up"), "{log}");
}

#[test]
fn a_shutdown_delay_ends() {
    let data = tempdir().unwrap();
    let mut command = serve(data.path());
    command.args(["--shutdown-delay", "1s"]);
    let log = Server::start(command).stopped();
    assert!(log.contains("not ready from now on"), "{log}");
}

#[test]
fn a_second_server_on_the_same_data_is_refused() {
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    let message = run(&mut serve(data.path())).failed();
    assert!(
        message.contains("is in use by another process"),
        "{message}"
    );
    assert!(message.contains(data.path().to_str().unwrap()), "{message}");
    assert_eq!(Client::anonymous(&server).get("/readyz").0, 200);
}

#[test]
fn what_prevents_a_start_is_said() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("a-file");
    std::fs::write(&file, "").unwrap();
    let message = run(&mut serve(&file)).failed();
    assert!(message.contains("a-file"), "{message}");

    let other = Server::start(serve(&folder.path().join("one")));
    let taken = other.url().trim_start_matches("http://");
    let mut command = stockroom(&["serve", "--listen", taken, "--data"]);
    let message = run(command.arg(folder.path().join("two"))).failed();
    assert!(
        message.contains(&format!("cannot listen on {taken}")),
        "{message}"
    );
}

#[test]
fn a_log_that_nobody_reads_stops_nothing() {
    /// Their lines do not fit in a pipe.
    const REQUESTS: usize = 400;
    let data = tempdir().unwrap();
    let pipe = tempdir().unwrap();
    let pipe = pipe.path().join("log");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    // Open for reading, too, it has a reader that never reads.
    let server = with_log(data.path(), &format!("<>'{}'", pipe.display()));
    let admin = Client::admin(&server);
    for _ in 0..REQUESTS {
        assert_eq!(admin.get("/rest/categories").1["total"], 0);
    }
    server.stopped();
}

#[test]
fn a_log_that_cannot_be_written_stops_nothing() {
    let data = tempdir().unwrap();
    let server = with_log(data.path(), ">/dev/full");
    let admin = Client::admin(&server);
    admin.insert("/rest/categories", &json!({"name": "racks"}));
    assert_eq!(admin.get("/rest/categories").1["total"], 1);
    server.stopped();
}

/// A server whose standard error the shell redirects like this.
fn with_log(data: &Path, redirection: &str) -> Server {
    let serve = serve(data);
    let mut command = Command::new("/bin/sh");
    command.env_clear();
    command.envs(
        serve
            .get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    command.args(["-c", &format!(r#"exec "$0" "$@" 2{redirection}"#)]);
    command.arg(serve.get_program()).args(serve.get_args());
    Server::start(command)
}
