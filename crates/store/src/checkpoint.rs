//! Checkpoints: a separate thread copies commits from the write-ahead log to the database file, so
//! that no write waits for it.

use std::convert::Infallible;
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, select};

use crate::Error;
use crate::anchor::Anchor;
use crate::checkpoint_signal::CheckpointSignal;
use crate::driver::Driver;
use crate::driver::sqlite::Sqlite;

/// The time between checkpoints. Commits that follow each other change the same pages, which one
/// checkpoint writes once.
const PAUSE: Duration = Duration::from_millis(250);

/// The checkpoint thread.
pub(crate) struct Checkpoints {
    signal: CheckpointSignal,
    /// Its drop ends the thread.
    running: Sender<Infallible>,
    thread: JoinHandle<()>,
}

impl Checkpoints {
    pub(crate) fn signal(&self) -> CheckpointSignal {
        self.signal.clone()
    }

    /// Ends the thread, which releases its snapshot.
    pub(crate) fn end(self) {
        drop(self.running);
        if self.thread.join().is_err() {
            tracing::error!("the thread of the checkpoints had panicked");
        }
    }
}

/// Starts the thread.
///
/// # Errors
///
/// The file cannot be opened, or the thread cannot be started.
pub(crate) fn start(path: &Path) -> Result<Checkpoints, Error> {
    let driver = Sqlite::checkpointer(path)?;
    let (signal, requests) = bounded(1);
    let (running, ended) = bounded(0);
    let anchor = Anchor::new(Box::new(Sqlite::reader(path)?));
    let thread = crate::runtime::spawn("store-checkpoint".to_owned(), move || {
        run(driver, anchor, &requests, &ended);
    })?;
    Ok(Checkpoints {
        signal: CheckpointSignal::new(signal),
        running,
        thread,
    })
}

/// A passive checkpoint skips pages that readers still need and blocks nobody; the next one copies
/// the rest.
fn run(
    mut driver: Sqlite,
    mut anchor: Anchor,
    requests: &Receiver<()>,
    ended: &Receiver<Infallible>,
) {
    crate::runtime::embedded::lower_priority();
    loop {
        select! {
            recv(requests) -> request => if request.is_err() { return },
            recv(ended) -> _ => return,
        }
        anchor.release();
        if let Err(error) = driver.script("PRAGMA wal_checkpoint(PASSIVE)") {
            tracing::error!(%error, "a checkpoint failed");
        }
        // Readers that start now bypass the log. To SQLite that is another snapshot than the one
        // that the writer's anchor holds.
        anchor.hold();
        // A commit meanwhile queues a request, so that none is left in the log.
        if ended.recv_timeout(PAUSE) != Err(RecvTimeoutError::Timeout) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Instant;

    use tempfile::tempdir;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(60);

    /// The rows in a copy of the file without its log. Before the first checkpoint, and during one,
    /// the copy is not a whole database.
    fn rows_in_file(path: &Path, copy: &Path) -> Result<i64, Error> {
        fs::copy(path, copy).unwrap();
        let mut rows = 0;
        Sqlite::writer(copy)?.query("SELECT count(*) FROM item", &[], &mut |row| {
            rows = row.int(0)?;
            Ok(())
        })?;
        Ok(rows)
    }

    #[test]
    fn commits_during_a_pause_reach_the_file() {
        let directory = tempdir().unwrap();
        let path = directory.path().join("stockroom.db");
        let copy = directory.path().join("copy.db");
        let mut writer = Sqlite::writer(&path).unwrap();
        writer.script("CREATE TABLE item (bytes BLOB)").unwrap();
        let checkpoints = start(&path).unwrap();
        writer.signal_commits(checkpoints.signal()).unwrap();
        for _ in 0..3 {
            writer
                .script("INSERT INTO item VALUES (zeroblob(20000000))")
                .unwrap();
        }
        let began = Instant::now();
        while rows_in_file(&path, &copy).unwrap_or_default() < 3 {
            assert!(began.elapsed() < PATIENCE, "commits are left in the log");
        }
        checkpoints.end();
    }
}
