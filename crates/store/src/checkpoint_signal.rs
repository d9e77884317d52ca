//! Requests checkpoints.

use crossbeam_channel::{Sender, TrySendError};

/// The length of the log, in pages, that makes a checkpoint worthwhile: 16 MiB.
const WORTHWHILE: i32 = 4_096;

/// Requests checkpoints.
#[derive(Clone)]
pub(crate) struct CheckpointSignal(pub(crate) Sender<()>);

impl CheckpointSignal {
    /// Reports the length of the log after a commit, in pages.
    pub(crate) fn committed(&self, pages: i32) {
        if pages < WORTHWHILE {
            return;
        }
        match self.0.try_send(()) {
            // A queued request covers this commit, too.
            Ok(()) | Err(TrySendError::Full(()) | TrySendError::Disconnected(())) => {}
        }
    }
}
