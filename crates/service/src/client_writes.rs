//! Whether clients write at the moment, which includes logins. On the embedded engine, writes wait
//! for each other; then work in the background keeps its transactions short.

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

use stockroom_model::Timestamp;
use stockroom_store::ObjectRow;

use crate::{Error, Service};

/// How long no client must have written, in microseconds.
const QUIET_MICROS: u64 = 1_000_000;
/// How long clients may wait for a transaction that can go on in another one, in microseconds.
const PATIENCE_MICROS: u64 = 100_000;

/// What the objects may hold that such a transaction changes, in bytes.
pub(crate) const MOST_CHANGED: usize = 8 * 1_024 * 1_024;
/// What the objects may hold that a request changes in a transaction that cannot go on in another
/// one, in bytes. The embedded engine takes about a second for them.
pub const MOST_CHANGED_AT_ONCE: usize = 32 * 1_024 * 1_024;

/// A smaller object counts as so many bytes, as its index rows and its history take time, too.
const LEAST_COUNTED: usize = 3 * 1_024;

/// Counts what a request changes in a transaction that cannot go on in another one.
#[derive(Default)]
pub(crate) struct ChangedAtOnce(usize);

impl ChangedAtOnce {
    /// Counts an object. `way_out` says how to do the same in parts.
    ///
    /// # Errors
    ///
    /// [`Error::TooMuchAtOnce`] beyond [`MOST_CHANGED_AT_ONCE`].
    pub(crate) fn add(&mut self, row: &ObjectRow, way_out: &'static str) -> Result<(), Error> {
        self.add_bytes(counted_bytes(row), way_out)
    }

    /// Counts objects of so many [`counted_bytes`].
    pub(crate) fn add_bytes(&mut self, bytes: usize, way_out: &'static str) -> Result<(), Error> {
        self.0 += bytes;
        if self.0 > MOST_CHANGED_AT_ONCE {
            return Err(Error::TooMuchAtOnce(MOST_CHANGED_AT_ONCE, way_out));
        }
        Ok(())
    }
}

/// The bytes that an object counts.
pub(crate) fn counted_bytes(row: &ObjectRow) -> usize {
    row.bytes().max(LEAST_COUNTED)
}

/// The clients that write.
#[derive(Debug)]
pub(crate) struct ClientWrites {
    /// How many wait for a write.
    waiting: AtomicUsize,
    /// When one began to wait last.
    last: AtomicI64,
}

impl Default for ClientWrites {
    fn default() -> Self {
        Self {
            waiting: AtomicUsize::new(0),
            last: AtomicI64::new(i64::MIN),
        }
    }
}

/// A client that waits for a write, until this is dropped.
pub(crate) struct WaitingClient<'w>(&'w ClientWrites);

impl ClientWrites {
    /// Notes that a client waits for a write from now on.
    pub(crate) fn wait(&self, now: Timestamp) -> WaitingClient<'_> {
        self.last.store(now.0, Ordering::Relaxed);
        self.waiting.fetch_add(1, Ordering::Relaxed);
        WaitingClient(self)
    }

    /// Whether none waits, and none has begun to for a while.
    pub(crate) fn are_quiet(&self, now: Timestamp) -> bool {
        // The clock may have been set back since.
        let since = self.last.load(Ordering::Relaxed).abs_diff(now.0);
        self.waiting.load(Ordering::Relaxed) == 0 && since >= QUIET_MICROS
    }
}

impl Drop for WaitingClient<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The time of a transaction that can end before its work is done, and go on in another one.
pub(crate) struct TransactionTime<'s> {
    service: &'s Service,
    began: Timestamp,
}

impl<'s> TransactionTime<'s> {
    /// Of a transaction that begins now.
    pub(crate) fn begin(service: &'s Service) -> Self {
        Self {
            service,
            began: service.clock.now(),
        }
    }

    /// Whether it should end, because clients have waited for it.
    pub(crate) fn is_over(&self) -> bool {
        let now = self.service.clock.now();
        let is_long = self.began.0.abs_diff(now.0) >= PATIENCE_MICROS;
        is_long && !self.service.client_writes.are_quiet(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_begins_a_second_after_a_write() {
        let writes = ClientWrites::default();
        assert!(writes.are_quiet(Timestamp(5)), "before the first write");
        let waiting = writes.wait(Timestamp(5_000_000));
        assert!(!writes.are_quiet(Timestamp(9_000_000)), "it waits still");
        drop(waiting);
        assert!(!writes.are_quiet(Timestamp(5_000_000)));
        assert!(!writes.are_quiet(Timestamp(5_999_999)));
        assert!(writes.are_quiet(Timestamp(6_000_000)));
        assert!(
            writes.are_quiet(Timestamp(1_000_000)),
            "the clock was set back"
        );
    }
}
