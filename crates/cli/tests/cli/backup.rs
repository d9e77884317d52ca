//! `stockroom backup` and `stockroom restore`

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use tempfile::tempdir;

use crate::migrate_store::{Schema, fill, told};
use crate::process::{Ended, Server, run, serve, stockroom};

fn backup(data: &Path, file: &Path) -> Ended {
    run(stockroom(&["backup", "--data"]).arg(data).arg(file))
}

fn restore(data: &Path, file: &Path) -> Ended {
    run(stockroom(&["restore", "--data"]).arg(data).arg(file))
}

#[test]
fn a_backup_of_a_running_server_is_restored_on_either_engine_with_keys_and_tokens() {
    let (first, other) = (tempdir().unwrap(), tempdir().unwrap());
    let (id, token) = fill(first.path());
    let before = told(serve(first.path()), &id, &token);
    assert_eq!(before["fields"][1]["value"], "open sesame");

    let server = Server::start(serve(first.path()));
    let file = other.path().join("a.backup");
    let saved = backup(first.path(), &file).succeeded();
    server.stopped();
    assert!(saved.contains("saved to "), "{saved}");
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    let second = other.path().join("second");
    restore(&second, &file).succeeded();
    assert_eq!(told(serve(&second), &id, &token), before);

    let schema = Schema::new("backup");
    let on_server = |arguments: &[&str], file: &Path| {
        let mut command = stockroom(arguments);
        command
            .arg(file)
            .env("STOCKROOM_DATABASE", &schema.url)
            .env("STOCKROOM_DATABASE_SCHEMA", &schema.name);
        run(&mut command).succeeded()
    };
    on_server(&["restore"], &file);
    let server = Server::start(schema.serve());
    let file = other.path().join("b.backup");
    on_server(&["backup"], &file);
    server.stopped();
    assert_eq!(told(schema.serve(), &id, &token), before);

    let third = other.path().join("third");
    restore(&third, &file).succeeded();
    assert_eq!(told(serve(&third), &id, &token), before);
}

#[test]
fn what_cannot_be_saved_or_restored_is_refused_with_a_reason() {
    let (full, other) = (tempdir().unwrap(), tempdir().unwrap());
    Server::start(serve(full.path())).stopped();
    let file = other.path().join("a.backup");
    let target = other.path().join("new");
    let message = backup(&target, &file).failed();
    assert!(message.contains("there is no database in"), "{message}");
    backup(full.path(), &file).succeeded();
    let message = backup(full.path(), &file).failed();
    assert!(message.contains("exists already"), "{message}");

    let message = restore(full.path(), &file).failed();
    assert!(message.contains("holds records already"), "{message}");
    let server = Server::start(serve(full.path()));
    let message = restore(full.path(), &file).failed();
    assert!(
        message.contains("is in use by another process"),
        "{message}"
    );
    server.stopped();
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let message = restore(&target, &file).failed();
    assert!(message.contains("is damaged or cut off"), "{message}");
    fs::write(&file, "Dear diary").unwrap();
    let message = restore(&target, &file).failed();
    assert!(
        message.contains("is not a backup of Stockroom"),
        "{message}"
    );
    assert!(!target.exists());
}
