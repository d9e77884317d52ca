//! A database as the target of a transfer.

use crossbeam_channel::Receiver;
use stockroom_model::Timestamp;

use super::rows::{self, Batch, Sum};
use super::{Origin, Progress, Stage, Step, TransferError, Transferred};
use crate::engine::driver::versions::Versions;
use crate::engine::driver::{BatchStatement, Dialect, Driver};
use crate::engine::migrate;
use crate::engine::table::{TABLES, Table};
use crate::engine::unfinished_copy;
use crate::maintenance::offline;
use crate::{Error, Location};

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
    let Ok(Step::Opened(origin)) = steps.recv() else {
        return Err(TransferError::Target(Error::Closed));
    };
    let (mut driver, _lock) = offline::writer(location).map_err(TransferError::Target)?;
    let driver = driver.as_mut();
    let is_created = refuse_store(driver, location)?;
    unfinished_copy::mark(driver).map_err(TransferError::Target)?;
    let copied = begin(driver, location, &origin, is_created, now)
        .and_then(|()| refuse_records_again(driver, location, &origin))
        .and_then(|()| copy(driver, &origin, now, steps, progress));
    match copied {
        Ok(transferred) => {
            driver.script("COMMIT").map_err(TransferError::Uncertain)?;
            analyze(driver);
            Ok(transferred)
        }
        Err(error) => {
            // If these fail, closing the connection rolls back, and the mark stays.
            let _ = driver.script("ROLLBACK");
            let _ = unfinished_copy::unmark(driver);
            Err(error)
        }
    }
}

/// Refuses a store with records, which then stays unchanged. Returns whether there is one without.
fn refuse_store(driver: &mut dyn Driver, location: &Location) -> Result<bool, TransferError> {
    let is_created = migrate::has_journal(driver).map_err(TransferError::Target)?;
    if is_created {
        migrate::check(driver).map_err(TransferError::Target)?;
        // Checked before the lock, which the source under another name might hold.
        refuse_records(driver, location)?;
    }
    Ok(is_created)
}

/// Begins the transaction of the copy. From here on nobody else can read or write, not even a
/// starting server. The schema is then the one of the source.
fn begin(
    driver: &mut dyn Driver,
    location: &Location,
    origin: &Origin,
    is_created: bool,
    now: Timestamp,
) -> Result<(), TransferError> {
    let failed = TransferError::Target;
    if migrate::is_newest(&origin.migrations) {
        if !is_created {
            migrate::create(driver, now.0).map_err(failed)?;
        }
        return driver
            .script(offline::begin_exclusive(driver.dialect()))
            .and_then(|()| Versions::forget(driver))
            .map_err(failed);
    }
    if is_created {
        return Err(failed(Error::NotOlder(location.to_string())));
    }
    driver
        .script(driver.dialect().begin_migration())
        .and_then(|()| driver.script(no_timeouts(driver.dialect())))
        .and_then(|()| migrate::apply_first(driver, &origin.migrations, now.0))
        .map_err(failed)
}

/// Checks again when nobody else can write. New tables of an older schema have no rows.
fn refuse_records_again(
    driver: &mut dyn Driver,
    location: &Location,
    origin: &Origin,
) -> Result<(), TransferError> {
    if migrate::is_newest(&origin.migrations) {
        refuse_records(driver, location)?;
    }
    Ok(())
}

fn copy(
    driver: &mut dyn Driver,
    origin: &Origin,
    now: Timestamp,
    steps: &Receiver<Step>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Transferred, TransferError> {
    let mut sums: Vec<(&'static Table, Sum)> = Vec::with_capacity(TABLES.len());
    loop {
        match steps.recv() {
            Ok(Step::Table(table)) => {
                let sum = fill(driver, table, steps, progress);
                let sum = sum.map_err(|source| TransferError::Table {
                    table: table.name,
                    source,
                })?;
                sums.push((table, sum));
            }
            Ok(Step::Finished) => break,
            _ => return Err(TransferError::Target(Error::Closed)),
        }
    }
    for (table, sum) in &sums {
        verify(driver, table, sum, progress)?;
    }
    if !migrate::is_newest(&origin.migrations) {
        migrate::apply_missing(driver, now.0).map_err(TransferError::Target)?;
    }
    driver
        .script(finish(driver.dialect()))
        .and_then(|()| unfinished_copy::unmark(driver))
        .map_err(TransferError::Target)?;
    Ok(rows::total(&sums))
}

fn fill(
    driver: &mut dyn Driver,
    table: &'static Table,
    steps: &Receiver<Step>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Sum, Error> {
    let (one, all) = (table.insert_one(), table.insert_all());
    let insert = BatchStatement {
        width: table.columns.len(),
        one: &one,
        all: &all,
        alike: None,
        copy: None,
    };
    let mut rows = 0;
    loop {
        match steps.recv() {
            Ok(Step::Rows(batch)) => {
                driver.execute_many(&insert, &batch.params(insert.width)?)?;
                rows += batch.len();
                progress(Progress {
                    stage: Stage::Copying,
                    table: table.name,
                    rows,
                });
            }
            Ok(Step::End(sum)) => return Ok(sum),
            _ => return Err(Error::Closed),
        }
    }
}

fn verify(
    driver: &mut dyn Driver,
    table: &'static Table,
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
    let of_records = |table: &&Table| table.name != Versions::TABLE;
    for table in TABLES.iter().filter(of_records) {
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

const fn no_timeouts(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "",
        Dialect::Postgres => {
            "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; \
             SET LOCAL tcp_user_timeout = 0"
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
