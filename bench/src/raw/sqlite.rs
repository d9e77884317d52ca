//! SQLite without the store.

mod writer;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, OptionalExtension as _, params};

use super::{IndexedField, Raw};

pub(crate) use writer::RawWriter;

// Keep in sync with crates/store/src/engine/driver/sqlite.rs.
const FILE: &str = "stockroom.db";
const CACHE_KIB: i64 = -2_048;

const HAS_INDEX: &str = "SELECT 1 FROM pragma_table_info('object_field') WHERE name = 'key'";
const FIELD: &str =
    "SELECT field_id FROM type_field WHERE type_id = ?1 AND name = ?2 AND member = 0";
const KEYS: &str = "SELECT key FROM object_field WHERE field_id = ?1 LIMIT ?2";
const COUNT: &str = "SELECT COUNT(*) FROM object_field WHERE field_id = ?1 AND key = ?2";
const PAGE: &str = "SELECT public_id, type_id, revision, views, secrets, doc FROM object WHERE public_id IN \
     (SELECT object_id FROM object_field WHERE field_id = ?1 AND key = ?2) ORDER BY public_id LIMIT 10";

/// The tables with rows of objects, and their columns with the object id.
const TABLES: &str = "SELECT m.name, p.name FROM sqlite_master m JOIN pragma_table_info(m.name) p \
     WHERE m.type = 'table' AND (p.name IN ('object_id', 'record_id') OR (m.name = 'object' AND p.name = 'public_id')) \
     ORDER BY m.name <> 'object', m.name";

/// A connection for reading.
pub(crate) struct RawReader(Connection);

impl RawReader {
    pub(crate) fn open(directory: &Path) -> anyhow::Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(directory.join(FILE), flags)?;
        connection.pragma_update(None, "cache_size", CACHE_KIB)?;
        Ok(Self(connection))
    }

    /// The highest object id.
    pub(crate) fn last_object(&self) -> anyhow::Result<i64> {
        let sql = "SELECT MAX(public_id) FROM object";
        let last: Option<i64> = self.0.query_row(sql, [], |row| row.get(0))?;
        last.context("there are no objects")
    }

    /// All rows of objects with ids above `after`, from all tables of the schema.
    pub(crate) fn rows_after(&self, after: i64) -> anyhow::Result<NewRows> {
        let mut statement = self.0.prepare(TABLES)?;
        let tables = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let tables: Vec<(String, String)> = tables.collect::<Result<_, _>>()?;
        let mut new = NewRows::default();
        for (table, column) in tables {
            self.collect(&table, &column, after, &mut new)?;
        }
        // Ids may have gaps.
        new.objects.retain(|rows| !rows.is_empty());
        Ok(new)
    }

    fn collect(
        &self,
        table: &str,
        column: &str,
        after: i64,
        new: &mut NewRows,
    ) -> anyhow::Result<()> {
        let sql = format!("SELECT {column}, * FROM {table} WHERE {column} > ?1 ORDER BY {column}");
        let mut statement = self.0.prepare(&sql)?;
        let columns = statement.column_count();
        let parameters: Vec<String> = (1..columns).map(|number| format!("?{number}")).collect();
        new.tables.push(NewTable {
            name: table.to_owned(),
            insert: format!("INSERT INTO {table} VALUES ({})", parameters.join(", ")),
        });
        let mut rows = statement.query([after])?;
        while let Some(row) = rows.next()? {
            let object: i64 = row.get(0)?;
            let values: Vec<Value> = (1..columns)
                .map(|column| row.get(column))
                .collect::<Result<_, _>>()?;
            let offset = usize::try_from(object - after - 1)?;
            if new.objects.len() <= offset {
                new.objects.resize_with(offset + 1, Vec::new);
            }
            new.objects[offset].push((new.tables.len() - 1, values));
        }
        Ok(())
    }
}

impl Raw for RawReader {
    fn field(&self, type_id: i64, name: &str) -> anyhow::Result<Option<IndexedField>> {
        let has_index = self.0.query_row(HAS_INDEX, [], |_| Ok(())).optional()?;
        if has_index.is_none() {
            return Ok(None);
        }
        let field_id = self
            .0
            .query_row(FIELD, params![type_id, name], |row| row.get(0))?;
        Ok(Some(IndexedField { field_id }))
    }

    fn keys(&self, field: IndexedField, count: usize) -> anyhow::Result<Vec<Vec<u8>>> {
        let mut statement = self.0.prepare(KEYS)?;
        let rows = statement.query_map(params![field.field_id, i64::try_from(count)?], |row| {
            row.get(0)
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn time(&self, field: IndexedField, keys: &[Vec<u8>]) -> anyhow::Result<Duration> {
        self.0.execute_batch("BEGIN")?;
        let started = Instant::now();
        for key in keys {
            let mut page = self.0.prepare_cached(PAGE)?;
            let rows =
                page.query_map(params![field.field_id, key], |row| row.get::<_, String>(5))?;
            std::hint::black_box(rows.collect::<Result<Vec<String>, _>>()?);
            let mut count = self.0.prepare_cached(COUNT)?;
            let total: i64 = count.query_row(params![field.field_id, key], |row| row.get(0))?;
            std::hint::black_box(total);
        }
        let elapsed = started.elapsed();
        self.0.execute_batch("COMMIT")?;
        Ok(elapsed)
    }
}

/// A table, and how to insert its rows.
struct NewTable {
    name: String,
    insert: String,
}

/// The rows of new objects: per object, the table and the values of each row.
#[derive(Default)]
pub(crate) struct NewRows {
    tables: Vec<NewTable>,
    objects: Vec<Vec<(usize, Vec<Value>)>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relevant tables of a schema with an index of fields.
    const SCHEMA: &str = "
        CREATE TABLE type_field (field_id INTEGER PRIMARY KEY, type_id BIGINT, member BIGINT, name TEXT);
        CREATE TABLE object (public_id INTEGER PRIMARY KEY, type_id, revision, views, secrets, doc TEXT);
        CREATE TABLE object_field (field_id BIGINT, key BLOB, object_id BIGINT,
            PRIMARY KEY (field_id, key, object_id)) WITHOUT ROWID;
        CREATE TABLE object_count (type_id, part, total, active, irregular, PRIMARY KEY (type_id, part));
        INSERT INTO type_field VALUES (7, 3, 0, 'hostname');
        INSERT INTO object VALUES (1, 3, 1, 0, NULL, '{}');
        INSERT INTO object_field VALUES (7, x'01', 1);";
    const MORE: &str = "
        INSERT INTO object VALUES (2, 3, 1, 0, NULL, '{}'), (4, 3, 1, 0, NULL, '{}');
        INSERT INTO object_field VALUES (7, x'02', 2), (7, x'04', 4), (8, x'05', 4);";
    const COUNTS: &str =
        "SELECT (SELECT COUNT(*) FROM object), (SELECT COUNT(*) FROM object_field),
        (SELECT total FROM object_count WHERE type_id = 3)";

    fn database() -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        let connection = Connection::open(directory.path().join(FILE)).unwrap();
        connection.execute_batch(SCHEMA).unwrap();
        directory
    }

    #[test]
    fn new_rows_of_all_tables_are_inserted_elsewhere() {
        let (from, to) = (database(), database());
        let changed = Connection::open(from.path().join(FILE)).unwrap();
        changed.execute_batch(MORE).unwrap();
        let new = RawReader::open(from.path()).unwrap().rows_after(1).unwrap();
        let mut writer = RawWriter::open(to.path()).unwrap();
        assert!(writer.insert(&new, 64).unwrap() > 0.0);
        writer.close().unwrap();
        let written = Connection::open(to.path().join(FILE)).unwrap();
        let counts = written.query_row(COUNTS, [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        });
        assert_eq!(counts.unwrap(), (3, 4, 2));
        assert_eq!(new.objects.len(), 2);
    }

    #[test]
    fn keys_of_a_field_find_their_objects() {
        let directory = database();
        let reader = RawReader::open(directory.path()).unwrap();
        let field = reader.field(3, "hostname").unwrap().unwrap();
        let keys = reader.keys(field, 10).unwrap();
        assert_eq!(keys, [[1]]);
        reader.time(field, &keys).unwrap();
        assert_eq!(reader.last_object().unwrap(), 1);
    }
}
