//! Reads of a single statement. It is a consistent view by itself, so it needs no transaction, and
//! on PostgreSQL no thread of its own.

use crate::Error;
use crate::engine::driver::Row;
use crate::engine::driver::sql::Sql;

/// A statement, and the function that reads its rows.
pub struct Statement<T> {
    sql: Sql,
    read: Box<Read<T>>,
}

type Read<T> = dyn Fn(&mut Rows<'_>) -> Result<T, Error> + Send + Sync;

/// Passes each row of a result to a function, until that fails.
pub(crate) type Rows<'r> =
    dyn FnMut(&mut dyn FnMut(&dyn Row) -> Result<(), Error>) -> Result<(), Error> + 'r;

impl<T> Statement<T> {
    pub(crate) fn new(
        sql: Sql,
        read: impl Fn(&mut Rows<'_>) -> Result<T, Error> + Send + Sync + 'static,
    ) -> Self {
        Self {
            sql,
            read: Box::new(read),
        }
    }

    pub(crate) fn sql(&self) -> &Sql {
        &self.sql
    }

    /// Reads the rows of a result.
    pub(crate) fn read(&self, rows: &mut Rows<'_>) -> Result<T, Error> {
        (self.read)(rows)
    }
}
