//! The interface to a database engine, with one file per engine. SQL is written once, with
//! `?1`-style parameters.

pub(crate) mod budget;
pub(crate) mod meter;
pub(crate) mod postgres;
pub(crate) mod sql;
pub(crate) mod sqlite;
pub(crate) mod stop;
#[cfg(test)]
mod tests;
pub(crate) mod versions;
pub(crate) mod work_limit;

use stockroom_model::{ObjectId, TypeId};

use self::meter::Meter;
use self::stop::StopFlag;
use crate::Error;

/// The tracing target of every SQL statement.
pub const SQL_TARGET: &str = "stockroom_store::sql";

/// The most bytes of documents that a read holds; a single larger document is still read.
pub const READ_BYTES: usize = 2 * 1024 * 1024;

/// A value bound to a parameter.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Param<'a> {
    /// NULL.
    Null,
    /// A 64-bit integer.
    Int(i64),
    /// A text.
    Text(&'a str),
    /// A string of bytes.
    Bytes(&'a [u8]),
    /// Many integers in one parameter; see [`one_of`].
    Ints(&'a [i64]),
    /// Many strings of bytes in one parameter.
    ManyBytes(&'a [Vec<u8>]),
}

impl From<i64> for Param<'_> {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<ObjectId> for Param<'_> {
    fn from(id: ObjectId) -> Self {
        Self::Int(id.get())
    }
}

impl From<TypeId> for Param<'_> {
    fn from(id: TypeId) -> Self {
        Self::Int(id.get())
    }
}

impl<'a> From<&'a str> for Param<'a> {
    fn from(value: &'a str) -> Self {
        Self::Text(value)
    }
}

impl<'a> From<&'a [u8]> for Param<'a> {
    fn from(value: &'a [u8]) -> Self {
        Self::Bytes(value)
    }
}

impl<'a, T: Into<Param<'a>>> From<Option<T>> for Param<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Param::Null, Into::into)
    }
}

/// One row of a result. Columns are counted from 0.
pub(crate) trait Row {
    /// An integer, or `None` for NULL.
    fn opt_int(&self, column: usize) -> Result<Option<i64>, Error>;

    /// A text, or `None` for NULL; it lives as long as the row.
    fn opt_text(&self, column: usize) -> Result<Option<&str>, Error>;

    /// A string of bytes, or `None` for NULL; it lives as long as the row.
    fn opt_bytes(&self, column: usize) -> Result<Option<&[u8]>, Error>;

    /// An integer.
    fn int(&self, column: usize) -> Result<i64, Error> {
        self.opt_int(column)?
            .ok_or_else(|| Error::Damaged(format!("column {column} is null")))
    }

    /// A text.
    fn text(&self, column: usize) -> Result<&str, Error> {
        self.opt_text(column)?
            .ok_or_else(|| Error::Damaged(format!("column {column} is null")))
    }

    /// A string of bytes.
    fn bytes(&self, column: usize) -> Result<&[u8], Error> {
        self.opt_bytes(column)?
            .ok_or_else(|| Error::Damaged(format!("column {column} is null")))
    }
}

impl dyn Row + '_ {
    pub(crate) fn id<I: TryFrom<i64>>(&self, column: usize) -> Result<I, Error> {
        let number = self.int(column)?;
        I::try_from(number).map_err(|_| Error::Damaged(format!("{number} is no id")))
    }
}

/// Marks statements to be planned for their parameter values: the number of rows with a key varies,
/// and a plan that suits few rows takes quadratic time for many.
pub(crate) const BY_VALUES: &str = "/* by values */";

/// A statement to run for many rows, in several forms; each engine takes its cheapest one.
pub(crate) struct BatchStatement<'s> {
    /// Number of parameters of a row.
    pub(crate) width: usize,
    /// For one row, with a parameter for each value.
    pub(crate) one: &'s str,
    /// For all rows at once, with an array for each column: for an engine where each statement is a
    /// round trip.
    pub(crate) all: &'s str,
    /// Like `all`, for rows with the same last value, which is then not an array: a sharded
    /// database sends the statement to one shard.
    pub(crate) alike: Option<&'s str>,
    /// Like `all`, as a stream of rows: for an engine that takes many rows faster so.
    pub(crate) copy: Option<&'s str>,
}

/// A connection to a database.
pub(crate) trait Driver {
    /// Runs a statement without result rows and returns the number of changed rows.
    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, Error>;

    /// Writes many rows and returns how many were changed; `params` holds them one after another.
    fn execute_many(
        &mut self,
        sql: &BatchStatement<'_>,
        params: &[Param<'_>],
    ) -> Result<u64, Error>;

    /// Runs a statement and passes each row to `each`, until that fails.
    fn query(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        each: &mut dyn FnMut(&dyn Row) -> Result<(), Error>,
    ) -> Result<(), Error>;

    /// Runs a script of several statements without parameters.
    fn script(&mut self, sql: &str) -> Result<(), Error>;

    /// Writes changed pages that are still in memory, if this engine keeps them there.
    fn write_back(&mut self) -> Result<(), Error> {
        Ok(())
    }

    /// The SQL dialect of this engine.
    fn dialect(&self) -> Dialect;

    /// Stops its queries while it is set.
    fn stop_flag(&self) -> StopFlag;

    /// Pays for work outside of its statements.
    fn meter(&self) -> Meter {
        Meter::new(None, self.stop_flag())
    }

    /// Whether a statement failed for no fault of its own, so that the transaction must run again.
    fn must_run_again(&self) -> bool {
        false
    }

    /// Whether the database spreads its tables over several servers, so that a statement can lock
    /// the rows of one object only.
    fn is_sharded(&self) -> bool {
        false
    }

    /// Ends an inline read, so that it runs again on a thread where it delays nobody. False if this
    /// is none.
    fn ends_inline_read(&mut self) -> bool {
        false
    }

    /// A number that no other current connection to the same database has.
    fn connection_id(&self) -> i64 {
        0
    }
}

/// A condition: the column is one of the integers of a [`Param::Ints`]. A single parameter holds
/// them all, so that the statement stays prepared.
pub(crate) fn one_of(column: &str, parameter: usize) -> String {
    format!("{column} IN ({})", select_ints(parameter))
}

/// Selects the integers of a [`Param::Ints`].
pub(crate) fn select_ints(parameter: usize) -> String {
    format!("SELECT value FROM rarray(?{parameter})")
}

/// A condition: the column is one of the byte strings of a [`Param::ManyBytes`].
pub(crate) fn one_of_bytes(column: &str, parameter: usize) -> String {
    let table = table_of_bytes(parameter);
    format!("{column} IN (SELECT value FROM {table})")
}

/// The byte strings of a [`Param::ManyBytes`] as a table with the column `value`.
pub(crate) fn table_of_bytes(parameter: usize) -> String {
    format!("rarray_of_bytes(?{parameter})")
}

/// An SQL dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// The embedded engine.
    Sqlite,
    /// PostgreSQL from version 15, and compatible servers.
    Postgres,
}

impl Dialect {
    /// SQL to run before the schema: defines functions that statements call and that the engine
    /// lacks.
    #[must_use]
    pub(crate) const fn functions(self) -> &'static str {
        match self {
            // The driver loads them into each connection.
            Self::Sqlite => "",
            Self::Postgres => {
                "CREATE OR REPLACE FUNCTION rarray(ids BIGINT[]) RETURNS TABLE (value BIGINT)
    LANGUAGE SQL IMMUTABLE PARALLEL SAFE AS 'SELECT UNNEST(ids)';
CREATE OR REPLACE FUNCTION rarray_of_bytes(keys BYTEA[]) RETURNS TABLE (value BYTEA)
    LANGUAGE SQL IMMUTABLE PARALLEL SAFE AS 'SELECT UNNEST(keys)';
"
            }
        }
    }

    /// Begins the transaction of a migration, which excludes other migrations.
    pub(crate) const fn begin_migration(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN IMMEDIATE",
            Self::Postgres => {
                "BEGIN; SELECT pg_advisory_xact_lock(hashtext('stockroom migration in ' || current_schema()))"
            }
        }
    }

    /// Waits for the running writes, and lets others wait: those of an older release must find the
    /// new schema in their snapshots.
    pub(crate) const fn exclude_writes(self) -> &'static str {
        match self {
            // The transaction of the migration does.
            Self::Sqlite => "",
            Self::Postgres => "LOCK TABLE catalog_version IN EXCLUSIVE MODE",
        }
    }

    /// Returns a row if the journal of migrations exists, and with it the schema.
    pub(crate) const fn find_journal(self) -> &'static str {
        match self {
            Self::Sqlite => "PRAGMA table_list('schema_migration')",
            Self::Postgres => "SELECT 1 WHERE to_regclass('schema_migration') IS NOT NULL",
        }
    }

    /// Translates a script of the schema to this dialect.
    #[must_use]
    pub fn schema(self, script: &str) -> String {
        let [id, sequence, bytes, clustered, bytewise, transaction_ids] = match self {
            Self::Sqlite => [
                "INTEGER PRIMARY KEY",
                "INTEGER PRIMARY KEY AUTOINCREMENT",
                "BLOB",
                "WITHOUT ROWID",
                "BINARY",
                "",
            ],
            Self::Postgres => [
                "BIGINT PRIMARY KEY",
                "BIGINT GENERATED BY DEFAULT AS IDENTITY",
                "BYTEA",
                "",
                "\"C\"",
                "ALTER TABLE change ALTER COLUMN transaction_id \
                 SET DEFAULT CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT);",
            ],
        };
        script
            .replace("{ID}", id)
            .replace("{SEQUENCE}", sequence)
            .replace("{BYTES}", bytes)
            .replace("{CLUSTERED}", clustered)
            .replace("{BYTEWISE}", bytewise)
            .replace("{TRANSACTION_IDS}", transaction_ids)
    }
}
