//! A server with little memory.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::tempdir;

use crate::client::{Answer, Client};
use crate::process::{Server, serve};

const CLIENTS: usize = 12;
const BATCHES_OF_CLIENT: usize = 4;
/// The command, with a limit on its memory.
fn limited(command: &Command, mebibytes: u32) -> Command {
    let kibibytes = mebibytes * 1_024;
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!(r#"ulimit -d {kibibytes}; exec "$0" "$@""#)])
        .arg(command.get_program())
        .args(command.get_args())
        .env_clear();
    for (name, value) in command.get_envs() {
        shell.env(name, value.unwrap_or_default());
    }
    shell
}

/// Objects with a value of 250 kB each.
fn batch(type_id: &Value, objects: usize) -> Value {
    let value = "x".repeat(250_000);
    let fields = json!([{"name": "text", "value": value}]);
    let body = json!({"type_id": type_id, "author_id": 1, "fields": fields});
    let operation = json!({"method": "POST", "path": "/objects", "body": body});
    json!({"operations": vec![operation; objects]})
}

/// A server with little memory, and a type.
struct Crowded {
    server: Server,
    admin: Client,
    type_id: Value,
}

impl Crowded {
    fn start(data: &Path, mebibytes: u32) -> Self {
        let mut command = serve(data);
        // Nothing is optimised.
        command.env("STOCKROOM_WRITE_TIMEOUT", "60");
        let server = Server::start(limited(&command, mebibytes));
        let admin = Client::admin(&server);
        let field = json!({"type": "text", "name": "text", "label": "Text"});
        let body = json!({"name": "note", "label": "Note", "author_id": 1, "fields": [field]});
        let type_id = admin.insert("/rest/types", &body);
        Self {
            server,
            admin,
            type_id,
        }
    }

    /// Lets many clients send batches of so many objects at once, and returns the statuses.
    fn statuses(&self, objects: usize) -> Vec<u16> {
        let (admin, batch) = (&self.admin, batch(&self.type_id, objects));
        let send = || {
            let send = |_| admin.try_send("POST", "/rest/batch", Some(&batch));
            // A server that refuses a body does not read the rest of it, which clients may take for
            // an error.
            let status = |sent: Result<Answer, _>| sent.map_or(503, |(status, _)| status);
            (0..BATCHES_OF_CLIENT).map(send).map(status).collect()
        };
        thread::scope(|scope| {
            let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(send)).collect();
            let statuses = clients.into_iter().map(|client| client.join().unwrap());
            statuses.flat_map(|statuses: Vec<u16>| statuses).collect()
        })
    }

    /// Sends one batch while nobody else does.
    fn insert(&self, objects: usize) {
        let batch = batch(&self.type_id, objects);
        let (status, answer) = self.admin.send("POST", "/rest/batch", Some(&batch));
        assert_eq!(status, 200, "{answer}");
    }
}

#[test]
fn too_many_large_bodies_are_refused_for_now() {
    let data = tempdir().unwrap();
    let crowded = Crowded::start(data.path(), 512);
    // Of 7 MB: two fit, and a slow machine checks one within the second that it may take.
    let statuses = crowded.statuses(28);
    let count = |expected: u16| {
        statuses
            .iter()
            .filter(|status| **status == expected)
            .count()
    };
    assert_eq!(count(200) + count(503), statuses.len(), "{statuses:?}");
    assert!(count(200) > 0, "{statuses:?}");
    assert!(count(503) > 0, "{statuses:?}");
    crowded.insert(28);
    crowded.server.stopped();
}

#[test]
fn bodies_that_would_never_fit_are_refused_instead_of_ending_the_process() {
    let data = tempdir().unwrap();
    let crowded = Crowded::start(data.path(), 256);
    // Of 14 MB.
    let statuses = crowded.statuses(56);
    let is_refused = |status: &u16| matches!(status, 413 | 503);
    assert!(statuses.iter().all(is_refused), "{statuses:?}");
    crowded.insert(16);
    crowded.server.stopped();
}

/// What `RLIMIT_DATA` counts, in MiB.
fn data_mebibytes(server: &Server) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmData:"));
    let kibibytes = line.unwrap().trim().trim_end_matches(" kB");
    kibibytes.parse::<u64>().unwrap() / 1_024
}

#[test]
fn addresses_are_given_back_with_the_memory() {
    let data = tempdir().unwrap();
    let crowded = Crowded::start(data.path(), 4_096);
    let before = data_mebibytes(&crowded.server);
    let _ = crowded.statuses(56);
    let end = Instant::now() + Duration::from_secs(60);
    let after = loop {
        // Each request lets the allocator look at what is free.
        crowded.insert(1);
        let after = data_mebibytes(&crowded.server);
        if after < before + 150 || Instant::now() > end {
            break after;
        }
    };
    assert!(after < before + 150, "{before} MiB became {after}");
    crowded.server.stopped();
}
