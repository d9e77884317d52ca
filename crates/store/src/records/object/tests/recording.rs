//! A connection that records its statements.

use super::test_database::TestDatabase;
use crate::Error;
use crate::engine::driver::stop::StopFlag;
use crate::engine::driver::{BatchStatement, Dialect, Driver, Param, Row};

pub(super) struct Recording {
    connection: Box<dyn Driver>,
    pub(super) statements: Vec<Statement>,
}

/// A recorded statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) sql: String,
    pub(super) parameters: usize,
}

impl Recording {
    /// A connection that reads the database of a test.
    pub(super) fn reader(database: &TestDatabase) -> Self {
        Self {
            connection: database.connection(),
            statements: Vec::new(),
        }
    }

    /// The steps of the engine's query plan for a statement.
    pub(super) fn plan(&mut self, statement: &Statement) -> Vec<String> {
        let sql = format!("EXPLAIN QUERY PLAN {}", statement.sql);
        let nulls = vec![Param::Null; statement.parameters];
        let mut steps = Vec::new();
        let explained = self.connection.query(&sql, &nulls, &mut |row| {
            steps.push(row.text(3)?.to_owned());
            Ok(())
        });
        explained.unwrap();
        steps
    }

    fn note(&mut self, sql: &str, parameters: usize) {
        self.statements.push(Statement {
            sql: sql.to_owned(),
            parameters,
        });
    }
}

impl Driver for Recording {
    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, Error> {
        self.note(sql, params.len());
        self.connection.execute(sql, params)
    }

    fn execute_many(
        &mut self,
        sql: &BatchStatement<'_>,
        params: &[Param<'_>],
    ) -> Result<u64, Error> {
        self.note(sql.one, sql.width);
        self.connection.execute_many(sql, params)
    }

    fn query(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        each: &mut dyn FnMut(&dyn Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.note(sql, params.len());
        self.connection.query(sql, params, each)
    }

    fn script(&mut self, sql: &str) -> Result<(), Error> {
        self.connection.script(sql)
    }

    fn dialect(&self) -> Dialect {
        self.connection.dialect()
    }

    fn stop_flag(&self) -> StopFlag {
        self.connection.stop_flag()
    }
}
