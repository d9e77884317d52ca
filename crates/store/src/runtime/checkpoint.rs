//! Checkpoints: a separate thread copies commits from the write-ahead log to the database file, so
//! that no write waits for it.

use std::convert::Infallible;
use std::path::Path;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, select};

use crate::Error;
use crate::engine::checkpoint_signal::{CheckpointSignal, WORTHWHILE};
use crate::engine::disk::{MIN_LOG, PAGE, Space};
use crate::engine::driver::Driver;
use crate::engine::driver::sqlite::{Sqlite, USUAL_WAIT};
use crate::engine::pinned_snapshot::PinnedSnapshot;
use crate::engine::priority::Priority;

/// The time between checkpoints. Commits that follow each other change the same pages, which one
/// checkpoint writes once.
const PAUSE: Duration = Duration::from_millis(250);

/// The frames that the writer copies itself, to let the log begin again before it reaches its bound.
const FEW: i32 = WORTHWHILE;

/// How many times its bound the log may grow because of long reads; then these end.
const LONGEST: i32 = 4;

/// How long the writer waits for readers, most of which are much shorter, in milliseconds.
const WAIT: &str = "PRAGMA busy_timeout = 50";

/// The same where the log is too long: a background read may need it until it gets a core.
const LONG_WAIT: &str = "PRAGMA busy_timeout = 1000";

/// The checkpoint thread.
pub(crate) struct Checkpoints {
    signal: CheckpointSignal,
    shared: Arc<Shared>,
    space: Arc<Space>,
    /// The length of the log at which the writer tries again to let it begin again, after a reader
    /// kept it from that.
    retry_at: i32,
    /// Its length after the commit before.
    length: i32,
    /// Its drop ends the thread.
    running: Sender<Infallible>,
    thread: JoinHandle<()>,
}

/// What the writer and the thread share.
struct Shared {
    /// Locked during a checkpoint of the thread.
    pinned: Mutex<PinnedSnapshot>,
    /// The length of the log that the thread copied, in pages.
    copied: AtomicI32,
    /// How often long reads that had begun had to end, because the log cannot begin again while they
    /// last.
    ends_of_long_reads: Arc<AtomicU64>,
    /// How many attempts to let the log begin again there were. Each makes background reads begin
    /// again: on busy cores they hardly get on, and the log would grow meanwhile.
    attempts: Arc<AtomicU64>,
}

impl Checkpoints {
    pub(crate) fn signal(&self) -> CheckpointSignal {
        self.signal.clone()
    }

    /// Changes when long reads that have begun must end.
    pub(crate) fn ends_of_long_reads(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.shared.ends_of_long_reads)
    }

    /// The number of attempts to let the log begin again, for reads that make way for them.
    pub(crate) fn attempts(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.shared.attempts)
    }

    /// Copies what is left in a long log, so that the next commit begins it again. Called by the
    /// writer between its commits, with its pinned snapshot. From half of the bound on, it waits
    /// for a moment when that is quick. Returns whether it tried.
    pub(crate) fn restart_long_log(
        &mut self,
        writer: &mut dyn Driver,
        pinned: &mut PinnedSnapshot,
    ) -> bool {
        gauge_log(self.space.log_bytes());
        let length = self.signal.log_length();
        if length < std::mem::replace(&mut self.length, length) {
            // It began again.
            self.retry_at = 0;
        }
        if length < pages(MIN_LOG) / 4 {
            return false;
        }
        let bound = pages(self.space.most_log_bytes());
        self.signal.bound(bound);
        if length < bound / 2 {
            return false;
        }
        let left = length - self.shared.copied.load(Relaxed);
        let is_quick =
            (0..FEW.min(bound / 4)).contains(&left) && self.shared.pinned.try_lock().is_ok();
        if length < self.retry_at || (length < bound && !is_quick) {
            return false;
        }
        self.restart(writer, pinned, "RESTART", length >= bound);
        // After a success, the next commit reports a short log.
        self.retry_at = length.saturating_add((length / 4).max(bound / 4));
        if length > bound.saturating_mul(LONGEST) {
            self.shared.ends_of_long_reads.fetch_add(1, Relaxed);
        }
        true
    }

    /// Copies the log and gives its room back, if no reader needs it.
    pub(crate) fn empty_log(&mut self, writer: &mut dyn Driver, pinned: &mut PinnedSnapshot) {
        self.restart(writer, pinned, "TRUNCATE", true);
        gauge_log(self.space.log_bytes());
    }

    /// With `is_due`, background reads make way, and the writer waits longer.
    fn restart(
        &self,
        writer: &mut dyn Driver,
        pinned: &mut PinnedSnapshot,
        mode: &str,
        is_due: bool,
    ) {
        let wait = if is_due { LONG_WAIT } else { WAIT };
        self.shared.attempts.fetch_add(u64::from(is_due), Relaxed);
        let limit = self.space.most_log_bytes();
        let restarted = self.without_snapshots(pinned, || restart_log(writer, mode, wait, limit));
        if let Err(error) = restarted {
            tracing::error!(%error, "a checkpoint failed");
        }
        self.shared.copied.store(0, Relaxed);
    }

    /// Does `work` while no checkpoint of the thread is running and no snapshot is pinned.
    pub(crate) fn without_snapshots<T>(
        &self,
        pinned: &mut PinnedSnapshot,
        work: impl FnOnce() -> T,
    ) -> T {
        let mut other = lock(&self.shared.pinned);
        pinned.release();
        other.release();
        let done = work();
        pinned.hold();
        other.hold();
        done
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
pub(crate) fn start(path: &Path, space: &Arc<Space>) -> Result<Checkpoints, Error> {
    let driver = Sqlite::checkpointer(path)?;
    let (signal, requests) = bounded(1);
    let (running, ended) = bounded(0);
    let shared = Arc::new(Shared {
        pinned: Mutex::new(PinnedSnapshot::new(Box::new(Sqlite::reader(path)?))),
        copied: AtomicI32::new(0),
        ends_of_long_reads: Arc::default(),
        attempts: Arc::default(),
    });
    let for_thread = Arc::clone(&shared);
    let thread = crate::runtime::spawn("store-checkpoint".to_owned(), move || {
        run(driver, &for_thread, &requests, &ended);
    })?;
    Ok(Checkpoints {
        signal: CheckpointSignal::new(signal),
        shared,
        space: Arc::clone(space),
        retry_at: 0,
        length: 0,
        running,
        thread,
    })
}

fn run(mut driver: Sqlite, shared: &Shared, requests: &Receiver<()>, ended: &Receiver<Infallible>) {
    Priority::Lower.apply();
    loop {
        select! {
            recv(requests) -> request => if request.is_err() { return },
            recv(ended) -> _ => return,
        }
        let mut held = lock(&shared.pinned);
        held.release();
        match copy_log(&mut driver) {
            Ok(copied) => shared.copied.store(copied, Relaxed),
            Err(error) => tracing::error!(%error, "a checkpoint failed"),
        }
        // Readers that start now bypass the log. To SQLite that is another snapshot than the one
        // that the writer's pinned snapshot holds.
        held.hold();
        drop(held);
        // A commit meanwhile queues a request, so that none is left in the log.
        if ended.recv_timeout(PAUSE) != Err(RecvTimeoutError::Timeout) {
            return;
        }
    }
}

/// A passive checkpoint skips pages that readers still need and blocks nobody; the next one copies
/// the rest. Returns the length of the log that is copied, in pages.
fn copy_log(driver: &mut Sqlite) -> Result<i32, Error> {
    let mut copied = 0;
    driver.query("PRAGMA wal_checkpoint(PASSIVE)", &[], &mut |row| {
        copied = i32::try_from(row.int(2)?).unwrap_or_default();
        Ok(())
    })?;
    Ok(copied)
}

fn restart_log(writer: &mut dyn Driver, mode: &str, wait: &str, limit: u64) -> Result<(), Error> {
    // A log that became longer is cut when it begins again.
    writer.script(&format!("{wait}; PRAGMA journal_size_limit = {limit}"))?;
    let restarted = writer.script(&format!("PRAGMA wal_checkpoint({mode})"));
    writer.script(USUAL_WAIT)?;
    restarted
}

fn pages(bytes: u64) -> i32 {
    i32::try_from(bytes / PAGE).unwrap_or(i32::MAX)
}

#[expect(clippy::cast_precision_loss, reason = "a log is far shorter than 2^53")]
fn gauge_log(bytes: u64) {
    metrics::gauge!("stockroom_store_log_bytes").set(bytes as f64);
}

fn lock(pinned: &Mutex<PinnedSnapshot>) -> MutexGuard<'_, PinnedSnapshot> {
    pinned.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Instant;

    use crossbeam_channel::TryRecvError;
    use tempfile::tempdir;

    use super::*;
    use crate::engine::directory::Directory;

    const PATIENCE: Duration = Duration::from_secs(60);
    const LIMIT: u64 = 2 * MIN_LOG;

    fn space(directory: &Path) -> Arc<Space> {
        let space = Space::open(&Directory::take(directory).unwrap()).unwrap();
        space.limit_log(LIMIT);
        Arc::new(space)
    }

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
        let space = space(directory.path());
        let mut writer = Sqlite::writer(&path).unwrap();
        writer.script("CREATE TABLE item (bytes BLOB)").unwrap();
        writer
            .script("CREATE TABLE instance (value INTEGER)")
            .unwrap();
        let mut checkpoints = start(&path, &space).unwrap();
        writer.signal_commits(checkpoints.signal()).unwrap();
        let mut pinned = PinnedSnapshot::new(Box::new(Sqlite::reader(&path).unwrap()));
        let (reading, ended) = bounded::<Infallible>(0);
        let mut reader = Sqlite::reader(&path).unwrap();
        let reads = std::thread::spawn(move || {
            while ended.try_recv() == Err(TryRecvError::Empty) {
                let count = "SELECT count(*) FROM item";
                reader.query(count, &[], &mut |_| Ok(())).unwrap();
            }
        });
        let mut longest = 0;
        for _ in 0..100 {
            let insert = "INSERT INTO item VALUES (zeroblob(100000))";
            writer.script(insert).unwrap();
            pinned.hold();
            checkpoints.restart_long_log(&mut writer, &mut pinned);
            pinned.release();
            let log = fs::metadata(path.with_extension("db-wal")).unwrap().len();
            longest = log.max(longest);
        }
        drop(reading);
        reads.join().unwrap();
        checkpoints.end();
        assert!((LIMIT / 2..LIMIT * 2).contains(&longest), "{longest} bytes");
    }

    #[test]
    fn what_a_rollback_left_in_the_log_is_cut() {
        let directory = tempdir().unwrap();
        let path = directory.path().join("stockroom.db");
        let space = space(directory.path());
        let mut writer = Sqlite::writer(&path).unwrap();
        let checkpoints = start(&path, &space).unwrap();
        writer.signal_commits(checkpoints.signal()).unwrap();
        let insert = "INSERT INTO item VALUES (zeroblob(1000000))";
        writer.script("CREATE TABLE item (bytes BLOB)").unwrap();
        writer.script(insert).unwrap();
        let committed = space.log_bytes();
        writer.script("BEGIN IMMEDIATE").unwrap();
        writer.script(insert).unwrap();
        writer.write_back().unwrap();
        writer.script("ROLLBACK").unwrap();
        assert!(space.log_bytes() > committed + 900_000);
        space.cut_log();
        assert_eq!(space.log_bytes(), committed);
        writer.script(insert).unwrap();
        checkpoints.end();
        drop(writer);
        let count = "SELECT count(*) FROM item WHERE length(bytes) = 1000000";
        let mut rows = 0;
        let mut reader = Sqlite::writer(&path).unwrap();
        let read = reader.query(count, &[], &mut |row| {
            rows = row.int(0)?;
            Ok(())
        });
        read.unwrap();
        assert_eq!(rows, 2);
    }

    #[test]
    fn commits_during_a_pause_reach_the_file() {
        let directory = tempdir().unwrap();
        let path = directory.path().join("stockroom.db");
        let copy = directory.path().join("copy.db");
        let space = space(directory.path());
        let mut writer = Sqlite::writer(&path).unwrap();
        writer.script("CREATE TABLE item (bytes BLOB)").unwrap();
        let checkpoints = start(&path, &space).unwrap();
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
