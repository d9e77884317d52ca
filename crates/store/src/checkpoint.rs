//! Checkpoints: a separate thread copies commits from the write-ahead log to the database file, so
//! that no write waits for it.

use std::path::Path;
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, bounded};

use crate::Error;
use crate::anchor::Anchor;
use crate::checkpoint_signal::{CheckpointRequest, CheckpointSignal};
use crate::driver::Driver;
use crate::driver::sqlite::Sqlite;

/// The checkpoint thread.
pub(crate) struct Checkpoints {
    signal: CheckpointSignal,
    thread: JoinHandle<()>,
}

impl Checkpoints {
    pub(crate) fn signal(&self) -> CheckpointSignal {
        self.signal.clone()
    }

    /// Ends the thread, which releases its snapshot.
    pub(crate) fn end(self) {
        if self.signal.0.send(CheckpointRequest::End).is_ok() && self.thread.join().is_err() {
            tracing::error!("the thread of the checkpoints had panicked");
        }
    }
}

/// Starts the thread. It ends on request, or when the last signal is dropped.
///
/// # Errors
///
/// The file cannot be opened, or the thread cannot be started.
pub(crate) fn start(path: &Path) -> Result<Checkpoints, Error> {
    let driver = Sqlite::checkpointer(path)?;
    let (signal, requests) = bounded(1);
    let anchor = Anchor::new(Box::new(Sqlite::reader(path)?));
    let thread = crate::runtime::spawn("store-checkpoint".to_owned(), move || {
        run(driver, anchor, &requests);
    })?;
    Ok(Checkpoints {
        signal: CheckpointSignal(signal),
        thread,
    })
}

/// A passive checkpoint skips pages that readers still need and blocks nobody; the next one copies
/// the rest.
fn run(mut driver: Sqlite, mut anchor: Anchor, requests: &Receiver<CheckpointRequest>) {
    crate::runtime::embedded::lower_priority();
    while let Ok(CheckpointRequest::Checkpoint) = requests.recv() {
        anchor.release();
        if let Err(error) = driver.script("PRAGMA wal_checkpoint(PASSIVE)") {
            tracing::error!(%error, "a checkpoint failed");
        }
        // Readers that start now bypass the log. To SQLite that is another snapshot than the one
        // that the writer's anchor holds.
        anchor.hold();
    }
}
