//! What work asks, and the work with the answer.

use tokio_postgres::Row as PostgresRow;

use crate::Error;
use crate::driver::postgres::Value;
use crate::driver::{BatchStatement, Dialect, Driver, Param, Row};

/// A statement with its parameters.
pub(super) struct Question {
    pub(super) sql: String,
    pub(super) params: Vec<Value>,
}

/// Notes the first statement and answers none.
#[derive(Default)]
pub(super) struct Questioner(Option<Question>);

impl Questioner {
    pub(super) fn question(self) -> Option<Question> {
        self.0
    }
}

/// Answers the statement that was asked with the rows that came, and no other.
pub(super) struct Answer<'q> {
    question: &'q Question,
    rows: Option<Vec<PostgresRow>>,
    is_exceeded: bool,
}

impl<'q> Answer<'q> {
    pub(super) const fn new(question: &'q Question, rows: Vec<PostgresRow>) -> Self {
        Self {
            question,
            rows: Some(rows),
            is_exceeded: false,
        }
    }

    /// Whether the work asked what was answered and nothing else.
    pub(super) const fn was_enough(&self) -> bool {
        self.rows.is_none() && !self.is_exceeded
    }

    fn exceed(&mut self) -> Error {
        self.is_exceeded = true;
        Error::TooLong
    }
}

impl Driver for Questioner {
    fn execute(&mut self, _: &str, _: &[Param<'_>]) -> Result<u64, Error> {
        Err(Error::TooLong)
    }

    fn execute_many(&mut self, _: &BatchStatement<'_>, _: &[Param<'_>]) -> Result<(), Error> {
        Err(Error::TooLong)
    }

    fn query(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        _: &mut dyn FnMut(&dyn Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.0.get_or_insert_with(|| Question {
            sql: sql.to_owned(),
            params: params.iter().map(Value::from).collect(),
        });
        Err(Error::TooLong)
    }

    fn expect_several(&mut self) -> Result<(), Error> {
        Err(Error::TooLong)
    }

    fn script(&mut self, _: &str) -> Result<(), Error> {
        Err(Error::TooLong)
    }

    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }
}

impl Driver for Answer<'_> {
    fn execute(&mut self, _: &str, _: &[Param<'_>]) -> Result<u64, Error> {
        Err(self.exceed())
    }

    fn execute_many(&mut self, _: &BatchStatement<'_>, _: &[Param<'_>]) -> Result<(), Error> {
        Err(self.exceed())
    }

    fn query(
        &mut self,
        sql: &str,
        _: &[Param<'_>],
        each: &mut dyn FnMut(&dyn Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let rows = self.rows.take().filter(|_| sql == self.question.sql);
        let rows = rows.ok_or_else(|| self.exceed())?;
        rows.iter().try_for_each(|row| each(row))
    }

    fn expect_several(&mut self) -> Result<(), Error> {
        Err(self.exceed())
    }

    fn script(&mut self, _: &str) -> Result<(), Error> {
        Err(self.exceed())
    }

    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }
}
