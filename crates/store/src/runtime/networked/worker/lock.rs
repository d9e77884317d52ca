//! How a write begins: beside others, or alone.

use std::time::{Duration, Instant};

const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ";
// Taken before the snapshot, which then includes what was committed while waiting. Writes of
// objects run concurrently; a write of what others depend on runs alone.
const LOCK_SHARED: &str = "LOCK TABLE catalog_version IN ROW SHARE MODE";
const LOCK_EXCLUSIVE: &str = "LOCK TABLE catalog_version IN EXCLUSIVE MODE";
// All later writes wait behind one that waits to be alone, so it tries for a moment, and again.
const WAIT_BRIEFLY: &str = "SET LOCAL lock_timeout = '100ms'";
const WAIT_AS_USUAL: &str = "SET LOCAL lock_timeout TO DEFAULT";

/// After so many attempts, which take about three seconds, it waits as long as it must.
const BRIEF_TRIES: u32 = 12;
/// So does an attempt this close to its deadline.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// Whether a write takes the exclusive lock, beside which no other write runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::runtime::networked) enum ExclusiveLock {
    /// If it finds that it needs it.
    IfNeeded,
    /// No: if it needs it, it has to wait for its turn first.
    NotYet,
    /// Yes.
    Yes,
}

/// The statements that begin a write after so many tries.
pub(super) fn begin(is_exclusive: bool, tries: u32, deadline: Instant) -> &'static [&'static str] {
    if !is_exclusive {
        return &[BEGIN, LOCK_SHARED];
    }
    if tries < BRIEF_TRIES && Instant::now() + LAST_WAIT < deadline {
        &[BEGIN, WAIT_BRIEFLY, LOCK_EXCLUSIVE, WAIT_AS_USUAL]
    } else {
        &[BEGIN, LOCK_EXCLUSIVE]
    }
}
