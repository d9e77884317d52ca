//! Copies everything in a store to another location: all rows of all tables, with the same ids and
//! revisions. Source and target are each a database or a backup file.
//!
//! One thread reads the source: a database in one snapshot, or a file. Another one writes the
//! target: a file that gets its name at the end, or a database in one transaction, which commits
//! only if the rows read back have the right checksums. So an interrupted copy leaves no records; a
//! killed one leaves a mark, with which no server starts.

mod backup;
mod rows;
mod source;
mod target;

use std::ops::ControlFlow;
use std::path::Path;

use crossbeam_channel::{Receiver, Sender, bounded};
use stockroom_model::Timestamp;

use self::rows::{Batch, Sum};
use self::source::Access;
use crate::engine::driver::Dialect;
use crate::engine::driver::postgres::Address;
use crate::engine::table::Table;
use crate::{Error, Location};

/// Maximum number of batches that wait for the target.
const QUEUED_BATCHES: usize = 2;

/// Copies everything from one location to another, which must be empty, and verifies it. Blocks
/// until that is done, and reports `progress` after each batch of rows.
///
/// The source cannot be written to during the copy; servers that use a directory must be stopped.
///
/// # Errors
///
/// [`TransferError`]; the target is then still empty, except perhaps after
/// [`TransferError::Uncertain`].
pub fn transfer(
    from: &Location,
    to: &Location,
    now: Timestamp,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<Transferred, TransferError> {
    if is_same(from, to).map_err(TransferError::Target)? {
        return Err(TransferError::Same(from.to_string()));
    }
    run(
        |steps, done| source::read_store(from, Access::Exclusive, steps, done),
        |steps| target::write(to, now, steps, progress),
    )
}

/// Copies everything to a new file, while servers go on reading and writing. Blocks until that is
/// done; `progress` can end it early.
///
/// # Errors
///
/// [`TransferError`]; there is then no file, except perhaps one that ends in `.partial`.
pub fn backup(
    from: &Location,
    file: &Path,
    now: Timestamp,
    progress: &mut (dyn FnMut(Progress) -> ControlFlow<()> + Send),
) -> Result<Transferred, TransferError> {
    run(
        |steps, done| source::read_store(from, Access::Shared, steps, done),
        |steps| backup::write(file, now, steps, progress),
    )
}

/// Copies everything from a backup file to a location, which must be empty, and verifies it. A
/// backup of an older release is migrated.
///
/// # Errors
///
/// As for [`transfer`]. A file that is damaged or of a newer release is refused before the target
/// is created.
pub fn restore(
    file: &Path,
    to: &Location,
    now: Timestamp,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<Transferred, TransferError> {
    let verified = backup::verify(file).map_err(TransferError::Source)?;
    run(
        |steps, _| backup::read_backup(verified, steps),
        |steps| target::write(to, now, steps, progress),
    )
}

/// Runs source and target on a thread each.
fn run(
    read: impl FnOnce(&Sender<Step>, &Receiver<()>) -> Result<(), TransferError> + Send,
    write: impl FnOnce(&Receiver<Step>) -> Result<Transferred, TransferError> + Send,
) -> Result<Transferred, TransferError> {
    std::thread::scope(|threads| {
        let (steps, queue) = bounded(QUEUED_BATCHES);
        let (working, done) = bounded::<()>(0);
        let reading = threads.spawn(move || read(&steps, &done));
        let writing = threads.spawn(move || {
            let written = write(&queue);
            // The source may still be sending.
            drop(queue);
            drop(working);
            written
        });
        let broken = |_| TransferError::Target(Error::Closed);
        let read = reading.join().map_err(broken).flatten();
        let written = writing.join().map_err(broken).flatten();
        match (read, written) {
            (Err(cause), Err(_)) if !cause.is_echo() => Err(cause),
            (_, written) => written,
        }
    })
}

/// The progress of a transfer.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// What happens to the rows.
    pub stage: Stage,
    /// The table.
    pub table: &'static str,
    /// Rows of this table so far.
    pub rows: u64,
}

/// A stage of a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Rows are written to the target.
    Copying,
    /// Rows are read back from the target.
    Verifying,
}

/// The result of a transfer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transferred {
    /// Every table with its number of rows.
    pub tables: Vec<(&'static str, u64)>,
    /// SHA-256 of all rows, in hexadecimal: the same for the same records on every engine.
    pub checksum: String,
}

/// Why a transfer failed.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// Source and target are the same.
    #[error("{0} is both source and target")]
    Same(String),
    /// The target is not empty.
    #[error("{location} holds records already, in the table {table}: name a target without any")]
    NotEmpty {
        /// The target.
        location: String,
        /// The first table that has rows.
        table: &'static str,
    },
    /// The source cannot be read.
    #[error("cannot read the source")]
    Source(#[source] Error),
    /// The target cannot be written to.
    #[error("cannot write to the target")]
    Target(#[source] Error),
    /// Rows of a table could not be copied.
    #[error("cannot copy the table {table}")]
    Table {
        /// Its name.
        table: &'static str,
        /// The cause.
        #[source]
        source: Error,
    },
    /// The rows read back differ from the rows written; the copy was undone.
    #[error(
        "the table {table} came out otherwise: {expected} rows were read and {found} rows are in the target, or their content differs"
    )]
    Differs {
        /// Its name.
        table: &'static str,
        /// Rows in the source.
        expected: u64,
        /// Rows in the target.
        found: u64,
    },
    /// The caller ended it.
    #[error("stopped before the end")]
    Stopped,
    /// The commit failed, or its answer was lost.
    #[error(
        "whether the copy was committed is not known: if the target is refused as not empty now, it was, and is whole"
    )]
    Uncertain(#[source] Error),
}

impl TransferError {
    /// Whether the error only means that the other side gave up.
    const fn is_echo(&self) -> bool {
        matches!(
            self,
            Self::Source(Error::Closed)
                | Self::Table {
                    source: Error::Closed,
                    ..
                }
        )
    }
}

/// A message from the source to the target.
enum Step {
    /// The source was opened.
    Opened(Origin),
    /// The rows of this table follow.
    Table(&'static Table),
    /// Rows of the table.
    Rows(Batch),
    /// The table is complete.
    End(Sum),
    /// All tables are complete.
    Finished,
}

/// The database that rows come from.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Origin {
    engine: Dialect,
    /// Versions and checksums of its migrations, oldest first.
    migrations: Vec<(i64, String)>,
}

/// Does not recognize different spellings of the same server; the target is then refused because it
/// is not empty.
fn is_same(from: &Location, to: &Location) -> Result<bool, Error> {
    Ok(match (from, to) {
        (Location::Directory(from), Location::Directory(to)) => {
            from == to
                || matches!((from.canonicalize(), to.canonicalize()), (Ok(from), Ok(to)) if from == to)
        }
        (Location::Server(from), Location::Server(to)) => {
            Address::new(from)?.is_same_database(&Address::new(to)?)
        }
        _ => false,
    })
}

#[cfg(test)]
pub(crate) use self::tests::filling::{Value, rows_of_all_tables};

#[cfg(test)]
mod tests;
