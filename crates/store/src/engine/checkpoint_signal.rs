//! Requests checkpoints.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use crossbeam_channel::{Sender, TrySendError};

/// How many pages the log must grow for another checkpoint to be worthwhile: 16 MiB, or a quarter of
/// its bound. Later commits change many of the same pages, which one checkpoint writes once.
pub(crate) const WORTHWHILE: i32 = 4_096;

/// Requests checkpoints.
#[derive(Clone)]
pub(crate) struct CheckpointSignal {
    sender: Sender<()>,
    /// The length of the log, in pages.
    length: Arc<AtomicI32>,
    /// How far the log must grow for another request.
    worthwhile: Arc<AtomicI32>,
    /// The length of the log at the last request.
    requested_at: i32,
}

impl CheckpointSignal {
    pub(crate) fn new(sender: Sender<()>) -> Self {
        Self {
            sender,
            length: Arc::default(),
            worthwhile: Arc::new(AtomicI32::new(WORTHWHILE)),
            requested_at: 0,
        }
    }

    /// The length of the log after the last commit, in pages.
    pub(crate) fn log_length(&self) -> i32 {
        self.length.load(Ordering::Relaxed)
    }

    /// Adapts to the bound of the log, in pages.
    pub(crate) fn bound(&self, pages: i32) {
        self.worthwhile
            .store(WORTHWHILE.min(pages / 4), Ordering::Relaxed);
    }

    /// Reports the length of the log after a commit, in pages.
    pub(crate) fn committed(&mut self, pages: i32) {
        self.length.store(pages, Ordering::Relaxed);
        if pages < self.requested_at {
            // A checkpoint copied all of it, and the log began again.
            self.requested_at = 0;
        }
        if pages - self.requested_at < self.worthwhile.load(Ordering::Relaxed) {
            return;
        }
        self.requested_at = pages;
        match self.sender.try_send(()) {
            // A queued request covers this commit, too.
            Ok(()) | Err(TrySendError::Full(()) | TrySendError::Disconnected(())) => {}
        }
    }
}
