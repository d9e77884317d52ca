//! Bringing what was committed from the log into the database file, on a thread of its own, so that no write waits for it.

use std::path::Path;
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};

use crate::Error;
use crate::anchor::Anchor;
use crate::driver::Driver;
use crate::driver::sqlite::Sqlite;

/// Pages in the log from which on it is worth while: 16 MiB.
const WORTHWHILE: i32 = 4_096;

/// Asks for checkpoints.
#[derive(Clone)]
pub(crate) struct Bell(Sender<Ring>);

/// What the thread is asked for.
enum Ring {
    Checkpoint,
    End,
}

/// The thread.
pub(crate) struct Checkpoints {
    bell: Bell,
    thread: JoinHandle<()>,
}

impl Checkpoints {
    pub(crate) fn bell(&self) -> Bell {
        self.bell.clone()
    }

    /// Ends the thread and its hold on the log.
    pub(crate) fn end(self) {
        if self.bell.0.send(Ring::End).is_ok() && self.thread.join().is_err() {
            tracing::error!("the thread of the checkpoints had panicked");
        }
    }
}

impl Bell {
    /// Says how many pages the log has after a commit.
    pub(crate) fn ring(&self, pages: i32) {
        if pages < WORTHWHILE {
            return;
        }
        match self.0.try_send(Ring::Checkpoint) {
            // One that was asked for and has not begun will do for this commit as well.
            Ok(()) | Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {}
        }
    }
}

/// Starts the thread; it ends when it is told to, or when the last bell is gone.
///
/// # Errors
///
/// The file cannot be opened, or the system gives no thread.
pub(crate) fn start(path: &Path) -> Result<Checkpoints, Error> {
    let driver = Sqlite::checkpointer(path)?;
    let (bell, rings) = bounded(1);
    let anchor = Anchor::new(Box::new(Sqlite::reader(path)?));
    let thread = crate::runtime::spawn("store-checkpoint".to_owned(), move || {
        run(driver, anchor, &rings);
    })?;
    Ok(Checkpoints {
        bell: Bell(bell),
        thread,
    })
}

/// A passive checkpoint takes what no reader still needs and blocks nobody; the next one takes the rest.
fn run(mut driver: Sqlite, mut anchor: Anchor, rings: &Receiver<Ring>) {
    crate::runtime::embedded::give_way();
    while let Ok(Ring::Checkpoint) = rings.recv() {
        anchor.release();
        if let Err(error) = driver.script("PRAGMA wal_checkpoint(PASSIVE)") {
            tracing::error!(%error, "a checkpoint failed");
        }
        // Readers that come now leave the log aside, which counts as another snapshot than the one that the writer's anchor holds.
        anchor.hold();
    }
}
