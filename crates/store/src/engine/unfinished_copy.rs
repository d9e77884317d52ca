//! The mark of a database that a copy is written to. It stays if the process is killed, so that no
//! server takes what is left for a new inventory.

use crate::Error;
use crate::engine::driver::{Dialect, Driver};

const MARK: &str = "CREATE TABLE IF NOT EXISTS unfinished_copy (is_unfinished BIGINT NOT NULL)";
const UNMARK: &str = "DROP TABLE unfinished_copy";

/// Marks a database, outside of the transaction of the copy.
pub(crate) fn mark(driver: &mut dyn Driver) -> Result<(), Error> {
    driver.script(MARK)
}

/// Takes the mark away: as a part of a copy, or after it was undone.
pub(crate) fn unmark(driver: &mut dyn Driver) -> Result<(), Error> {
    driver.script(UNMARK)
}

/// Refuses a marked database.
///
/// # Errors
///
/// [`Error::UnfinishedCopy`].
pub(crate) fn refuse(driver: &mut dyn Driver) -> Result<(), Error> {
    let mut is_marked = false;
    driver.query(find_mark(driver.dialect()), &[], &mut |_| {
        is_marked = true;
        Ok(())
    })?;
    if is_marked {
        return Err(Error::UnfinishedCopy);
    }
    Ok(())
}

const fn find_mark(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "PRAGMA table_list('unfinished_copy')",
        Dialect::Postgres => "SELECT 1 WHERE to_regclass('unfinished_copy') IS NOT NULL",
    }
}
