//! `stockroom check`

use std::fs;

use stockroom_testcluster::{Cluster, Settings};
use tempfile::tempdir;

use crate::migrate_store::{Schema, fill};
use crate::process::{ADMIN_PASSWORD, Server, run, serve, stockroom};

#[test]
fn a_running_server_is_checked_and_a_stopped_one_can_be_repaired() {
    let data = tempdir().unwrap();
    fill(data.path());
    let check = || {
        let mut command = stockroom(&["check", "--data"]);
        command.arg(data.path());
        command
    };
    let server = Server::start(serve(data.path()));
    let clean = run(&mut check()).succeeded();
    assert!(clean.starts_with("0 problems; 1 objects and "), "{clean}");
    let refused = run(check().arg("--repair"));
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(
        refused.err.contains("is in use by another process"),
        "{refused:?}"
    );
    server.stopped();
    let repaired = run(check().arg("--repair")).succeeded();
    assert_eq!(repaired, clean);
}

#[test]
fn what_a_repair_cannot_mend_is_told() {
    let cluster = Cluster::create(&Settings::for_tests()).unwrap();
    let with_database = |arguments: &[&str]| {
        let mut command = stockroom(arguments);
        command
            .env("STOCKROOM_DATABASE", cluster.url())
            .env("STOCKROOM_ADMIN_PASSWORD", ADMIN_PASSWORD);
        command
    };
    Server::start(with_database(&["serve", "--listen", "127.0.0.1:0"])).stopped();
    let damage = "UPDATE change SET image = '?' WHERE resource = 'user'";
    cluster.query(damage).unwrap();
    let left = run(&mut with_database(&["check", "--repair"]));
    assert_eq!(left.status.code(), Some(1), "{left:?}");
    for line in [
        "history: user 1: what it was before revision 1 cannot be read\n",
        "not repaired: 1 of history; only a backup can repair this\n",
    ] {
        assert!(left.out.contains(line), "{left:?}");
    }
}

#[test]
fn a_database_on_a_server_is_checked() {
    let schema = Schema::new("check");
    Server::start(schema.serve()).stopped();
    let mut command = stockroom(&["check"]);
    command
        .env("STOCKROOM_DATABASE", &schema.url)
        .env("STOCKROOM_DATABASE_SCHEMA", &schema.name);
    let clean = run(&mut command).succeeded();
    assert!(clean.starts_with("0 problems; "), "{clean}");
}

#[test]
fn what_is_no_database_gets_a_status_of_its_own() {
    let data = tempdir().unwrap();
    let missing = run(stockroom(&["check", "--data"]).arg(data.path()));
    assert_eq!(missing.status.code(), Some(2), "{missing:?}");
    assert!(
        missing.err.contains("there is no database in"),
        "{missing:?}"
    );
    fs::write(
        data.path().join("stockroom.db"),
        "not a database, but long enough",
    )
    .unwrap();
    let other = run(stockroom(&["check", "--data"]).arg(data.path()));
    assert_eq!(other.status.code(), Some(2), "{other:?}");
}
