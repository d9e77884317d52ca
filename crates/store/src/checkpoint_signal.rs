//! Requests checkpoints.

use crossbeam_channel::{Sender, TrySendError};

/// How many pages the log must grow for another checkpoint to be worthwhile: 16 MiB. Later commits
/// change many of the same pages, which one checkpoint writes once.
const WORTHWHILE: i32 = 4_096;

/// Requests checkpoints.
#[derive(Clone)]
pub(crate) struct CheckpointSignal {
    sender: Sender<()>,
    /// The length of the log at the last request.
    requested_at: i32,
}

impl CheckpointSignal {
    pub(crate) fn new(sender: Sender<()>) -> Self {
        Self {
            sender,
            requested_at: 0,
        }
    }

    /// Reports the length of the log after a commit, in pages.
    pub(crate) fn committed(&mut self, pages: i32) {
        if pages < self.requested_at {
            // A checkpoint copied all of it, and the log began again.
            self.requested_at = 0;
        }
        if pages - self.requested_at < WORTHWHILE {
            return;
        }
        self.requested_at = pages;
        match self.sender.try_send(()) {
            // A queued request covers this commit, too.
            Ok(()) | Err(TrySendError::Full(()) | TrySendError::Disconnected(())) => {}
        }
    }
}
