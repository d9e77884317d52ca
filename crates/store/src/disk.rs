//! Whether the disk has room.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Writes a page and changes nothing: while the disk is full, it tells whether it still is.
pub(crate) const REWRITE_ANY: &str = "UPDATE schema_migration SET applied_at = applied_at";

/// What the last write learned of the disk.
#[derive(Debug, Default)]
pub(crate) struct Disk {
    is_full: AtomicBool,
}

impl Disk {
    pub(crate) fn is_full(&self) -> bool {
        self.is_full.load(Relaxed)
    }

    /// A write found no room.
    pub(crate) fn full(&self) {
        if !self.is_full.swap(true, Relaxed) {
            tracing::error!("the disk is full: writes are refused until there is room");
        }
    }

    /// A write was done.
    pub(crate) fn has_room(&self) {
        if self.is_full() {
            self.is_full.store(false, Relaxed);
            tracing::info!("the disk has room again");
        }
    }
}
