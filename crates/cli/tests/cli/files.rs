//! The files of the embedded database, and a full disk.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use rustix::process::{Pid, Resource, Rlimit, Signal, prlimit};
use serde_json::json;
use tempfile::{TempDir, tempdir};

use crate::client::Client;
use crate::process::{Server, run, serve, stockroom};

const CATEGORIES: &str = "/rest/categories";

/// A server on a new directory, with three categories.
fn filled() -> (TempDir, Server) {
    let data = tempdir().unwrap();
    let server = Server::start(serve(data.path()));
    let admin = Client::admin(&server);
    for name in ["racks", "rows", "rooms"] {
        admin.insert(CATEGORIES, &json!({"name": name}));
    }
    (data, server)
}

fn categories(data: &Path) -> serde_json::Value {
    let server = Server::start(serve(data));
    Client::admin(&server).get(CATEGORIES).1["total"].clone()
}

#[test]
fn after_a_stop_a_copy_of_the_database_file_is_complete() {
    let (data, server) = filled();
    server.stopped();
    let copy = tempdir().unwrap();
    fs::set_permissions(copy.path(), fs::Permissions::from_mode(0o700)).unwrap();
    fs::copy(
        data.path().join("stockroom.db"),
        copy.path().join("stockroom.db"),
    )
    .unwrap();
    assert_eq!(categories(copy.path()), 3);
}

#[test]
fn a_log_that_was_removed_after_a_crash_is_missed() {
    let (data, server) = filled();
    server.signal(Signal::KILL);
    server.ended();
    fs::remove_file(data.path().join("stockroom.db-wal")).unwrap();

    let elsewhere = tempdir().unwrap();
    let backup = elsewhere.path().join("inventory.backup");
    let mut copy = stockroom(&["migrate-store", "--from"]);
    copy.arg(data.path()).arg("--to").arg(elsewhere.path());
    let command = |arguments: &[&str]| {
        let mut command = stockroom(arguments);
        command.arg("--data").arg(data.path());
        command
    };
    let commands = [
        serve(data.path()),
        copy,
        command(&["check"]),
        command(&["check", "--repair"]),
        command(&["backup", &backup.display().to_string()]),
    ];
    for mut command in commands {
        let ended = run(&mut command);
        assert!(!ended.status.success(), "{ended:?}");
        assert!(ended.err.contains("was acknowledged"), "{ended:?}");
        assert!(ended.err.contains("stockroom.db-wal"), "{ended:?}");
    }
    assert!(!backup.exists());

    fs::remove_file(data.path().join("stockroom.state")).unwrap();
    assert_eq!(categories(data.path()), 0);
}

#[test]
fn a_missing_database_file_is_no_fresh_start() {
    let (data, server) = filled();
    server.stopped();
    let database = data.path().join("stockroom.db");
    let (kept, away) = (data.path().join("kept"), fs::rename);
    away(&database, &kept).unwrap();
    let message = run(&mut serve(data.path())).failed();
    assert!(
        message.contains("stockroom.db is missing or empty"),
        "{message}"
    );
    assert!(!database.exists());
    away(&kept, &database).unwrap();
    assert_eq!(categories(data.path()), 3);
}

#[test]
fn a_message_says_its_cause_once() {
    for (data, cause) in [
        ("/proc/none", "No such file or directory"),
        ("/dev/null", "File exists"),
    ] {
        let message = run(&mut serve(Path::new(data))).failed();
        assert_eq!(message.matches(cause).count(), 1, "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

#[test]
fn no_core_of_the_process_is_written() {
    let (_data, server) = filled();
    let limits = fs::read_to_string(format!("/proc/{}/limits", server.pid())).unwrap();
    let core = limits
        .lines()
        .find(|line| line.starts_with("Max core file size"))
        .unwrap();
    let words: Vec<&str> = core.split_whitespace().collect();
    assert_eq!(words[4..6], ["0", "0"], "{core}");
}

/// Limits the size of files, or removes the limit.
fn limit_files(server: &Server, bytes: Option<u64>) {
    let pid = Pid::from_raw(server.pid().try_into().unwrap());
    let limit = Rlimit {
        current: bytes,
        maximum: None,
    };
    prlimit(pid, Resource::Fsize, limit).unwrap();
}

/// A limit on file sizes simulates a full disk: no file can be written, and everything else works.
#[test]
fn writes_wait_for_room_on_the_disk_and_reads_go_on() {
    let data = tempdir().unwrap();
    let plain = serve(data.path());
    let mut command = Command::new("sh");
    command
        .args(["-c", r#"trap "" XFSZ; exec "$0" "$@""#])
        .arg(plain.get_program())
        .args(plain.get_args())
        .env_clear();
    for (name, value) in plain.get_envs() {
        command.env(name, value.unwrap());
    }
    let mut server = Server::start(command);
    let admin = Client::admin(&server);
    admin.insert(CATEGORIES, &json!({"name": "racks"}));

    limit_files(&server, Some(0));
    for _ in 0..3 {
        let (status, problem) = admin.send("POST", CATEGORIES, Some(&json!({"name": "rows"})));
        assert_eq!(status, 507, "{problem}");
        let detail = problem["detail"].as_str().unwrap();
        assert!(
            detail.contains("the disk of the database is full"),
            "{problem}"
        );
    }
    assert_eq!(admin.get(CATEGORIES).1["total"], 1);
    let (status, problem) = admin.get("/readyz");
    assert_eq!(status, 503, "{problem}");
    assert!(
        problem["detail"].as_str().unwrap().contains("full"),
        "{problem}"
    );
    assert_eq!(admin.get("/healthz").0, 200);

    limit_files(&server, None);
    server.wait_for_log("the disk has room again");
    assert_eq!(admin.get("/readyz").0, 200);
    admin.insert(CATEGORIES, &json!({"name": "rows"}));
    server.stopped();
    assert_eq!(categories(data.path()), 2);
}
