//! Whether the disk is full, and the room of the embedded database on it.

mod space;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

pub use self::space::DEFAULT_LOG_BYTES;
pub(crate) use self::space::{MIN_LOG, PAGE, Space};

/// Rewrites a page without changing it, to probe whether a full disk has room again.
pub(crate) const REWRITE_ANY: &str = "UPDATE schema_migration SET applied_at = applied_at";

/// How much a write may use of the room that is kept for when the disk is full.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReserveUse {
    /// Nothing.
    #[default]
    None,
    /// All but a quarter: it makes room.
    Most,
    /// All: nobody could make room or stop an intruder without it.
    All,
}

/// Whether the disk is full, according to the last write.
#[derive(Debug, Default)]
pub(crate) struct Disk {
    is_full: AtomicBool,
    /// Whether a statement failed for lack of space.
    has_failed: AtomicBool,
}

impl Disk {
    pub(crate) fn is_full(&self) -> bool {
        self.is_full.load(Relaxed)
    }

    /// Notes that a statement failed for lack of space. Another attempt may succeed.
    pub(crate) fn record_failure(&self) {
        self.has_failed.store(true, Relaxed);
    }

    /// Whether a statement failed for lack of space since this was asked last.
    pub(crate) fn take_failure(&self) -> bool {
        self.has_failed.swap(false, Relaxed)
    }

    /// Notes that a write was refused for lack of space.
    pub(crate) fn record_full(&self) {
        if !self.is_full.swap(true, Relaxed) {
            tracing::error!("the disk is full: writes are refused until there is room");
        }
    }

    /// Notes that a write succeeded.
    pub(crate) fn record_written(&self) {
        if self.is_full() {
            self.is_full.store(false, Relaxed);
            tracing::info!("the disk has room again");
        }
    }
}
