//! The embedded engine.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, OpenFlags, ToSql};

use super::{Dialect, Driver, Param, Row};
use crate::Error;
use crate::lookup::Budget;

/// Statements kept prepared per connection.
const PREPARED_STATEMENTS: usize = 128;
/// Page cache per connection, in KiB (negative: that is how SQLite tells KiB from pages).
const CACHE_KIB: i64 = -2_048;

/// Steps of the engine between two looks at the budget.
const STEPS: i32 = 500;

/// A connection to a database file.
pub(crate) struct Sqlite {
    connection: Connection,
    budget: Option<Arc<Budget>>,
}

impl Sqlite {
    /// Opens the connection that writes, and makes the file if need be.
    ///
    /// # Errors
    ///
    /// The file cannot be opened.
    pub(crate) fn writer(path: &Path) -> Result<Self, Error> {
        let connection = Connection::open(path).map_err(engine)?;
        // FULL: a commit that was acknowledged survives a loss of power.
        connection
            .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
            .map_err(engine)?;
        Self::prepare(connection)
    }

    /// Opens a connection that reads.
    ///
    /// # Errors
    ///
    /// The file cannot be opened.
    pub(crate) fn reader(path: &Path) -> Result<Self, Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Self::prepare(Connection::open_with_flags(path, flags).map_err(engine)?)
    }

    /// Opens a connection for reads that stop when their budget is spent.
    ///
    /// # Errors
    ///
    /// The file cannot be opened.
    pub(crate) fn lookup(path: &Path, budget: Arc<Budget>) -> Result<Self, Error> {
        let mut lookup = Self::reader(path)?;
        let steps = Arc::clone(&budget);
        lookup
            .connection
            .progress_handler(STEPS, Some(move || steps.pay_steps(STEPS.into())))
            .map_err(engine)?;
        lookup.budget = Some(budget);
        Ok(lookup)
    }

    fn prepare(connection: Connection) -> Result<Self, Error> {
        connection
            .busy_timeout(std::time::Duration::from_secs(5))
            .map_err(engine)?;
        connection
            .pragma_update(None, "cache_size", CACHE_KIB)
            .map_err(engine)?;
        connection.set_prepared_statement_cache_capacity(PREPARED_STATEMENTS);
        // Plans do not depend on what is bound. Else each new LIMIT, even of the same value, makes a statement be prepared anew.
        connection
            .set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)
            .map_err(engine)?;
        rusqlite::vtab::array::load_module(&connection).map_err(engine)?;
        Ok(Self {
            connection,
            budget: None,
        })
    }
}

impl Driver for Sqlite {
    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, Error> {
        tracing::trace!(target: crate::SQL_TARGET, sql);
        let mut statement = self.connection.prepare_cached(sql).map_err(engine)?;
        let changed = statement
            .execute(rusqlite::params_from_iter(params))
            .map_err(engine)?;
        Ok(changed as u64)
    }

    fn query(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        each: &mut dyn FnMut(&dyn Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        tracing::trace!(target: crate::SQL_TARGET, sql);
        if self
            .budget
            .as_ref()
            .is_some_and(|budget| budget.pay_statement())
        {
            return Err(Error::TooLong);
        }
        let mut statement = self.connection.prepare_cached(sql).map_err(engine)?;
        let mut rows = statement
            .query(rusqlite::params_from_iter(params))
            .map_err(engine)?;
        while let Some(row) = rows.next().map_err(engine)? {
            if self.budget.as_ref().is_some_and(|budget| budget.pay_row()) {
                return Err(Error::TooLong);
            }
            each(row)?;
        }
        Ok(())
    }

    fn script(&mut self, sql: &str) -> Result<(), Error> {
        self.connection.execute_batch(sql).map_err(engine)
    }

    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }
}

impl ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Param::Null => ToSqlOutput::Borrowed(ValueRef::Null),
            Param::Int(value) => ToSqlOutput::Borrowed(ValueRef::Integer(*value)),
            Param::Text(value) => ToSqlOutput::Borrowed(ValueRef::Text(value.as_bytes())),
            Param::Ints(values) => {
                let values: Vec<Value> = values.iter().copied().map(Value::Integer).collect();
                ToSqlOutput::from_rc(Rc::new(values), c"rarray")
            }
        })
    }
}

impl Row for rusqlite::Row<'_> {
    fn opt_int(&self, column: usize) -> Result<Option<i64>, Error> {
        match self.get_ref(column).map_err(engine)? {
            ValueRef::Null => Ok(None),
            ValueRef::Integer(value) => Ok(Some(value)),
            other => Err(Error::Damaged(format!(
                "column {column} holds {}, not an integer",
                other.data_type()
            ))),
        }
    }

    fn opt_text(&self, column: usize) -> Result<Option<&str>, Error> {
        match self.get_ref(column).map_err(engine)? {
            ValueRef::Null => Ok(None),
            ValueRef::Text(text) => std::str::from_utf8(text)
                .map(Some)
                .map_err(|error| Error::Damaged(error.to_string())),
            other => Err(Error::Damaged(format!(
                "column {column} holds {}, not a text",
                other.data_type()
            ))),
        }
    }
}

fn engine(error: rusqlite::Error) -> Error {
    Error::Engine(Box::new(error))
}
