//! Asks for checkpoints.

use crossbeam_channel::{Sender, TrySendError};

/// Pages in the log from which on it is worth while: 16 MiB.
const WORTHWHILE: i32 = 4_096;

/// Asks for checkpoints.
#[derive(Clone)]
pub(crate) struct CheckpointSignal(pub(crate) Sender<CheckpointRequest>);

/// What the thread is asked for.
pub(crate) enum CheckpointRequest {
    Checkpoint,
    End,
}

impl CheckpointSignal {
    /// Says how many pages the log has after a commit.
    pub(crate) fn committed(&self, pages: i32) {
        if pages < WORTHWHILE {
            return;
        }
        match self.0.try_send(CheckpointRequest::Checkpoint) {
            // One that was asked for and has not begun will do for this commit as well.
            Ok(()) | Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {}
        }
    }
}
