//! A database as the source of a transfer.

use crossbeam_channel::{Receiver, Sender};

use super::{Origin, Step, TransferError, rows};
use crate::engine::directory::Directory;
use crate::engine::driver::{Dialect, Driver};
use crate::engine::migrate;
use crate::engine::table::{TABLES, Table};
use crate::maintenance::offline;
use crate::{Error, Location};

/// Who may use the source meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// No writers, so that nothing is written to a store that was moved.
    Exclusive,
    /// Everybody.
    Shared,
}

/// Sends every row of every table, and keeps the snapshot, or writers away, until the target is
/// `done`.
///
/// # Errors
///
/// There is no store of this release, a server is using it exclusively, or it cannot be read.
/// [`Error::Closed`] means that the target gave up.
pub(super) fn read_store(
    location: &Location,
    access: Access,
    steps: &Sender<Step>,
    done: &Receiver<()>,
) -> Result<(), TransferError> {
    let (mut driver, _lock) = open(location, access).map_err(TransferError::Source)?;
    let origin = origin(driver.as_mut()).map_err(TransferError::Source)?;
    send(steps, Step::Opened(origin)).map_err(TransferError::Source)?;
    for table in TABLES {
        send_table(driver.as_mut(), table, steps).map_err(|source| TransferError::Table {
            table: table.name,
            source,
        })?;
    }
    send(steps, Step::Finished).map_err(TransferError::Source)?;
    // No message ever comes; this ends when the target drops its sender.
    let _ = done.recv();
    Ok(())
}

fn send_table(
    driver: &mut dyn Driver,
    table: &'static Table,
    steps: &Sender<Step>,
) -> Result<(), Error> {
    send(steps, Step::Table(table))?;
    let sum = rows::scan(driver, table, &mut |batch| send(steps, Step::Rows(batch)))?;
    send(steps, Step::End(sum))
}

pub(super) fn send(steps: &Sender<Step>, step: Step) -> Result<(), Error> {
    steps.send(step).map_err(|_| Error::Closed)
}

/// A connection in a transaction with one snapshot of everything, and the lock that keeps a server
/// from starting.
fn open(
    location: &Location,
    access: Access,
) -> Result<(Box<dyn Driver>, Option<Directory>), Error> {
    // A running server holds the lock, but does not keep readers away.
    let directory = match access {
        Access::Exclusive => offline::lock(location)?,
        Access::Shared => None,
    };
    let mut driver = offline::reader(location)?;
    if !migrate::has_journal(driver.as_mut())? {
        return Err(Error::Missing(location.to_string()));
    }
    migrate::check(driver.as_mut())?;
    driver.script(begin(driver.dialect(), access))?;
    Ok((driver, directory))
}

/// Reads the migrations in the snapshot, because a node of a newer release may have started since
/// they were checked.
fn origin(driver: &mut dyn Driver) -> Result<Origin, Error> {
    migrate::check(driver)?;
    Ok(Origin {
        engine: driver.dialect(),
        migrations: migrate::applied(driver)?,
    })
}

/// On PostgreSQL, an exclusive source makes writers of records wait from here on, but not readers.
const fn begin(dialect: Dialect, access: Access) -> &'static str {
    match (dialect, access) {
        (Dialect::Postgres, Access::Exclusive) => {
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \
             SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; \
             SET LOCAL tcp_user_timeout = 0; SET LOCAL lock_timeout = '30s'; LOCK TABLE catalog_version IN EXCLUSIVE MODE"
        }
        _ => offline::begin_snapshot(dialect),
    }
}
