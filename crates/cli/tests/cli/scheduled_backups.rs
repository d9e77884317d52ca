//! Backups that the running server makes by itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::tempdir;

use crate::client::Client;
use crate::migrate_store::{Schema, fill, told};
use crate::process::{Server, run, serve, stockroom};

fn scheduled(mut command: Command, directory: &Path, interval: &str) -> Server {
    command.arg("--backup-directory").arg(directory).args([
        "--backup-interval",
        interval,
        "--backup-keep",
        "2",
    ]);
    Server::start(command)
}

fn backups(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn backups_are_made_and_old_ones_deleted_while_the_server_runs() {
    let (data, other) = (tempdir().unwrap(), tempdir().unwrap());
    let (id, token) = fill(data.path());
    let before = told(serve(data.path()), &id, &token);
    let directory = other.path().join("backups");
    let mut server = scheduled(serve(data.path()), &directory, "1s");
    server.wait_for_log("an old backup is deleted");
    let metrics = Client::anonymous(&server).text("/metrics");
    for name in [
        "stockroom_backup_last_success_timestamp_seconds",
        "stockroom_backup_duration_seconds",
        "stockroom_backup_bytes",
        "stockroom_backup_failures_total 0",
    ] {
        assert!(metrics.contains(name), "no {name} in\n{metrics}");
    }
    server.stopped();
    let files = backups(&directory);
    // One more may have been complete when the server was stopped.
    assert!((2..=3).contains(&files.len()), "{files:?}");
    let restored = other.path().join("restored");
    let newest = files.last().unwrap();
    run(stockroom(&["restore", "--data"]).arg(&restored).arg(newest)).succeeded();
    assert_eq!(told(serve(&restored), &id, &token), before);
}

#[test]
fn the_next_backup_is_due_one_interval_after_the_newest_file() {
    let (data, other) = (tempdir().unwrap(), tempdir().unwrap());
    let mut server = scheduled(serve(data.path()), other.path(), "1d");
    server.wait_for_log("a backup is complete");
    server.stopped();
    let files = backups(other.path());
    assert_eq!(files.len(), 1, "{files:?}");
    let server = scheduled(serve(data.path()), other.path(), "1d");
    let log = server.stopped();
    assert!(!log.contains("a backup"), "{log}");
    assert_eq!(backups(other.path()), files);
}

#[test]
fn a_backup_that_is_asked_for_is_made_beside_the_scheduled_ones() {
    let (data, other) = (tempdir().unwrap(), tempdir().unwrap());
    let mut server = scheduled(serve(data.path()), other.path(), "1d");
    server.wait_for_log("a backup is complete");
    let admin = Client::admin(&server);
    assert_eq!(admin.send("POST", "/rest/backups", None).0, 200);
    server.wait_for_log("a backup was asked for");
    server.wait_for_log("asked-");
    server.stopped();
    let names = backups(other.path());
    let names: Vec<_> = names.iter().map(|file| file.file_name().unwrap()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(
        names[0].to_str().unwrap().starts_with("asked-"),
        "{names:?}"
    );
}

#[test]
fn a_server_on_postgres_makes_backups() {
    let (data, schema) = (tempdir().unwrap(), Schema::new("scheduled"));
    let mut server = scheduled(schema.serve(), data.path(), "1d");
    server.wait_for_log("a backup is complete");
    server.stopped();
    assert_eq!(backups(data.path()).len(), 1);
}

#[test]
fn a_failed_backup_is_logged_and_counted_and_the_server_goes_on() {
    let (data, other) = (tempdir().unwrap(), tempdir().unwrap());
    let directory = other.path().join("backups");
    let mut server = scheduled(serve(data.path()), &directory, "1s");
    server.wait_for_log("a backup is complete");
    fs::rename(&directory, other.path().join("unplugged")).unwrap();
    server.wait_for_log("a backup failed");
    let metrics = Client::anonymous(&server).text("/metrics");
    assert!(
        !metrics.contains("stockroom_backup_failures_total 0"),
        "{metrics}"
    );
    server.stopped();
}
