//! An idle reader that holds the newest snapshot.

use crate::Error;
use crate::engine::driver::Driver;

/// Any query takes a snapshot.
pub(crate) const ANY_ROW: &str = "SELECT value FROM instance LIMIT 1";

/// Holds the newest snapshot between commits. SQLite locks a file for the first reader of a
/// snapshot and unlocks it after the last one, with two system calls that cost more than a short
/// read. Readers beside it need neither. It is released while a group of writes commits, so that no
/// checkpoint waits for it.
pub(crate) struct PinnedSnapshot {
    driver: Box<dyn Driver + Send>,
    is_held: bool,
}

impl PinnedSnapshot {
    pub(crate) fn new(driver: Box<dyn Driver + Send>) -> Self {
        Self {
            driver,
            is_held: false,
        }
    }

    /// Takes the newest snapshot. Ignores failures: without it, reads are only slower.
    pub(crate) fn hold(&mut self) {
        self.is_held = self.begin().is_ok();
        if !self.is_held {
            let _ = self.driver.script("ROLLBACK");
        }
    }

    /// Releases the snapshot.
    pub(crate) fn release(&mut self) {
        if std::mem::take(&mut self.is_held) && self.driver.execute("COMMIT", &[]).is_err() {
            let _ = self.driver.script("ROLLBACK");
        }
    }

    fn begin(&mut self) -> Result<(), Error> {
        self.driver.execute("BEGIN", &[])?;
        // The first query takes the snapshot.
        self.driver.query(ANY_ROW, &[], &mut |_| Ok(()))
    }
}
