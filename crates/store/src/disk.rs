//! Whether the disk is full.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Rewrites a page without changing it, to probe whether a full disk has room again.
pub(crate) const REWRITE_ANY: &str = "UPDATE schema_migration SET applied_at = applied_at";

/// Whether the disk is full, according to the last write.
#[derive(Debug, Default)]
pub(crate) struct Disk {
    is_full: AtomicBool,
}

impl Disk {
    pub(crate) fn is_full(&self) -> bool {
        self.is_full.load(Relaxed)
    }

    /// Notes that a write failed for lack of space.
    pub(crate) fn note_full(&self) {
        if !self.is_full.swap(true, Relaxed) {
            tracing::error!("the disk is full: writes are refused until there is room");
        }
    }

    /// Notes that a write succeeded.
    pub(crate) fn note_written(&self) {
        if self.is_full() {
            self.is_full.store(false, Relaxed);
            tracing::info!("the disk has room again");
        }
    }
}
