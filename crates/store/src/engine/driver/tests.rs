//! Rows that PostgreSQL gets as a stream, and SQLite one by one, are the same afterwards. A
//! stream that is refused leaves nothing.

use super::{BatchStatement, Driver, Param};
use crate::records::object::tests::test_database::{TestDatabase, both};

const ROWS: i64 = 1_000;

const INSERT: BatchStatement<'_> = BatchStatement {
    width: 4,
    one: "INSERT INTO streamed (id, name, bytes, empty) VALUES (?1, ?2, ?3, ?4)",
    // Otherwise the test would not see that rows are streamed.
    all: "rows are not streamed",
    alike: None,
    copy: Some("COPY streamed (id, name, bytes, empty) FROM STDIN (FORMAT binary)"),
};

both!(streamed_rows_are_stored_whole_or_not, check_stream);

fn check_stream(database: fn() -> TestDatabase) {
    let database = database();
    let mut driver = writer(&database);
    let names = names();
    let rows = rows(&names);
    write(driver.as_mut(), &INSERT, &rows);
    let stored = stored(driver.as_mut());
    check_stored(&names, &stored);
    // Only the last row is there already.
    let mut others: Vec<Param<'_>> = rows.clone();
    for (id, row) in (1 - ROWS..).zip(others.chunks_mut(INSERT.width)) {
        row[0] = Param::Int(id);
    }
    driver.script("BEGIN").unwrap();
    assert!(driver.execute_many(&INSERT, &others).is_err());
    driver.script("ROLLBACK").unwrap();
    assert_eq!(self::stored(driver.as_mut()), stored);
    driver.script("DROP TABLE streamed").unwrap();
}

fn writer(database: &TestDatabase) -> Box<dyn Driver> {
    database.open().close();
    let mut driver = database.writer();
    let bytes = driver.dialect().schema("{BYTES}");
    let table = format!(
        "CREATE TABLE streamed (id BIGINT PRIMARY KEY, name TEXT, bytes {bytes}, empty TEXT)"
    );
    driver.script(&table).unwrap();
    driver
}

fn names() -> Vec<String> {
    (0..ROWS).map(|id| format!("ü\t\\N\n{id}")).collect()
}

fn rows(names: &[String]) -> Vec<Param<'_>> {
    let row = |(id, name)| {
        let name = if id % 3 == 0 { None } else { Some(name) };
        let bytes = if id % 2 == 0 {
            Param::Null
        } else {
            Param::Bytes(b"\0\xff\\")
        };
        [Param::Int(id), Param::from(name), bytes, Param::Null]
    };
    let rows = (0..).zip(names.iter().map(String::as_str));
    rows.flat_map(row).collect()
}

fn write(driver: &mut dyn Driver, insert: &BatchStatement<'_>, rows: &[Param<'_>]) {
    driver.script("BEGIN").unwrap();
    driver.execute_many(insert, rows).unwrap();
    driver.script("COMMIT").unwrap();
}

fn check_stored(names: &[String], stored: &[Stored]) {
    assert_eq!(stored.len(), names.len());
    for ((index, name), row) in (0..).zip(names).zip(stored) {
        let name = (index % 3 != 0).then(|| name.clone());
        let bytes = (index % 2 != 0).then(|| b"\0\xff\\".to_vec());
        assert_eq!(*row, (index, name, bytes, None));
    }
}

type Stored = (i64, Option<String>, Option<Vec<u8>>, Option<String>);

fn stored(driver: &mut dyn Driver) -> Vec<Stored> {
    let mut stored = Vec::new();
    let select = "SELECT id, name, bytes, empty FROM streamed ORDER BY id";
    let read = driver.query(select, &[], &mut |row| {
        stored.push((
            row.int(0)?,
            row.opt_text(1)?.map(str::to_owned),
            row.opt_bytes(2)?.map(<[u8]>::to_vec),
            row.opt_text(3)?.map(str::to_owned),
        ));
        Ok(())
    });
    read.unwrap();
    stored
}
