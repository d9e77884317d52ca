//! Connections of commands that work beside a server, or instead of one.

use std::path::Path;
use std::time::Duration;

use crate::engine::directory::{DATABASE_FILE, Directory, newest_acknowledged, refuse_loss};
use crate::engine::driver::postgres::{Address, Postgres, PostgresConfig};
use crate::engine::driver::sqlite::Sqlite;
use crate::engine::driver::{Dialect, Driver};
use crate::engine::unfinished_copy;
use crate::transaction::newest_change;
use crate::{Error, Location};

/// How long a server may be silent: without an index, it sorts before it returns the first row.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(3_600);

/// A connection that reads an existing database, which a running server may be using.
///
/// # Errors
///
/// [`Error::UnfinishedCopy`]: what a killed copy has left would be taken for an empty inventory;
/// [`Error::Lost`]: acknowledged changes are missing, and a copy would no longer show it.
pub(crate) fn reader(location: &Location) -> Result<Box<dyn Driver>, Error> {
    match location {
        Location::Directory(directory) => Ok(Box::new(embedded_reader(directory)?)),
        Location::Server(config) => {
            let mut driver = Postgres::connect(&address(config)?)?;
            unfinished_copy::refuse(&mut driver)?;
            Ok(Box::new(driver))
        }
    }
}

/// As [`reader`], for the database in a directory.
pub(crate) fn embedded_reader(directory: &Path) -> Result<Sqlite, Error> {
    let file = directory.join(DATABASE_FILE);
    if !file.exists() {
        return Err(Error::Missing(directory.display().to_string()));
    }
    // Before the database, as a running server records a change after its commit.
    let acknowledged = newest_acknowledged(directory)?;
    let mut driver = Sqlite::reader(&file)?;
    unfinished_copy::refuse(&mut driver)?;
    if let Some(acknowledged) = acknowledged {
        refuse_loss(directory, acknowledged, newest_change(&mut driver)?)?;
    }
    Ok(driver)
}

/// The lock that keeps a server from starting on an existing directory.
pub(crate) fn lock(location: &Location) -> Result<Option<Directory>, Error> {
    match location {
        Location::Directory(path) if !path.join(DATABASE_FILE).exists() => {
            Err(Error::Missing(location.to_string()))
        }
        Location::Directory(path) => Directory::take(path).map(Some),
        Location::Server(_) => Ok(None),
    }
}

/// A connection that writes, to a database that is created if missing, and the lock that keeps a
/// server from starting.
pub(crate) fn writer(location: &Location) -> Result<(Box<dyn Driver>, Option<Directory>), Error> {
    match location {
        Location::Directory(directory) => {
            let directory = Directory::take(directory)?;
            let writer = Sqlite::writer(&directory.database())?;
            Ok((Box::new(writer), Some(directory)))
        }
        Location::Server(config) => {
            let address = address(config)?;
            let mut postgres = Postgres::connect(&address)?;
            if let Some(script) = address.create_schema() {
                postgres.script(&script)?;
            }
            Ok((Box::new(postgres), None))
        }
    }
}

/// The address of a server, with a statement timeout for large tables.
fn address(config: &PostgresConfig) -> Result<Address, Error> {
    Address::new(&PostgresConfig {
        statement_timeout: config.statement_timeout.max(STATEMENT_TIMEOUT),
        ..config.clone()
    })
}

/// Begins a transaction that reads one snapshot, while others write.
pub(crate) const fn begin_snapshot(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "BEGIN",
        Dialect::Postgres => {
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \
             SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; \
             SET LOCAL tcp_user_timeout = 0"
        }
    }
}

/// Begins a transaction that writes. From here on nobody else can read or write records, not even a
/// starting server.
pub(crate) const fn begin_exclusive(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "BEGIN IMMEDIATE",
        Dialect::Postgres => {
            "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; \
             SET LOCAL tcp_user_timeout = 0; SET LOCAL lock_timeout = '30s'; LOCK TABLE catalog_version IN ACCESS EXCLUSIVE MODE"
        }
    }
}
