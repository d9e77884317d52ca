//! The kernel refuses to let the database grow in the middle of a write.

use std::fs;
use std::path::Path;
use std::process::Command;

use fastrand::Rng;
use rustix::process::{Pid, Resource, Rlimit, Signal, prlimit};
use tempfile::tempdir;

use crate::client::Client;
use crate::database::{Database, run_by};
use crate::jobs;
use crate::process::Server;
use crate::verify::{Rows, verify};
use crate::worker::write;

const ROUNDS: u32 = 10;
/// More bytes than a write takes, so that the limit is met at any place of it.
const LONGEST_WRITE: u64 = 40_000;

/// The command, run so that a write beyond the limit fails instead of ending the process.
fn ignoring_the_signal(command: &Command) -> Command {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", r#"trap "" XFSZ; exec "$0" "$@""#]);
    run_by(shell, command)
}

fn limit(server: &Server, bytes: Option<u64>) {
    let pid = i32::try_from(server.pid()).ok().and_then(Pid::from_raw);
    let limit = Rlimit {
        current: bytes,
        maximum: None,
    };
    prlimit(pid, Resource::Fsize, limit).expect("a running server");
}

fn log_length(data: &Path) -> u64 {
    let log = fs::metadata(data.join("stockroom.db-wal"));
    log.map_or(0, |log| log.len())
}

#[test]
fn a_write_that_the_kernel_cuts_off_is_undone_and_the_next_one_succeeds() {
    let data = tempdir().unwrap();
    let folder = data.path().to_owned();
    let database = Database::Directory(data);
    let mut random = Rng::with_seed(1);
    let mut server = Server::start(ignoring_the_signal(&database.serve()));
    let mut client = Client::admin(server.url());
    for round in 0..ROUNDS {
        let name = format!("f{round}.");
        let room = random.u64(1..LONGEST_WRITE);
        limit(&server, Some(log_length(&folder) + room));
        let mut logs = vec![write(
            &format!("{name}w0"),
            &client,
            &mut random,
            usize::MAX,
        )];
        limit(&server, None);
        let next = write(&format!("{name}w1"), &client, &mut random, 10);
        let is_well = next.writes.iter().all(|write| write.is_acknowledged);
        assert!(is_well, "round {round}: {next:?}");
        logs.push(next);
        // Every second round, nothing is in memory any more.
        if round % 2 == 1 {
            server.signal(Signal::KILL);
            server.ended();
            server = Server::start(ignoring_the_signal(&database.serve()));
            client = client.at(server.url());
        }
        jobs::finish(&client);
        let mut rows = Rows::read(&client, &name);
        for log in &mut logs {
            verify(&client, log, &mut rows);
            assert_eq!(log.violations, Vec::<String>::new(), "round {round}");
        }
        assert_eq!(rows.left(), Vec::<String>::new());
        database.check().unwrap();
    }
}
