//! A copy of the embedded database, made before a migration that rewrites records.

use std::fs::{self, File};
use std::path::Path;

use super::{MIGRATIONS, applied, has_journal};
use crate::Error;
use crate::engine::directory::{Directory, file_error, open_private};
use crate::engine::driver::Driver;
use crate::engine::driver::sqlite::Sqlite;

const FIND_RECORD: &str = "SELECT 1 FROM user_account LIMIT 1";

/// Copies the database if a missing migration rewrites its records. The copy replaces one that an
/// earlier attempt made: starts that fail again and again must not fill the disk.
///
/// # Errors
///
/// The copy cannot be written; the database is then unchanged.
pub(crate) fn save_before_rewrite(driver: &mut Sqlite, directory: &Directory) -> Result<(), Error> {
    let Some(version) = next_rewrite(driver)? else {
        return Ok(());
    };
    let path = directory.file(&format!("before-migration-{version}.db"));
    save(driver, directory, &path)?;
    tracing::warn!(
        version,
        copy = %path.display(),
        "the database is copied, because a migration rewrites records; delete the copy when you do not need the older release any more"
    );
    Ok(())
}

/// Says that a migration is about to rewrite the records of a server, which can be copied only from
/// outside.
pub(crate) fn warn_before_rewrite(driver: &mut dyn Driver) -> Result<(), Error> {
    if let Some(version) = next_rewrite(driver)? {
        tracing::warn!(
            version,
            "a migration rewrites records; to go back to the older release, restore a backup"
        );
    }
    Ok(())
}

/// The first missing migration that rewrites records, if there are records.
fn next_rewrite(driver: &mut dyn Driver) -> Result<Option<i64>, Error> {
    if !has_journal(driver)? {
        return Ok(None);
    }
    let count = applied(driver)?.len();
    let mut missing = MIGRATIONS.iter().skip(count);
    let Some(rewrite) = missing.find(|migration| migration.rewrites_records) else {
        return Ok(None);
    };
    let mut has_records = false;
    if count > 0 {
        driver.query(FIND_RECORD, &[], &mut |_| {
            has_records = true;
            Ok(())
        })?;
    }
    Ok(has_records.then_some(rewrite.version))
}

fn save(driver: &mut Sqlite, directory: &Directory, path: &Path) -> Result<(), Error> {
    let partial = path.with_extension("partial");
    let failed = |source| file_error(path, source);
    if partial.exists() {
        fs::remove_file(&partial).map_err(failed)?;
    }
    open_private(&partial)?;
    driver.save_copy(&partial)?;
    // SQLite does not sync it.
    File::open(&partial)
        .and_then(|file| file.sync_all())
        .and_then(|()| fs::rename(&partial, path))
        .map_err(failed)?;
    directory.sync()
}
