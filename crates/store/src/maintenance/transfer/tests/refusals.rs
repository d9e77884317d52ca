//! Refused transfers, which change nothing.

use std::fs;

use super::filling::{content, insert};
use super::{TestDatabase, TransferError, both, filled, run};
use crate::engine::driver::Driver as _;
use crate::engine::driver::postgres::{Address, Postgres, PostgresConfig};
use crate::engine::driver::versions::Versions;
use crate::engine::table::TABLES;
use crate::maintenance::transfer::{Stage, transfer};
use crate::{Error, Location};
use stockroom_model::Timestamp;

both!(a_target_with_a_row_in_any_table_is_refused, check_not_empty);

fn check_not_empty(database: fn() -> TestDatabase) {
    let (from, to) = (filled(TestDatabase::sqlite()), database());
    to.open().close();
    let of_records = TABLES.iter().filter(|table| table.name != Versions::TABLE);
    for expected in of_records {
        insert(to.writer().as_mut(), expected, 1..=1);
        let before = content(to.connection().as_mut());
        let refused = run(&from.location(), &to.location()).unwrap_err();
        assert!(
            matches!(refused, TransferError::NotEmpty { table, .. } if table == expected.name),
            "{refused:?}"
        );
        assert!(content(to.connection().as_mut()) == before);
        let clear = format!("DELETE FROM {}", expected.name);
        to.writer().execute(&clear, &[]).unwrap();
    }
    run(&from.location(), &to.location()).unwrap();
}

both!(one_place_is_not_both, check_same);

fn check_same(database: fn() -> TestDatabase) {
    let database = filled(database());
    let refused = run(&database.location(), &database.location()).unwrap_err();
    assert!(matches!(refused, TransferError::Same(_)), "{refused:?}");
}

#[test]
fn one_place_under_two_names_is_not_both() {
    let directory = filled(TestDatabase::sqlite());
    let Location::Directory(path) = directory.location() else {
        unreachable!("it is a directory")
    };
    let other = Location::Directory(path.join("..").join(path.file_name().unwrap()));
    let refused = run(&directory.location(), &other).unwrap_err();
    assert!(matches!(refused, TransferError::Same(_)), "{refused:?}");

    let server = filled(TestDatabase::postgres());
    let Location::Server(config) = server.location() else {
        unreachable!("it is a server")
    };
    let joined = if config.url.contains('?') { '&' } else { '?' };
    let other = Location::Server(Box::new(PostgresConfig {
        url: format!(
            "{}{joined}options=-csearch_path%3D{}",
            config.url,
            config.schema.as_ref().unwrap()
        ),
        schema: None,
        ..*config
    }));
    let refused = run(&server.location(), &other).unwrap_err();
    assert!(
        matches!(refused, TransferError::NotEmpty { .. }),
        "{refused:?}"
    );
}

both!(
    a_source_that_is_missing_is_refused_and_nothing_is_made,
    check_missing
);

fn check_missing(database: fn() -> TestDatabase) {
    let to = tempfile::tempdir().unwrap();
    let location = Location::Directory(to.path().join("new"));
    let refused = run(&database().location(), &location).unwrap_err();
    assert!(
        matches!(refused, TransferError::Source(Error::Missing(_))),
        "{refused:?}"
    );
    assert_eq!(fs::read_dir(to.path()).unwrap().count(), 0);
}

both!(
    a_store_of_an_older_release_is_neither_source_nor_target,
    check_older
);

fn check_older(database: fn() -> TestDatabase) {
    let older = filled(database());
    older
        .writer()
        .execute("DELETE FROM schema_migration", &[])
        .unwrap();
    let other = filled(TestDatabase::sqlite());
    let before = content(older.connection().as_mut());
    let refused = run(&older.location(), &TestDatabase::sqlite().location()).unwrap_err();
    assert!(
        matches!(refused, TransferError::Source(Error::Older { .. })),
        "{refused:?}"
    );
    let refused = run(&other.location(), &older.location()).unwrap_err();
    assert!(
        matches!(refused, TransferError::Target(Error::Older { .. })),
        "{refused:?}"
    );
    assert!(content(older.connection().as_mut()) == before);
}

#[test]
fn a_directory_in_use_is_neither_source_nor_target() {
    let (used, other) = (TestDatabase::sqlite(), filled(TestDatabase::sqlite()));
    let store = used.open();
    let refused = run(&used.location(), &TestDatabase::sqlite().location()).unwrap_err();
    assert!(
        matches!(refused, TransferError::Source(Error::Locked(_))),
        "{refused:?}"
    );
    let refused = run(&other.location(), &used.location()).unwrap_err();
    assert!(
        matches!(refused, TransferError::Target(Error::Locked(_))),
        "{refused:?}"
    );
    store.close();
}

#[test]
fn writers_of_the_source_wait_until_the_end_and_readers_do_not() {
    let (from, to) = (filled(TestDatabase::postgres()), TestDatabase::sqlite());
    let TestDatabase::Postgres(config) = &from else {
        unreachable!("it is a server")
    };
    let address = Address::new(config).unwrap();
    let mut refused = Vec::new();
    let transferred = transfer(
        &from.location(),
        &to.location(),
        Timestamp(1),
        &mut |progress| {
            if progress.table == "change" {
                let mut postgres = Postgres::connect(&address).unwrap();
                let write = "BEGIN; LOCK TABLE catalog_version IN ROW SHARE MODE NOWAIT";
                refused.push((progress.stage, postgres.script(write).is_err()));
                let read = "ROLLBACK; SELECT COUNT(*) FROM catalog_version";
                postgres.script(read).unwrap();
            }
        },
    );
    transferred.unwrap();
    assert!(refused.iter().all(|(_, is_refused)| *is_refused));
    assert!(refused.contains(&(Stage::Verifying, true)));
    let mut postgres = from.connection();
    postgres
        .script("BEGIN; LOCK TABLE catalog_version IN ROW SHARE MODE NOWAIT; COMMIT")
        .unwrap();
}
