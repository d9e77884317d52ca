//! A server whose volume becomes full, and has room again after deletes.

use std::process::{Command, Stdio};

use rustix::process::Signal;
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

use crate::client::Client;
use crate::process::{ADMIN_PASSWORD, Server, serve};
use crate::volume::Volume;

const OBJECTS_OF_BATCH: usize = 100;

struct Small {
    volume: Volume,
    server: Server,
    admin: Client,
    type_id: Value,
}

impl Small {
    fn start() -> Self {
        let volume = Volume::of_mebibytes(42);
        let command = serve(volume.path());
        Self::with(volume, &command)
    }

    fn with(volume: Volume, command: &Command) -> Self {
        let server = Server::start(volume.within(command));
        let admin = Client::admin(&server);
        let fields: Vec<Value> = (0..10)
            .map(|number| {
                let name = format!("f{number}");
                json!({"type": "text", "name": name, "label": name})
            })
            .collect();
        let body = json!({"name": "host", "label": "Host", "author_id": 1, "fields": fields});
        let type_id = admin.insert("/rest/types", &body);
        let user = json!({"user_name": "other", "password": "a long password", "group_id": 1});
        admin.insert("/rest/users", &user);
        Self {
            volume,
            server,
            admin,
            type_id,
        }
    }

    /// Kills the server, and starts it again.
    fn again(self) -> Self {
        self.again_after(|_| ())
    }

    /// Kills the server, and starts it again after something has happened to the volume.
    fn again_after(self, meanwhile: impl FnOnce(&Volume)) -> Self {
        self.server.signal(Signal::KILL);
        self.server.ended();
        meanwhile(&self.volume);
        let server = Server::start(self.volume.within(&serve(self.volume.path())));
        Self {
            admin: Client::admin(&server),
            server,
            ..self
        }
    }

    /// Inserts some objects, and returns the status.
    fn insert(&self, round: usize) -> u16 {
        let operation = |number: usize| {
            let fields: Vec<Value> = (0..10)
                .map(|field| {
                    let value = format!("value {round} {number} {field} {}", "x".repeat(100));
                    json!({"name": format!("f{field}"), "value": value})
                })
                .collect();
            let body = json!({"type_id": self.type_id, "author_id": 1, "fields": fields});
            json!({"method": "POST", "path": "/objects", "body": body})
        };
        let operations: Vec<Value> = (0..OBJECTS_OF_BATCH).map(operation).collect();
        let batch = json!({"operations": operations});
        let (status, answer) = self.admin.send("POST", "/rest/batch", Some(&batch));
        assert!(matches!(status, 200 | 507), "{status} {answer}");
        status
    }

    fn fill(&self) {
        let mut rounds = 0..;
        while self.insert(rounds.next().unwrap_or_default()) == 200 {}
    }

    fn ids(&self) -> Vec<i64> {
        let (_, list) = self
            .admin
            .get("/rest/objects?limit=0&projection=%7B%22public_id%22:1%7D");
        let objects = list["results"].as_array().expect("objects");
        let ids = objects.iter().map(|object| object["public_id"].as_i64());
        ids.map(|id| id.expect("an id")).collect()
    }

    fn check_reads_and_logins(&self) {
        let login = Client::anonymous(&self.server).login("admin", ADMIN_PASSWORD);
        assert_eq!(login.0, 200, "{}", login.1);
        let exported = self
            .admin
            .text("/rest/exports/objects?format=ndjson&sort=fields.f3");
        assert_eq!(exported.lines().count(), self.ids().len());
    }

    /// Deletes objects until others can be inserted.
    fn delete_until_there_is_room(&self) {
        let ids: Vec<String> = self.ids().iter().map(ToString::to_string).collect();
        let mut chunks = ids.chunks(OBJECTS_OF_BATCH);
        while self.insert(0) == 507 {
            let ids = chunks.next().expect("room before all objects are deleted");
            let path = format!("/rest/objects/{}", ids.join(","));
            let (status, answer) = self.admin.send("DELETE", &path, None);
            assert_eq!(status, 200, "{answer}");
        }
    }
}

#[test]
fn a_full_volume_has_room_again_after_deletes() {
    let small = Small::start();
    small.fill();
    assert!(small.ids().len() > 2_000, "{}", small.ids().len());
    small.check_reads_and_logins();
    let inactive = json!({"active": false});
    let (status, answer) = small.admin.send("PATCH", "/rest/users/2", Some(&inactive));
    assert_eq!(status, 202, "an account is stopped: {answer}");
    small.delete_until_there_is_room();
    assert_eq!(small.admin.get("/readyz").0, 200);
    small.server.stopped();
}

/// Lets a file of somebody else take all room that is left, but for less than usual writes need.
fn take_room(volume: &Volume) {
    take(
        volume,
        "! dd if=/dev/zero bs=4096 of=\"$0\" && truncate --size=-2M \"$0\"",
    );
}

fn take(volume: &Volume, script: &str) {
    let mut take = Command::new("sh");
    take.args(["-c", script]).arg(volume.path().join("other"));
    let taken = volume.within(&take).stderr(Stdio::null()).status();
    assert!(taken.unwrap().success());
}

#[test]
fn deletes_make_room_after_a_kill_on_a_volume_that_stays_full() {
    let small = Small::start();
    small.fill();
    let before = small.ids();
    let small = small.again_after(take_room);
    assert_eq!(small.ids(), before);
    assert_eq!(small.insert(0), 507);
    small.check_reads_and_logins();
    small.delete_until_there_is_room();
    small.server.stopped();
}

#[test]
fn a_server_starts_on_a_full_volume() {
    let small = Small::start();
    small.fill();
    let small = small.again();
    small.fill();
    small.check_reads_and_logins();
    small.server.stopped();
}

/// A server whose folder for temporary files has no room, beside its data.
fn without_temporary_files() -> (TempDir, Small) {
    let data = tempdir().unwrap();
    let volume = Volume::of_mebibytes(1);
    let mut command = serve(data.path());
    command.env("TMPDIR", volume.path());
    let small = Small::with(volume, &command);
    take(&small.volume, "! dd if=/dev/zero bs=4096 of=\"$0\"");
    (data, small)
}

#[test]
fn writes_need_no_temporary_files() {
    let (_data, small) = without_temporary_files();
    for round in 0..5 {
        assert_eq!(small.insert(round), 200);
    }
    let ids: Vec<String> = small.ids().iter().map(ToString::to_string).collect();
    let path = format!("/rest/objects/{}", ids.join(","));
    let (status, answer) = small.admin.send("DELETE", &path, None);
    assert_eq!(status, 200, "{answer}");
    assert_eq!(small.admin.get("/readyz").0, 200);
    let log = small.server.stopped();
    assert!(!log.contains("disk is full"), "{log}");
}

#[test]
fn a_workbook_without_room_for_temporary_files_is_not_blamed() {
    let (_data, small) = without_temporary_files();
    let upload = |bytes: &[u8]| small.admin.upload("/rest/imports?file_name=file", bytes);
    let csv = "a;b\n1;2\n".repeat(10_000);
    assert_eq!(upload(csv.as_bytes()).0, 201);
    let workbook = [b"PK\x03\x04".as_slice(), &[0; 1 << 10]].concat();
    let (status, answer) = upload(&workbook);
    assert_eq!(status, 507, "{answer}");
    assert!(answer["detail"].to_string().contains("TMPDIR"), "{answer}");
    let (_, imports) = small.admin.get("/rest/imports");
    assert_eq!(imports["total"], 1, "nothing of it is kept: {imports}");
    let log = small.server.stopped();
    assert!(!log.contains("disk is full"), "{log}");
}
