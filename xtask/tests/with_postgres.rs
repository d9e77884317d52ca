//! `cargo xtask with-postgres`: the environment of the command, and that no way to end leaves a
//! cluster behind.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tempfile::TempDir;

const VARIABLE: &str = "STOCKROOM_TEST_DATABASE";

#[test]
fn the_command_has_a_database_and_its_status_counts() {
    let folder = folder();
    let script = "psql --no-psqlrc --tuples-only --no-align --command 'SELECT 6 * 7' \"$STOCKROOM_TEST_DATABASE\"; exit 7";
    let output = with_postgres(&folder, &["sh", "-c", script])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "42\n");
    assert_eq!(output.status.code(), Some(7));
    assert_nothing_left(&folder);
}

#[test]
fn a_given_database_is_used_and_no_other_started() {
    let folder = folder();
    let mut command = with_postgres(&folder, &["printenv", VARIABLE]);
    // Makes starting a cluster impossible.
    command.env("TMPDIR", folder.path().join("missing"));
    let output = command.env(VARIABLE, "postgres://given").output().unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "postgres://given\n"
    );
    assert!(output.status.success());
}

#[test]
fn a_command_that_does_not_exist_is_an_error_and_leaves_nothing() {
    let folder = folder();
    let output = with_postgres(&folder, &["no-such-program"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("no-such-program did not start")
    );
    assert_nothing_left(&folder);
}

#[test]
fn signals_end_the_command_and_the_cluster() {
    let ctrl_c = |pid| kill_process_group(pid, Signal::INT).unwrap();
    let terminated = |pid| kill_process(pid, Signal::TERM).unwrap();
    let cases: [(fn(Pid), i32); 2] = [(ctrl_c, 130), (terminated, 143)];
    for (send, status) in cases {
        let folder = folder();
        let (mut owner, _input) = running(&folder);
        assert_ne!(fs::read_dir(folder.path()).unwrap().count(), 0);
        send(Pid::from_child(&owner));
        assert_eq!(owner.wait().unwrap().code(), Some(status));
        assert_nothing_left(&folder);
    }
}

#[test]
fn an_owner_that_is_killed_leaves_nothing() {
    let folder = folder();
    let (mut owner, _input) = running(&folder);
    assert_ne!(processes_below(folder.path()), 0);
    owner.kill().unwrap();
    owner.wait().unwrap();
    // The watchdog cleans up without notification; the test runner ends endless polling.
    while fs::read_dir(folder.path()).unwrap().next().is_some() {
        std::thread::yield_now();
    }
    assert_nothing_left(&folder);
}

/// A folder for clusters, accessible to the account of the server.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// In its own process group, as a shell starts it.
fn with_postgres(folder: &TempDir, command: &[&str]) -> Command {
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    xtask.arg("with-postgres").args(command);
    xtask.env("TMPDIR", folder.path()).env_remove(VARIABLE);
    xtask.stdin(Stdio::null()).process_group(0);
    xtask
}

/// Starts the command and returns when it runs. The command ends when its input is dropped, unless
/// something else ends it.
fn running(folder: &TempDir) -> (Child, ChildStdin) {
    let mut command = with_postgres(folder, &["sh", "-c", "echo running; exec cat"]);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut owner = piped.spawn().unwrap();
    let mut line = String::new();
    let output = owner.stdout.take().unwrap();
    BufReader::new(output).read_line(&mut line).unwrap();
    assert_eq!(line, "running\n");
    // `wait` closes the input, which would end the command before the signal does.
    let input = owner.stdin.take().unwrap();
    (owner, input)
}

#[track_caller]
fn assert_nothing_left(folder: &TempDir) {
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    assert_eq!(processes_below(folder.path()), 0);
}

/// How many processes have their working directory in or below the folder.
fn processes_below(folder: &Path) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let places = processes.filter_map(|process| fs::read_link(process.path().join("cwd")).ok());
    places.filter(|place| place.starts_with(folder)).count()
}
