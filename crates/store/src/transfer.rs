//! Moving everything that a store holds to another place: all rows of all tables, under the same
//! ids and revisions.
//!
//! One thread reads the source in one snapshot, another one writes the target in one transaction,
//! reads back what it wrote and commits it only if both come to the same checksum: a copy that is
//! cut off leaves nothing.

mod rows;
mod source;
mod target;

use std::time::Duration;

use crossbeam_channel::bounded;
use stockroom_model::Timestamp;

use self::rows::{Batch, Sum};
use crate::driver::postgres::{Address, PostgresConfig};
use crate::{Error, Location};

/// Batches that wait for the target.
const QUEUED_BATCHES: usize = 2;

/// How long a server may be silent: it sorts what has no index before it gives the first row.
const PATIENCE: Duration = Duration::from_secs(3_600);

/// Copies everything from one place to another, which must hold nothing, and verifies it. Blocks
/// until that is done, and tells `progress` after each batch of rows.
///
/// The source cannot be written to meanwhile; servers that use a directory must be stopped.
///
/// # Errors
///
/// [`TransferError`]; the target is as empty as before then, unless it says that this is not known.
pub fn transfer(
    from: &Location,
    to: &Location,
    now: Timestamp,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<Transferred, TransferError> {
    if is_same(from, to).map_err(TransferError::Target)? {
        return Err(TransferError::Same(from.to_string()));
    }
    std::thread::scope(|threads| {
        let (steps, queue) = bounded(QUEUED_BATCHES);
        let (working, done) = bounded::<()>(0);
        let reading = threads.spawn(move || source::read(from, &steps, &done));
        let writing = threads.spawn(move || {
            let written = target::write(to, now, &queue, progress);
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

/// How far a transfer is.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// What is done to the rows.
    pub stage: Stage,
    /// The table.
    pub table: &'static str,
    /// Rows of this table so far.
    pub rows: u64,
}

/// What a transfer does to rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// It writes them to the target.
    Copying,
    /// It reads them back from the target.
    Verifying,
}

/// What was moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transferred {
    /// Every table with its rows.
    pub tables: Vec<(&'static str, u64)>,
    /// SHA-256 over all of it, in hexadecimal digits: the same for the same records, whichever
    /// engine keeps them.
    pub checksum: String,
}

/// Why nothing was moved.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// Both places are one.
    #[error("{0} is both source and target")]
    Same(String),
    /// The target holds something.
    #[error("{place} holds records already, in the table {table}: name a target without any")]
    NotEmpty {
        /// The target.
        place: String,
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
        /// Which table.
        table: &'static str,
        /// Why.
        #[source]
        source: Error,
    },
    /// What was read back is not what was written; it was undone.
    #[error(
        "the table {table} came out otherwise: {expected} rows were read and {found} rows are in the target, or their content differs"
    )]
    Differs {
        /// Which table.
        table: &'static str,
        /// Rows in the source.
        expected: u64,
        /// Rows in the target.
        found: u64,
    },
    /// The commit failed, or the answer to it was lost.
    #[error(
        "whether the copy was committed is not known: if the target is refused as not empty now, it was, and is whole"
    )]
    Uncertain(#[source] Error),
}

impl TransferError {
    /// Whether it only says that the other side gave up.
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

/// What the source tells the target.
enum Step {
    /// It is there, and can be read.
    Opened,
    /// Rows of a table.
    Rows(Batch),
    /// That was all of a table; the next one follows.
    End(Sum),
}

/// The address of a server whose statements take as long as tables are large.
fn server(network: &PostgresConfig) -> Result<Address, Error> {
    Address::new(&PostgresConfig {
        statement_timeout: network.statement_timeout.max(PATIENCE),
        ..network.clone()
    })
}

/// A different spelling of the same server is not seen here; the target is refused then because it
/// holds what the source does.
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
mod tests;
