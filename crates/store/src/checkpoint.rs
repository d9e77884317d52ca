//! Checkpoints: a separate thread copies commits from the write-ahead log to the database file, so
//! that no write waits for it.

use std::convert::Infallible;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, select};

use crate::Error;
use crate::anchor::Anchor;
use crate::checkpoint_signal::CheckpointSignal;
use crate::driver::Driver;
use crate::driver::sqlite::{Sqlite, USUAL_WAIT};
use crate::runtime::priority::Priority;

/// The time between checkpoints. Commits that follow each other change the same pages, which one
/// checkpoint writes once.
const PAUSE: Duration = Duration::from_millis(250);

/// The length of the log, in pages, from which the writer lets it begin again: 1 GiB. Under
/// constant writes no checkpoint of the thread is complete, and the log would grow for ever. The
/// writer waits for the one that is running, so it should be rare.
const LONG_LOG: i32 = if cfg!(test) { 256 } else { 262_144 };

/// How far it grows until the writer tries again, if a reader needs the old pages.
const RETRY: i32 = LONG_LOG / 4;

/// How long a checkpoint makes way for all other threads. Where requests fill all cores it hardly
/// gets on, and the log would grow.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often it is told to stop then.
const INTERVAL: Duration = Duration::from_millis(50);

/// How long the writer waits for readers, most of which are much shorter, in milliseconds.
const WAIT: &str = "PRAGMA busy_timeout = 50";

/// The checkpoint thread.
pub(crate) struct Checkpoints {
    signal: CheckpointSignal,
    anchor: Arc<Mutex<Anchor>>,
    /// The length of the log at which the writer tries to let it begin again.
    restart_at: i32,
    /// Its drop ends the thread.
    running: Sender<Infallible>,
    thread: JoinHandle<()>,
}

impl Checkpoints {
    pub(crate) fn signal(&self) -> CheckpointSignal {
        self.signal.clone()
    }

    /// Copies what is left in a long log, so that the next commit begins it again. Called by the
    /// writer between its commits, with its anchor.
    pub(crate) fn restart_long_log(&mut self, writer: &mut dyn Driver, anchor: &mut Anchor) {
        let length = self.signal.log_length();
        if length < LONG_LOG {
            self.restart_at = LONG_LOG;
        }
        if length < self.restart_at {
            return;
        }
        // No checkpoint of the thread is running then.
        let mut other = lock(&self.anchor);
        anchor.release();
        other.release();
        if let Err(error) = restart_log(writer) {
            tracing::error!(%error, "a checkpoint failed");
        }
        anchor.hold();
        other.hold();
        // After a success, the next commit reports a short log.
        self.restart_at = length.saturating_add(RETRY);
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
    let anchor = Arc::new(Mutex::new(Anchor::new(Box::new(Sqlite::reader(path)?))));
    let shared = Arc::clone(&anchor);
    let thread = crate::runtime::spawn("store-checkpoint".to_owned(), move || {
        run(driver, &shared, &requests, &ended);
    })?;
    Ok(Checkpoints {
        signal: CheckpointSignal::new(signal),
        anchor,
        restart_at: LONG_LOG,
        running,
        thread,
    })
}

fn run(
    mut driver: Sqlite,
    anchor: &Mutex<Anchor>,
    requests: &Receiver<()>,
    ended: &Receiver<Infallible>,
) {
    Priority::Lower.apply();
    loop {
        select! {
            recv(requests) -> request => if request.is_err() { return },
            recv(ended) -> _ => return,
        }
        let mut held = lock(anchor);
        held.release();
        if let Err(error) = copy_log(&mut driver, PATIENCE) {
            tracing::error!(%error, "a checkpoint failed");
        }
        // Readers that start now bypass the log. To SQLite that is another snapshot than the one
        // that the writer's anchor holds.
        held.hold();
        drop(held);
        // A commit meanwhile queues a request, so that none is left in the log.
        if ended.recv_timeout(PAUSE) != Err(RecvTimeoutError::Timeout) {
            return;
        }
    }
}

/// Runs a checkpoint on a thread that makes way for all others, if that does not take too long. The
/// system does not let a thread take that back, so otherwise this one runs it again.
fn copy_log(driver: &mut Sqlite, patience: Duration) -> Result<(), Error> {
    let interrupt = driver.interrupt();
    let copied = thread::scope(|scope| {
        let (ending, ended) = bounded::<Infallible>(0);
        let copying = thread::Builder::new()
            .name("store-checkpoint-background".to_owned())
            .spawn_scoped(scope, || {
                let _ending = ending;
                Priority::Background.apply();
                checkpoint(driver)
            });
        let Ok(copying) = copying else {
            return None;
        };
        let mut wait = patience;
        while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
            // It has no effect before the statement has begun.
            interrupt.interrupt();
            wait = INTERVAL;
        }
        copying.join().ok()
    });
    match copied {
        Some(Ok(())) => Ok(()),
        _ => checkpoint(driver),
    }
}

/// A passive checkpoint skips pages that readers still need and blocks nobody; the next one copies
/// the rest.
fn checkpoint(driver: &mut Sqlite) -> Result<(), Error> {
    driver.script("PRAGMA wal_checkpoint(PASSIVE)")
}

fn restart_log(writer: &mut dyn Driver) -> Result<(), Error> {
    writer.script(WAIT)?;
    let restarted = writer.script("PRAGMA wal_checkpoint(RESTART)");
    writer.script(USUAL_WAIT)?;
    restarted
}

fn lock(anchor: &Mutex<Anchor>) -> MutexGuard<'_, Anchor> {
    anchor.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Instant;

    use crossbeam_channel::TryRecvError;
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
    fn a_long_log_begins_again_although_commits_and_reads_never_pause() {
        let directory = tempdir().unwrap();
        let path = directory.path().join("stockroom.db");
        let mut writer = Sqlite::writer(&path).unwrap();
        writer.script("CREATE TABLE item (bytes BLOB)").unwrap();
        writer
            .script("CREATE TABLE instance (value INTEGER)")
            .unwrap();
        let mut checkpoints = start(&path).unwrap();
        writer.signal_commits(checkpoints.signal()).unwrap();
        let mut anchor = Anchor::new(Box::new(Sqlite::reader(&path).unwrap()));
        let (reading, ended) = bounded::<Infallible>(0);
        let mut reader = Sqlite::reader(&path).unwrap();
        let reads = thread::spawn(move || {
            while ended.try_recv() == Err(TryRecvError::Empty) {
                let count = "SELECT count(*) FROM item";
                reader.query(count, &[], &mut |_| Ok(())).unwrap();
            }
        });
        let limit = u64::try_from(LONG_LOG).unwrap() * 4_096;
        let mut longest = 0;
        for _ in 0..100 {
            let insert = "INSERT INTO item VALUES (zeroblob(100000))";
            writer.script(insert).unwrap();
            anchor.hold();
            checkpoints.restart_long_log(&mut writer, &mut anchor);
            anchor.release();
            let log = fs::metadata(path.with_extension("db-wal")).unwrap().len();
            longest = log.max(longest);
        }
        drop(reading);
        reads.join().unwrap();
        checkpoints.end();
        assert!((limit..limit * 4).contains(&longest), "{longest} bytes");
    }

    #[test]
    fn a_checkpoint_that_is_interrupted_is_done_again() {
        let directory = tempdir().unwrap();
        let path = directory.path().join("stockroom.db");
        let mut writer = Sqlite::writer(&path).unwrap();
        writer
            .script("PRAGMA wal_autocheckpoint = 0; CREATE TABLE item (bytes BLOB)")
            .unwrap();
        writer
            .script("INSERT INTO item VALUES (zeroblob(20000000))")
            .unwrap();
        let mut checkpointer = Sqlite::checkpointer(&path).unwrap();
        copy_log(&mut checkpointer, Duration::ZERO).unwrap();
        let copy = directory.path().join("copy.db");
        assert_eq!(rows_in_file(&path, &copy).unwrap(), 1);
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
