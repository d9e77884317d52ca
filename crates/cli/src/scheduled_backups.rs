//! Backups that the server makes by itself, on a thread of low priority.

mod files;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use metrics::{counter, gauge};
use stockroom_auth::{Clock as _, SystemClock};
use stockroom_model::Timestamp;
use stockroom_store::{Location, TransferError, Transferred, backup};

use self::files::Files;
use crate::priority;

/// How long after a failure to try again, unless the interval is shorter.
const RETRY: Duration = Duration::from_secs(600);

/// When to make backups, and how many to keep.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Schedule {
    pub(crate) interval: Duration,
    pub(crate) keep: usize,
}

/// The running thread.
pub(crate) struct ScheduledBackups {
    stopping: Arc<AtomicBool>,
    /// Closed to wake the thread.
    awake: Sender<()>,
    thread: JoinHandle<()>,
}

impl ScheduledBackups {
    /// Starts the thread. The first backup is due one interval after the newest file, or at once.
    ///
    /// # Errors
    ///
    /// The directory cannot be created or read.
    pub(crate) fn start(
        location: Location,
        directory: &Path,
        schedule: Schedule,
    ) -> anyhow::Result<Self> {
        let files = Files::open(directory)?;
        describe();
        let stopping = Arc::new(AtomicBool::new(false));
        let (awake, closed) = channel();
        let worker = Worker {
            location,
            files,
            schedule,
            stopping: Arc::clone(&stopping),
            closed,
        };
        let thread = std::thread::Builder::new()
            .name("backups".to_owned())
            .spawn(move || worker.run())
            .context("the thread for backups cannot be started")?;
        Ok(Self {
            stopping,
            awake,
            thread,
        })
    }

    /// Ends a backup that is running, and waits for the thread.
    pub(crate) fn stop(self) {
        self.stopping.store(true, Ordering::Relaxed);
        drop(self.awake);
        if self.thread.join().is_err() {
            tracing::error!("the thread for backups had panicked");
        }
    }
}

struct Worker {
    location: Location,
    files: Files,
    schedule: Schedule,
    stopping: Arc<AtomicBool>,
    closed: Receiver<()>,
}

impl Worker {
    fn run(self) {
        priority::lower();
        let mut wait = self.until_due();
        while self.closed.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
            wait = match self.back_up() {
                Ok(()) => self.until_due(),
                Err(_) if self.stopping.load(Ordering::Relaxed) => return,
                Err(error) => {
                    counter!("stockroom_backup_failures_total").increment(1);
                    let error = format!("{error:#}");
                    tracing::error!(error, "a backup failed");
                    RETRY.min(self.schedule.interval)
                }
            };
        }
    }

    /// The time until one interval after the newest backup.
    fn until_due(&self) -> Duration {
        let newest = match self.files.backups() {
            Ok(backups) => backups.last().map(|(time, _)| *time),
            Err(error) => {
                let error = format!("{error:#}");
                tracing::warn!(error, "the directory of backups cannot be read");
                None
            }
        };
        let Some(newest) = newest else {
            return Duration::ZERO;
        };
        gauge!("stockroom_backup_last_success_timestamp_seconds").set(seconds(newest));
        let since = SystemClock.now().0.saturating_sub(newest.0).max(0);
        let since = Duration::from_micros(since.unsigned_abs());
        self.schedule.interval.saturating_sub(since)
    }

    fn back_up(&self) -> anyhow::Result<()> {
        let (begin, now) = (Instant::now(), SystemClock.now());
        let file = self.files.path(now);
        let saved = self.save(&file, now)?;
        let bytes = std::fs::metadata(&file).map_or(0, |metadata| metadata.len());
        tracing::info!(
            file = %file.display(),
            bytes,
            seconds = begin.elapsed().as_secs_f64(),
            sha256 = saved.checksum,
            "a backup is complete"
        );
        gauge!("stockroom_backup_duration_seconds").set(begin.elapsed().as_secs_f64());
        gauge!("stockroom_backup_bytes").set(count(bytes));
        // The new file counts as the newest one, whether or not old ones can be deleted.
        if let Err(error) = self.files.delete_oldest(self.schedule.keep) {
            let error = format!("{error:#}");
            tracing::warn!(error, "old backups cannot be deleted");
        }
        Ok(())
    }

    fn save(&self, file: &Path, now: Timestamp) -> Result<Transferred, TransferError> {
        let stopping = &self.stopping;
        backup(&self.location, file, now, &mut |_| {
            if stopping.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
    }
}

fn describe() {
    // A counter is shown once it has a value.
    counter!("stockroom_backup_failures_total").increment(0);
}

#[expect(
    clippy::cast_precision_loss,
    reason = "metrics are floats; a file is far smaller than 2^53 bytes"
)]
const fn count(bytes: u64) -> f64 {
    bytes as f64
}

#[expect(
    clippy::cast_precision_loss,
    reason = "metrics are floats; seconds are far fewer than 2^53"
)]
const fn seconds(time: Timestamp) -> f64 {
    time.seconds() as f64
}
