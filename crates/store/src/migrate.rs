//! Numbered, checksummed, forward-only migrations.

use sha2::{Digest, Sha256};

use crate::Error;
use crate::driver::{Dialect, Driver, Param};

/// A step of the schema. Its text never changes once it was released.
struct Migration {
    version: i64,
    name: &'static str,
    script: &'static str,
}

const MIGRATIONS: &[Migration] = &[Migration {
    version: 1,
    name: "initial",
    script: include_str!("migrations/0001_initial.sql"),
}];

const CREATE_JOURNAL: &str = "CREATE TABLE IF NOT EXISTS schema_migration (
    version BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL)";
const SELECT_JOURNAL: &str = "SELECT version, checksum FROM schema_migration ORDER BY version";
const INSERT_JOURNAL: &str =
    "INSERT INTO schema_migration (version, name, checksum, applied_at) VALUES (?1, ?2, ?3, ?4)";

/// Brings the database to the newest migration; all of them in one transaction.
///
/// # Errors
///
/// [`Error::Newer`] and [`Error::Altered`] if the database is not ours to change; nothing is changed then.
pub(crate) fn migrate(driver: &mut dyn Driver, now_micros: i64) -> Result<(), Error> {
    driver.script("BEGIN")?;
    match apply(driver, now_micros) {
        Ok(()) => driver.script("COMMIT"),
        Err(error) => {
            driver.script("ROLLBACK")?;
            Err(error)
        }
    }
}

fn apply(driver: &mut dyn Driver, now_micros: i64) -> Result<(), Error> {
    driver.script(CREATE_JOURNAL)?;
    let mut applied = Vec::new();
    driver.query(SELECT_JOURNAL, &[], &mut |row| {
        applied.push((row.int(0)?, row.text(1)?.to_owned()));
        Ok(())
    })?;
    let known = MIGRATIONS.last().map_or(0, |migration| migration.version);
    if let Some((found, _)) = applied.last().filter(|(found, _)| *found > known) {
        return Err(Error::Newer {
            found: *found,
            known,
        });
    }
    for migration in MIGRATIONS {
        let checksum = checksum(migration);
        match applied
            .iter()
            .find(|(version, _)| *version == migration.version)
        {
            Some((_, found)) if *found == checksum => {}
            Some(_) => {
                return Err(Error::Altered {
                    version: migration.version,
                });
            }
            None => {
                tracing::info!(
                    version = migration.version,
                    name = migration.name,
                    "applying a migration"
                );
                driver.script(&driver.dialect().schema(migration.script))?;
                let row: [Param<'_>; 4] = [
                    migration.version.into(),
                    migration.name.into(),
                    checksum.as_str().into(),
                    now_micros.into(),
                ];
                driver.execute(INSERT_JOURNAL, &row)?;
            }
        }
    }
    Ok(())
}

fn checksum(migration: &Migration) -> String {
    let digest = Sha256::digest(migration.script.as_bytes());
    digest
        .iter()
        .fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// The whole schema in the words of `dialect`, for checks of the SQL against an engine.
#[must_use]
pub fn schema(dialect: Dialect) -> String {
    let scripts = MIGRATIONS
        .iter()
        .map(|migration| dialect.schema(migration.script));
    std::iter::once(format!("{CREATE_JOURNAL};\n"))
        .chain(scripts)
        .collect()
}
