//! Numbered, checksummed, forward-only migrations.

mod migrations;
pub(crate) mod name_keys;
mod saved_copy;
mod token_ceiling;

use sha2::{Digest, Sha256};

use self::migrations::{MIGRATIONS, Migration};
pub(crate) use self::saved_copy::{save_before_rewrite, warn_before_rewrite};

use crate::Error;
use crate::engine::driver::versions::Versions;
use crate::engine::driver::{Dialect, Driver, Param};
use crate::engine::shards;

const CREATE_JOURNAL: &str = "CREATE TABLE IF NOT EXISTS schema_migration (
    version BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL)";
const SELECT_JOURNAL: &str = "SELECT version, checksum FROM schema_migration ORDER BY version";
const INSERT_JOURNAL: &str =
    "INSERT INTO schema_migration (version, name, checksum, applied_at) VALUES (?1, ?2, ?3, ?4)";

/// Applies all missing migrations in one transaction, and tells other nodes the newest one.
///
/// # Errors
///
/// [`Error::Newer`] and [`Error::Altered`] if the database does not belong to this release; then
/// nothing is changed.
pub(crate) fn migrate(driver: &mut dyn Driver, now_micros: i64) -> Result<(), Error> {
    in_transaction(driver, |driver| {
        apply_missing(driver, now_micros)?;
        Versions::set_schema(driver, newest())
    })
}

/// Creates the tables without any row, for a copy of another database.
///
/// # Errors
///
/// The engine failed.
pub(crate) fn create(driver: &mut dyn Driver, now_micros: i64) -> Result<(), Error> {
    in_transaction(driver, |driver| apply_missing(driver, now_micros))
}

fn in_transaction(
    driver: &mut dyn Driver,
    work: impl FnOnce(&mut dyn Driver) -> Result<(), Error>,
) -> Result<(), Error> {
    driver.script(driver.dialect().begin_migration())?;
    match work(driver) {
        Ok(()) => driver.script("COMMIT"),
        Err(error) => {
            driver.script("ROLLBACK")?;
            Err(error)
        }
    }
}

/// Applies all missing migrations in the transaction of the caller.
pub(crate) fn apply_missing(driver: &mut dyn Driver, now_micros: i64) -> Result<(), Error> {
    apply(driver, MIGRATIONS, now_micros)?;
    shards::distribute(driver)
}

/// Creates the schema of an older release, which had applied these migrations, in the transaction
/// of the caller.
///
/// # Errors
///
/// As for [`check_applied`].
pub(crate) fn apply_first(
    driver: &mut dyn Driver,
    migrations: &[(i64, String)],
    now_micros: i64,
) -> Result<(), Error> {
    check_applied(migrations)?;
    let first = MIGRATIONS.get(..migrations.len()).unwrap_or(MIGRATIONS);
    apply(driver, first, now_micros)
}

/// Whether these are all migrations of this release.
pub(crate) const fn is_newest(migrations: &[(i64, String)]) -> bool {
    migrations.len() == MIGRATIONS.len()
}

/// Whether the database has a journal of migrations.
pub(crate) fn has_journal(driver: &mut dyn Driver) -> Result<bool, Error> {
    let mut is_there = false;
    driver.query(driver.dialect().find_journal(), &[], &mut |_| {
        is_there = true;
        Ok(())
    })?;
    Ok(is_there)
}

/// Checks that the database has exactly the migrations of this release, without changing it.
///
/// # Errors
///
/// [`Error::Newer`], [`Error::Older`] and [`Error::Altered`] if it has others.
pub(crate) fn check(driver: &mut dyn Driver) -> Result<(), Error> {
    let applied = applied(driver)?;
    check_version(applied.last().map_or(0, |(version, _)| *version))?;
    check_applied(&applied)
}

fn apply(driver: &mut dyn Driver, migrations: &[Migration], now_micros: i64) -> Result<(), Error> {
    driver.script(driver.dialect().functions())?;
    driver.script(CREATE_JOURNAL)?;
    let applied = applied(driver)?;
    check_applied(&applied)?;
    if !applied.is_empty() && applied.len() < migrations.len() {
        driver.script(driver.dialect().exclude_writes())?;
    }
    for migration in migrations.iter().skip(applied.len()) {
        tracing::info!(
            version = migration.version,
            name = migration.name,
            "applying a migration"
        );
        driver.script(&driver.dialect().schema(migration.script))?;
        if let Some(after) = migration.after {
            after(driver)?;
        }
        let checksum = checksum(migration);
        let row: [Param<'_>; 4] = [
            migration.version.into(),
            migration.name.into(),
            checksum.as_str().into(),
            now_micros.into(),
        ];
        driver.execute(INSERT_JOURNAL, &row)?;
    }
    Ok(())
}

/// Versions and checksums of the applied migrations, oldest first.
pub(crate) fn applied(driver: &mut dyn Driver) -> Result<Vec<(i64, String)>, Error> {
    let mut applied = Vec::new();
    driver.query(SELECT_JOURNAL, &[], &mut |row| {
        applied.push((row.int(0)?, row.text(1)?.to_owned()));
        Ok(())
    })?;
    Ok(applied)
}

/// Checks that the applied migrations are the first of the known ones, with the same text.
///
/// # Errors
///
/// [`Error::Newer`] and [`Error::Altered`].
pub(crate) fn check_applied(applied: &[(i64, String)]) -> Result<(), Error> {
    let known = newest();
    match applied.last() {
        Some((found, _)) if *found > known => {
            return Err(Error::Newer {
                found: *found,
                known,
            });
        }
        _ => {}
    }
    let altered = applied
        .iter()
        .zip(MIGRATIONS)
        .find(|((version, found), known)| *version != known.version || *found != checksum(known));
    match altered {
        Some(((version, _), _)) => Err(Error::Altered { version: *version }),
        None => Ok(()),
    }
}

/// Checks that the tables are still those of this release: another node may have migrated them since
/// this one started.
///
/// # Errors
///
/// [`Error::Newer`] and [`Error::Older`].
pub(crate) const fn check_schema(versions: &Versions) -> Result<(), Error> {
    check_version(versions.schema())
}

/// Checks that the newest migration of the database is that of this release.
const fn check_version(found: i64) -> Result<(), Error> {
    let known = newest();
    if found > known {
        Err(Error::Newer { found, known })
    } else if found < known {
        Err(Error::Older { found, known })
    } else {
        Ok(())
    }
}

const fn newest() -> i64 {
    match MIGRATIONS.last() {
        Some(migration) => migration.version,
        None => 0,
    }
}

fn checksum(migration: &Migration) -> String {
    hexadecimal(&Sha256::digest(migration.script.as_bytes()))
}

/// Bytes in hexadecimal, the usual form of a checksum.
pub(crate) fn hexadecimal(digest: &[u8]) -> String {
    digest
        .iter()
        .fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// The whole schema in `dialect`, for checks of the SQL against an engine.
#[must_use]
pub fn schema(dialect: Dialect) -> String {
    let scripts = MIGRATIONS
        .iter()
        .map(|migration| dialect.schema(migration.script));
    let journal = format!("{}{CREATE_JOURNAL};\n", dialect.functions());
    std::iter::once(journal).chain(scripts).collect()
}

/// Versions and checksums of the first migrations, as a database of an older release has them.
#[cfg(test)]
pub(crate) fn first(count: usize) -> Vec<(i64, String)> {
    let first = MIGRATIONS.iter().take(count);
    first
        .map(|known| (known.version, checksum(known)))
        .collect()
}

#[cfg(test)]
mod tests;
