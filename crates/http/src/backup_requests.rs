//! Requests for backups, which a thread outside of this crate makes.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Where to ask for a backup.
#[derive(Debug, Clone)]
pub struct BackupRequests(SyncSender<()>);

impl BackupRequests {
    /// The receiver gets one message for all requests before it looks.
    #[must_use]
    pub fn channel() -> (Self, Receiver<()>) {
        let (sender, receiver) = sync_channel(1);
        (Self(sender), receiver)
    }

    /// Asks for a backup, unless one is due anyway. A server that is stopping makes none.
    pub fn ask(&self) {
        let _ = self.0.try_send(());
    }
}
