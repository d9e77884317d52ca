//! Starting and stopping.

use std::io::Read as _;
use std::net::TcpStream;

use rustix::process::Signal;
use serde_json::Value;
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
