//! Stops a statement of a connection from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// While it is set, statements of its connection end with an error. Clones are the same flag.
#[derive(Debug, Clone, Default)]
pub(crate) struct StopFlag(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    is_set: AtomicBool,
    changed: Notify,
}

impl StopFlag {
    pub(crate) fn set(&self) {
        self.0.is_set.store(true, Ordering::Release);
        self.0.changed.notify_one();
    }

    pub(crate) fn clear(&self) {
        self.0.is_set.store(false, Ordering::Release);
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.is_set.load(Ordering::Relaxed)
    }

    /// Returns when the flag is set.
    pub(crate) async fn until_set(&self) {
        while !self.0.is_set.load(Ordering::Acquire) {
            self.0.changed.notified().await;
        }
    }
}
