//! Rows of SQLite.

use rusqlite::types::ValueRef;

use super::engine;
use crate::Error;
use crate::engine::driver::Row;
use crate::engine::driver::budget::Budget;

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

    fn opt_bytes(&self, column: usize) -> Result<Option<&[u8]>, Error> {
        match self.get_ref(column).map_err(engine)? {
            ValueRef::Null => Ok(None),
            ValueRef::Blob(bytes) => Ok(Some(bytes)),
            other => Err(Error::Damaged(format!(
                "column {column} holds {}, not bytes",
                other.data_type()
            ))),
        }
    }
}

/// A row of an inline read, whose budget pays for what is read of it.
pub(super) struct PaidRow<'r> {
    pub(super) row: &'r rusqlite::Row<'r>,
    pub(super) budget: &'r Budget,
}

impl Row for PaidRow<'_> {
    fn opt_int(&self, column: usize) -> Result<Option<i64>, Error> {
        self.row.opt_int(column)
    }

    fn opt_text(&self, column: usize) -> Result<Option<&str>, Error> {
        let text = self.row.opt_text(column)?;
        self.budget.pay_bytes(text.map_or(0, str::len));
        Ok(text)
    }

    fn opt_bytes(&self, column: usize) -> Result<Option<&[u8]>, Error> {
        let bytes = self.row.opt_bytes(column)?;
        self.budget.pay_bytes(bytes.map_or(0, <[u8]>::len));
        Ok(bytes)
    }
}
