//! Backups that the server makes by its schedule or when somebody asks, on a thread of low priority.

mod files;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use metrics::{counter, gauge};
use stockroom_auth::{Clock as _, SystemClock};
use stockroom_http::BackupRequests;
use stockroom_model::Timestamp;
use stockroom_store::{Location, Priority, TransferError, Transferred, backup};

use self::files::{ASKED, Files, SCHEDULED};

/// How long after a failure to try again, unless the interval is shorter.
const RETRY: Duration = Duration::from_secs(600);

/// When to make backups, and how many to keep. Those that somebody asks for are counted by
/// themselves, so that asking often does not remove the others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Schedule {
    pub(crate) interval: Duration,
    pub(crate) keep: usize,
}

/// The running thread.
pub(crate) struct ScheduledBackups {
    stopping: Arc<AtomicBool>,
    requests: BackupRequests,
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
        describe();
        let stopping = Arc::new(AtomicBool::new(false));
        let (requests, asked) = BackupRequests::channel();
        let worker = Worker {
            location,
            scheduled_files: Files::open(directory, SCHEDULED)?,
            asked_files: Files::open(directory, ASKED)?,
            schedule,
            stopping: Arc::clone(&stopping),
            asked,
        };
        let thread = std::thread::Builder::new()
            .name("backups".to_owned())
            .spawn(move || worker.run())
            .context("the thread for backups cannot be started")?;
        Ok(Self {
            stopping,
            requests,
            thread,
        })
    }

    /// Where others ask for a backup.
    pub(crate) fn requests(&self) -> BackupRequests {
        self.requests.clone()
    }

    /// Ends a backup that is running, and waits for the thread.
    pub(crate) fn stop(self) {
        self.stopping.store(true, Ordering::Relaxed);
        // To wake the thread; it may have ended.
        self.requests.ask();
        if self.thread.join().is_err() {
            tracing::error!("the thread for backups had panicked");
        }
    }
}

struct Worker {
    location: Location,
    scheduled_files: Files,
    asked_files: Files,
    schedule: Schedule,
    stopping: Arc<AtomicBool>,
    asked: Receiver<()>,
}

impl Worker {
    fn run(self) {
        Priority::Lower.apply();
        let mut wait = self.until_due();
        loop {
            let files = match self.asked.recv_timeout(wait) {
                Ok(()) => &self.asked_files,
                Err(RecvTimeoutError::Timeout) => &self.scheduled_files,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if self.stopping.load(Ordering::Relaxed) {
                return;
            }
            wait = match self.back_up(files) {
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

    /// The time until one interval after the newest backup of the schedule.
    fn until_due(&self) -> Duration {
        let now = SystemClock.now();
        let newest = |files| newest(files, now);
        let (scheduled, asked) = (newest(&self.scheduled_files), newest(&self.asked_files));
        if let Some(last) = scheduled.max(asked) {
            gauge!("stockroom_backup_last_success_timestamp_seconds").set(seconds(last));
        }
        let Some(scheduled) = scheduled else {
            return Duration::ZERO;
        };
        let since = now.0.saturating_sub(scheduled.0).max(0);
        let since = Duration::from_micros(since.unsigned_abs());
        self.schedule.interval.saturating_sub(since)
    }

    fn back_up(&self, files: &Files) -> anyhow::Result<()> {
        let (begin, now) = (Instant::now(), SystemClock.now());
        let file = files.path(now);
        if file.exists() {
            // Names have a second of resolution.
            return Ok(());
        }
        for files in [&self.scheduled_files, &self.asked_files] {
            files.delete_abandoned()?;
        }
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
        if let Err(error) = files.delete_oldest(self.schedule.keep, now) {
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

/// The time of the newest backup until `now`. Later ones were made while the clock was ahead.
fn newest(files: &Files, now: Timestamp) -> Option<Timestamp> {
    let backups = files.backups();
    if let Err(error) = &backups {
        let error = format!("{error:#}");
        tracing::warn!(error, "the directory of backups cannot be read");
    }
    let times = backups.ok()?.into_iter().map(|(time, _)| time);
    times.filter(|time| *time <= now).max()
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
