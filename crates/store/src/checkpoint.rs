//! Bringing what was committed from the log into the database file, on a thread of its own, so that
//! no write waits for it.

use std::path::Path;
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, bounded};

use crate::Error;
use crate::anchor::Anchor;
use crate::checkpoint_signal::{CheckpointRequest, CheckpointSignal};
use crate::driver::Driver;
use crate::driver::sqlite::Sqlite;

/// The thread.
pub(crate) struct Checkpoints {
    signal: CheckpointSignal,
    thread: JoinHandle<()>,
}

impl Checkpoints {
    pub(crate) fn signal(&self) -> CheckpointSignal {
        self.signal.clone()
    }

    /// Ends the thread and its hold on the log.
    pub(crate) fn end(self) {
        if self.signal.0.send(CheckpointRequest::End).is_ok() && self.thread.join().is_err() {
            tracing::error!("the thread of the checkpoints had panicked");
        }
    }
}

/// Starts the thread; it ends when it is told to, or when the last signal is gone.
///
/// # Errors
///
/// The file cannot be opened, or the system gives no thread.
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

/// A passive checkpoint takes what no reader still needs and blocks nobody; the next one takes the
/// rest.
fn run(mut driver: Sqlite, mut anchor: Anchor, requests: &Receiver<CheckpointRequest>) {
    crate::runtime::embedded::give_way();
    while let Ok(CheckpointRequest::Checkpoint) = requests.recv() {
        anchor.release();
        if let Err(error) = driver.script("PRAGMA wal_checkpoint(PASSIVE)") {
            tracing::error!(%error, "a checkpoint failed");
        }
        // Readers that come now leave the log aside, which counts as another snapshot than the one
        // that the writer's anchor holds.
        anchor.hold();
    }
}
