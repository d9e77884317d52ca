//! The addresses that the server listens on, and the protocols there.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;

use rcgen::CertifiedKey;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::Signal;
use tempfile::tempdir;

use crate::client::Client;
use crate::process::{Server, run, serve};

#[test]
fn health_and_metrics_can_have_an_address_of_their_own() {
    let data = tempdir().unwrap();
    let mut command = serve(data.path());
    command.args(["--metrics-listen", "127.0.0.1:0"]);
    let mut server = Server::start(command);
    let line = server.next_line_with("Metrics");
    let url = line.split_whitespace().last().unwrap();
    let monitoring = Client::at(url.trim_end_matches("/metrics"));
    let main = Client::anonymous(&server);
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(monitoring.get(path).0, 200, "{path}");
        assert_eq!(main.get(path).0, 404, "{path}");
    }
    assert_eq!(main.get("/rest/openapi.json").0, 200);
    assert_eq!(monitoring.get("/rest/openapi.json").0, 404);
    server.stopped();
}

#[test]
fn a_request_names_one_server() {
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    let address = server.url().strip_prefix("http://").unwrap();
    for (version, hosts, status) in [
        ("1.1", "", "400"),
        ("1.1", "Host: a\r\nHost: b\r\n", "400"),
        ("1.1", "Host: a\r\n", "401"),
        ("1.0", "", "401"),
    ] {
        let head = format!("GET /rest HTTP/{version}\r\n{hosts}Connection: close\r\n\r\n");
        let mut connection = TcpStream::connect(address).unwrap();
        connection.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        let answered = answer.split(' ').nth(1).unwrap_or_default();
        assert_eq!(answered, status, "{head}{answer}");
        assert!(answer.contains("x-api-version: 1.0"), "{answer}");
        assert_eq!(
            answer.contains("needs one Host header"),
            status == "400",
            "{answer}"
        );
    }
    server.stopped();
}

/// Writes a certificate and its key.
fn renew(directory: &Path) {
    let CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(directory.join("certificate.pem"), cert.pem()).unwrap();
    std::fs::write(directory.join("key.pem"), signing_key.serialize_pem()).unwrap();
}

/// A server that speaks TLS, and the file of its certificate.
fn serve_tls(data: &Path, files: &Path) -> (Command, PathBuf) {
    let mut command = serve(data);
    let certificate = files.join("certificate.pem");
    command.arg("--tls-cert").arg(&certificate);
    command.arg("--tls-key").arg(files.join("key.pem"));
    (command, certificate)
}

#[test]
fn with_a_certificate_it_speaks_tls_and_reads_the_files_again_when_told() {
    let files = tempdir().unwrap();
    renew(files.path());
    let data = tempdir().unwrap();
    let (command, certificate) = serve_tls(data.path(), files.path());
    let mut server = Server::start(command);
    let address = server.url().strip_prefix("https://").unwrap().to_owned();

    let mut plain = TcpStream::connect(address).unwrap();
    plain
        .write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        .unwrap();
    let mut answer = Vec::new();
    let _ = plain.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP"), "{answer:?}");

    std::fs::write(&certificate, "nothing of use").unwrap();
    server.signal(Signal::HUP);
    server.wait_for_log("the old one stays in use");
    renew(files.path());
    server.signal(Signal::HUP);
    server.wait_for_log("the certificate was read again");
    server.stopped();
}

#[test]
fn a_certificate_that_is_slow_to_read_again_delays_nobody() {
    let files = tempdir().unwrap();
    renew(files.path());
    let data = tempdir().unwrap();
    let (mut command, certificate) = serve_tls(data.path(), files.path());
    command.args(["--metrics-listen", "127.0.0.1:0"]);
    let mut server = Server::start(command);
    let line = server.next_line_with("Metrics");
    let url = line.split_whitespace().last().unwrap();
    let monitoring = Client::at(url.trim_end_matches("/metrics"));

    std::fs::remove_file(&certificate).unwrap();
    let mode = Mode::from_raw_mode(0o600);
    mknodat(CWD, &certificate, FileType::Fifo, mode, 0).unwrap();
    server.signal(Signal::HUP);
    // The pipe opens when the server reads it.
    let mut pipe = File::options().write(true).open(&certificate).unwrap();
    for _ in 0..8 {
        assert_eq!(monitoring.get("/healthz").0, 200);
    }
    pipe.write_all(b"nothing of use").unwrap();
    drop(pipe);
    server.wait_for_log("the old one stays in use");
    server.stopped();
}

#[test]
fn a_certificate_that_cannot_be_used_prevents_the_start() {
    let files = tempdir().unwrap();
    let data = tempdir().unwrap();
    let (mut command, _) = serve_tls(data.path(), files.path());
    let message = run(&mut command).failed();
    assert!(message.contains("certificate.pem"), "{message}");
}
