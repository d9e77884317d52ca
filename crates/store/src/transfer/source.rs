//! The source of a transfer.

use crossbeam_channel::{Receiver, Sender};

use super::{Step, TransferError, rows, server};
use crate::directory::{DATABASE_FILE, Directory};
use crate::driver::postgres::Postgres;
use crate::driver::sqlite::Sqlite;
use crate::driver::{Dialect, Driver};
use crate::table::TABLES;
use crate::{Error, Location, migrate};

/// Sends every row of every table, and keeps writers away until the target is `done`.
///
/// # Errors
///
/// There is no store of this release, a server is using it, or it cannot be read. [`Error::Closed`]
/// means that the target gave up.
pub(super) fn read(
    location: &Location,
    steps: &Sender<Step>,
    done: &Receiver<()>,
) -> Result<(), TransferError> {
    let (mut driver, _lock) = open(location).map_err(TransferError::Source)?;
    send(steps, Step::Opened).map_err(TransferError::Source)?;
    for table in TABLES {
        let scanned = rows::scan(driver.as_mut(), table, &mut |batch| {
            send(steps, Step::Rows(batch))
        });
        scanned
            .and_then(|sum| send(steps, Step::End(sum)))
            .map_err(|source| TransferError::Table {
                table: table.name,
                source,
            })?;
    }
    // No message ever comes; this ends when the target drops its sender.
    let _ = done.recv();
    Ok(())
}

fn send(steps: &Sender<Step>, step: Step) -> Result<(), Error> {
    steps.send(step).map_err(|_| Error::Closed)
}

/// A connection in a transaction with one snapshot of everything, and the lock that keeps a server
/// from starting.
fn open(location: &Location) -> Result<(Box<dyn Driver>, Option<Directory>), Error> {
    let (mut driver, directory): (Box<dyn Driver>, _) = match location {
        Location::Directory(directory) => {
            if !directory.join(DATABASE_FILE).exists() {
                return Err(Error::Missing(location.to_string()));
            }
            let directory = Directory::take(directory)?;
            let reader = Sqlite::reader(&directory.database())?;
            (Box::new(reader), Some(directory))
        }
        Location::Server(config) => (Box::new(Postgres::connect(&server(config)?)?), None),
    };
    if !migrate::has_journal(driver.as_mut())? {
        return Err(Error::Missing(location.to_string()));
    }
    migrate::check(driver.as_mut())?;
    driver.script(begin(driver.dialect()))?;
    Ok((driver, directory))
}

/// On PostgreSQL, writers of records wait from here on, but readers do not.
const fn begin(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "BEGIN",
        Dialect::Postgres => {
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \
             SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; \
             SET LOCAL lock_timeout = '30s'; LOCK TABLE catalog_version IN EXCLUSIVE MODE"
        }
    }
}
