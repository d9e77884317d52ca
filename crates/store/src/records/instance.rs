//! Facts about this installation.

use crate::Error;
use crate::transaction::{ReadTx, WriteTx};

pub(crate) const SELECT: &str = "SELECT value FROM instance WHERE name = ?1";
pub(crate) const INSERT: &str = "INSERT INTO instance (name, value) VALUES (?1, ?2)";
const SET: &str = "INSERT INTO instance (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";

impl ReadTx<'_> {
    /// A fact by its name.
    pub fn instance_fact(&mut self, name: &str) -> Result<Option<String>, Error> {
        self.first(SELECT, &[name.into()], |row| Ok(row.text(0)?.to_owned()))
    }
}

impl WriteTx<'_> {
    /// Stores a fact permanently.
    ///
    /// # Errors
    ///
    /// The engine failed, or the fact is already stored.
    pub fn insert_instance_fact(&mut self, name: &str, value: &str) -> Result<(), Error> {
        self.run_one(INSERT, &[name.into(), value.into()])
    }

    /// Stores a fact that may change.
    pub fn set_instance_fact(&mut self, name: &str, value: &str) -> Result<(), Error> {
        self.run_one(SET, &[name.into(), value.into()])
    }
}
