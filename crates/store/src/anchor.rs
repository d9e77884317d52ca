//! A reader that does nothing but be there.

use crate::Error;
use crate::driver::Driver;

/// Any question will do to take a snapshot.
pub(crate) const ANY_ROW: &str = "SELECT value FROM instance LIMIT 1";

/// Holds the newest snapshot between commits. The embedded engine locks a file when the first
/// reader of a snapshot comes and when the last one goes, with two calls of the operating system
/// that cost more than a short read; readers beside this one need none. It lets go while a group of
/// writes commits, so that no checkpoint waits for it.
pub(crate) struct Anchor {
    driver: Box<dyn Driver + Send>,
    is_held: bool,
}

impl Anchor {
    pub(crate) fn new(driver: Box<dyn Driver + Send>) -> Self {
        Self {
            driver,
            is_held: false,
        }
    }

    /// Takes the newest snapshot. Without one reads are only slower, so failures are passed over.
    pub(crate) fn hold(&mut self) {
        self.is_held = self.begin().is_ok();
        if !self.is_held {
            let _ = self.driver.script("ROLLBACK");
        }
    }

    /// Lets go of the snapshot.
    pub(crate) fn release(&mut self) {
        if std::mem::take(&mut self.is_held) && self.driver.execute("COMMIT", &[]).is_err() {
            let _ = self.driver.script("ROLLBACK");
        }
    }

    fn begin(&mut self) -> Result<(), Error> {
        self.driver.execute("BEGIN", &[])?;
        // The snapshot is taken by the first look.
        self.driver.query(ANY_ROW, &[], &mut |_| Ok(()))
    }
}
