//! The target of a transfer.

use crossbeam_channel::Receiver;
use stockroom_model::Timestamp;

use super::rows::{self, Batch, Sum};
use super::{Progress, Stage, Step, TransferError, Transferred, server};
use crate::directory::Directory;
use crate::driver::postgres::Postgres;
use crate::driver::sqlite::Sqlite;
use crate::driver::{BatchStatement, Dialect, Driver};
use crate::table::{TABLES, Table};
use crate::{Error, Location, migrate};

/// Writes the rows from the source, reads them back, and commits them if they are the same.
///
/// # Errors
///
/// The target is not empty or cannot be written to. [`Error::Closed`] means that the source gave
/// up.
pub(super) fn write(
    location: &Location,
    now: Timestamp,
    steps: &Receiver<Step>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Transferred, TransferError> {
    // If the source cannot be opened, no target is created.
    let Ok(Step::Opened) = steps.recv() else {
        return Err(TransferError::Target(Error::Closed));
    };
    let (mut driver, _lock) = open(location, now).map_err(TransferError::Target)?;
    let driver = driver.as_mut();
    // Checked before the lock, which the source under another name might hold, and after it, when
    // nobody else can write.
    refuse_records(driver, location)?;
    driver
        .script(begin(driver.dialect()))
        .map_err(TransferError::Target)?;
    let copied = refuse_records(driver, location).and_then(|()| copy(driver, steps, progress));
    match copied {
        Ok(transferred) => {
            driver.script("COMMIT").map_err(TransferError::Uncertain)?;
            analyze(driver);
            Ok(transferred)
        }
        Err(error) => {
            // If this fails, closing the connection rolls back.
            let _ = driver.script("ROLLBACK");
            Err(error)
        }
    }
}

fn copy(
    driver: &mut dyn Driver,
    steps: &Receiver<Step>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Transferred, TransferError> {
    let mut sums = Vec::with_capacity(TABLES.len());
    for table in TABLES {
        let sum = fill(driver, table, steps, progress);
        sums.push(sum.map_err(|source| TransferError::Table {
            table: table.name,
            source,
        })?);
    }
    driver
        .script(finish(driver.dialect()))
        .map_err(TransferError::Target)?;
    for (table, sum) in TABLES.iter().zip(&sums) {
        verify(driver, table, sum, progress)?;
    }
    Ok(rows::total(&sums))
}

fn fill(
    driver: &mut dyn Driver,
    table: &Table,
    steps: &Receiver<Step>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Sum, Error> {
    let (one, all) = (table.insert_one(), table.insert_all());
    let insert = BatchStatement {
        width: table.columns.len(),
        one: &one,
        all: &all,
        alike: None,
    };
    let mut rows = 0;
    loop {
        match steps.recv() {
            Ok(Step::Rows(batch)) => {
                driver.execute_many(&insert, &batch.params()?)?;
                rows += batch.len();
                progress(Progress {
                    stage: Stage::Copying,
                    table: table.name,
                    rows,
                });
            }
            Ok(Step::End(sum)) => return Ok(sum),
            Ok(Step::Opened) | Err(_) => return Err(Error::Closed),
        }
    }
}

fn verify(
    driver: &mut dyn Driver,
    table: &Table,
    expected: &Sum,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), TransferError> {
    let mut rows = 0;
    let found = rows::scan(driver, table, &mut |batch: Batch| {
        rows += batch.len();
        progress(Progress {
            stage: Stage::Verifying,
            table: table.name,
            rows,
        });
        Ok(())
    });
    let found = found.map_err(TransferError::Target)?;
    if found == *expected {
        return Ok(());
    }
    Err(TransferError::Differs {
        table: table.name,
        expected: expected.rows,
        found: found.rows,
    })
}

fn refuse_records(driver: &mut dyn Driver, location: &Location) -> Result<(), TransferError> {
    for table in TABLES {
        let mut is_empty = true;
        let looked = driver.query(&table.find_row(), &[], &mut |_| {
            is_empty = false;
            Ok(())
        });
        looked.map_err(TransferError::Target)?;
        if !is_empty {
            return Err(TransferError::NotEmpty {
                location: location.to_string(),
                table: table.name,
            });
        }
    }
    Ok(())
}

/// A connection to a store of this release, created if missing, and the lock that keeps a server
/// from starting.
fn open(
    location: &Location,
    now: Timestamp,
) -> Result<(Box<dyn Driver>, Option<Directory>), Error> {
    let (mut driver, directory): (Box<dyn Driver>, _) = match location {
        Location::Directory(directory) => {
            let directory = Directory::take(directory)?;
            let writer = Sqlite::writer(&directory.database())?;
            (Box::new(writer), Some(directory))
        }
        Location::Server(config) => {
            let address = server(config)?;
            let mut postgres = Postgres::connect(&address)?;
            if let Some(script) = address.create_schema() {
                postgres.script(&script)?;
            }
            (Box::new(postgres), None)
        }
    };
    // A store of an older release may have records, and must then stay unchanged.
    if migrate::has_journal(driver.as_mut())? {
        migrate::check(driver.as_mut())?;
    } else {
        migrate::migrate(driver.as_mut(), now.0)?;
    }
    Ok((driver, directory))
}

/// From here on nobody else can read or write, not even a starting server.
const fn begin(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "BEGIN IMMEDIATE",
        Dialect::Postgres => {
            "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; \
             SET LOCAL lock_timeout = '30s'; LOCK TABLE catalog_version IN ACCESS EXCLUSIVE MODE"
        }
    }
}

/// The last step after all rows are written.
const fn finish(dialect: Dialect) -> &'static str {
    match dialect {
        // SQLite itself continues after the highest number.
        Dialect::Sqlite => "",
        Dialect::Postgres => {
            "SELECT setval(pg_get_serial_sequence('change', 'seq'), MAX(seq)) FROM change; \
             SELECT setval(pg_get_serial_sequence('login_event', 'seq'), MAX(seq)) FROM login_event"
        }
    }
}

/// Updates the engine's statistics. Until it does so itself, it would plan for empty tables.
fn analyze(driver: &mut dyn Driver) {
    if driver.dialect() == Dialect::Postgres {
        let names: Vec<&str> = TABLES.iter().map(|table| table.name).collect();
        // Outside the transaction, so that a sharded database can analyze on all servers in
        // parallel.
        if let Err(error) = driver.script(&format!("ANALYZE {}", names.join(", "))) {
            tracing::warn!(%error, "the statistics of the new tables are not there yet");
        }
    }
}
