//! The disk says that it could not sync, at any place of a write: strace injects the error.

use std::process::Command;

use fastrand::Rng;
use rustix::process::Signal;

use crate::client::Client;
use crate::database::{Database, run_by};
use crate::jobs;
use crate::process::Server;
use crate::rounds::{soak_rounds, soak_seed};
use crate::verify::{Rows, verify};
use crate::worker::write;

/// A round takes some ten times as long as one that only kills.
const SHARE: u32 = 10;
/// The start syncs fewer times.
const FIRST: u32 = 30;
const LAST: u32 = 200;

/// The command, of which every `period`th sync fails after the first ones.
fn failing(command: &Command, first: u32, period: u32) -> Command {
    let mut strace = Command::new("strace");
    let inject = format!("inject=fsync,fdatasync:error=EIO:when={first}+{period}");
    // The tracer is the grandchild, so that signals reach the server.
    strace
        .args(["-D", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null"])
        .args(["-e", "trace=fsync,fdatasync", "-e", &inject]);
    run_by(strace, command)
}

#[test]
#[ignore = "needs strace; `make soak` runs it"]
fn a_sync_fails_again_and_again() {
    let database = Database::sqlite();
    let mut random = Rng::with_seed(soak_seed());
    let mut server = Server::start(database.serve());
    let mut client = Client::admin(server.url());
    let (mut acknowledged, mut refused) = (0, 0);
    for round in 0..soak_rounds().div_ceil(SHARE) {
        server.signal(Signal::KILL);
        server.ended();
        let (first, period) = (random.u32(FIRST..LAST), random.u32(1..LAST));
        server = Server::start(failing(&database.serve(), first, period));
        client = client.at(server.url());
        let name = format!("s{round}.");
        let mut log = write(&format!("{name}w0"), &client, &mut random, usize::MAX);
        server.signal(Signal::KILL);
        server.ended();
        server = Server::start(database.serve());
        client = client.at(server.url());
        jobs::finish(&client);
        let mut rows = Rows::read(&client, &name);
        verify(&client, &mut log, &mut rows);
        assert_eq!(log.violations, Vec::<String>::new(), "round {round}");
        assert_eq!(rows.left(), Vec::<String>::new());
        database.check().unwrap();
        let answered = log.writes.iter().filter(|write| write.is_acknowledged);
        let answered = answered.count();
        acknowledged += answered;
        refused += log.writes.len() - answered;
    }
    assert!(refused > 0);
    println!("{acknowledged} acknowledged, {refused} refused");
}
