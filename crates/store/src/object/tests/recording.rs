//! A connection that notes the statements that it runs.

use std::path::Path;

use crate::driver::sqlite::Sqlite;
use crate::driver::{Dialect, Driver, Param, Row};
use crate::{DATABASE_FILE, Error};

pub(super) struct Recording {
    connection: Sqlite,
    pub(super) statements: Vec<String>,
}

impl Recording {
    /// Reads the database of a directory.
    pub(super) fn reader(directory: &Path) -> Self {
        Self {
            connection: Sqlite::reader(&directory.join(DATABASE_FILE)).unwrap(),
            statements: Vec::new(),
        }
    }
}

impl Driver for Recording {
    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, Error> {
        self.statements.push(sql.to_owned());
        self.connection.execute(sql, params)
    }

    fn execute_each(&mut self, sql: &str, width: usize, params: &[Param<'_>]) -> Result<(), Error> {
        self.statements.push(sql.to_owned());
        self.connection.execute_each(sql, width, params)
    }

    fn query(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        each: &mut dyn FnMut(&dyn Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.statements.push(sql.to_owned());
        self.connection.query(sql, params, each)
    }

    fn script(&mut self, sql: &str) -> Result<(), Error> {
        self.connection.script(sql)
    }

    fn dialect(&self) -> Dialect {
        self.connection.dialect()
    }
}
