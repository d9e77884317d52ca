//! All tables are copied unchanged, and a failed copy leaves nothing.

mod backup;
mod cut;
pub(crate) mod filling;
mod refusals;
mod schema;

use stockroom_model::Timestamp;

use self::filling::{content, fill};
use super::{Stage, TransferError, Transferred, transfer};
use crate::Location;
use crate::records::object::tests::test_database::{TestDatabase, both};

const LAST: &str = "SELECT MAX(seq) FROM change";
const NEXT: &str = "INSERT INTO change (record_id, resource, name, revision, action, actor, at, request_id) VALUES (1, 'a', 'b', 1, 'c', 1, 1, 'd')";

fn run(from: &Location, to: &Location) -> Result<Transferred, TransferError> {
    transfer(from, to, Timestamp(1), &mut |_| {})
}

/// A store in which every table has rows.
fn filled(database: TestDatabase) -> TestDatabase {
    database.open().close();
    fill(database.writer().as_mut());
    database
}

#[test]
fn everything_comes_back_the_same_from_one_engine_to_the_other_and_back() {
    let first = filled(TestDatabase::sqlite());
    let before = content(first.connection().as_mut());
    let (second, third) = (TestDatabase::postgres(), TestDatabase::postgres());
    let (fourth, last) = (TestDatabase::sqlite(), TestDatabase::sqlite());
    let mut results = Vec::new();
    let mut from = &first;
    for to in [&second, &third, &fourth, &last] {
        results.push(run(&from.location(), &to.location()).unwrap());
        assert!(content(to.connection().as_mut()) == before);
        from = to;
    }
    assert!(results.iter().all(|result| *result == results[0]));
    assert!(results[0].tables.iter().all(|(_, rows)| *rows > 0));
    assert_eq!(results[0].checksum.len(), 64);
}

#[test]
fn a_value_that_differs_gives_another_checksum() {
    let database = filled(TestDatabase::sqlite());
    let before = run(&database.location(), &TestDatabase::sqlite().location()).unwrap();
    database
        .writer()
        .script("UPDATE category SET revision = revision + 1 WHERE public_id = (SELECT MAX(public_id) FROM category)")
        .unwrap();
    let after = run(&database.location(), &TestDatabase::sqlite().location()).unwrap();
    assert_eq!(before.tables, after.tables);
    assert_ne!(before.checksum, after.checksum);
}

#[test]
fn an_empty_store_can_be_moved() {
    let first = TestDatabase::sqlite();
    first.open().close();
    let second = TestDatabase::postgres();
    let there = run(&first.location(), &second.location()).unwrap();
    let back = run(&second.location(), &TestDatabase::sqlite().location()).unwrap();
    assert_eq!(there, back);
    let with_rows: Vec<_> = there.tables.iter().filter(|(_, rows)| *rows > 0).collect();
    assert_eq!(
        with_rows,
        [&("catalog_version", 1)],
        "the version of the schema"
    );
    assert_eq!(next_number(&second), 1);
}

both!(numbers_of_changes_go_on_after_the_last_one, check_numbers);

fn check_numbers(database: fn() -> TestDatabase) {
    let (from, to) = (filled(TestDatabase::sqlite()), database());
    run(&from.location(), &to.location()).unwrap();
    let last = last_number(&to);
    assert!(last > 1);
    assert_eq!(next_number(&to), last + 1);
}

/// The number that the engine gives to the next change.
fn next_number(database: &TestDatabase) -> i64 {
    database.writer().execute(NEXT, &[]).unwrap();
    last_number(database)
}

fn last_number(database: &TestDatabase) -> i64 {
    let mut last = 0;
    let asked = database.connection().query(LAST, &[], &mut |row| {
        last = row.int(0)?;
        Ok(())
    });
    asked.unwrap();
    last
}

#[test]
fn progress_is_told_of_every_table_when_it_is_written_and_when_it_is_read_back() {
    let (from, to) = (filled(TestDatabase::sqlite()), TestDatabase::sqlite());
    let mut told = Vec::new();
    let transferred = transfer(
        &from.location(),
        &to.location(),
        Timestamp(1),
        &mut |progress| {
            told.push((progress.stage, progress.table, progress.rows));
        },
    );
    for (table, rows) in transferred.unwrap().tables {
        for stage in [Stage::Copying, Stage::Verifying] {
            assert!(told.contains(&(stage, table, rows)), "{stage:?} {table}");
        }
    }
}
