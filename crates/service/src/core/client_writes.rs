//! Whether clients write at the moment, which includes logins. On the embedded engine, writes wait
//! for each other; then work in the background keeps its transactions short.

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

use stockroom_auth::Clock;
use stockroom_model::Timestamp;

/// How long no client must have written, in microseconds.
const QUIET_MICROS: u64 = 1_000_000;
/// How long clients may wait for a transaction that can go on in another one, in microseconds. They
/// wait for its commit as well, which may take as long.
const PATIENCE_MICROS: u64 = 25_000;

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
    writes: &'s ClientWrites,
    clock: &'s dyn Clock,
    began: Timestamp,
}

impl<'s> TransactionTime<'s> {
    /// Of a transaction that begins now.
    pub(crate) fn begin(writes: &'s ClientWrites, clock: &'s dyn Clock) -> Self {
        Self {
            writes,
            clock,
            began: clock.now(),
        }
    }

    /// Whether it should end, because clients have waited for it.
    pub(crate) fn is_over(&self) -> bool {
        let now = self.clock.now();
        let is_long = self.began.0.abs_diff(now.0) >= PATIENCE_MICROS;
        is_long && !self.writes.are_quiet(now)
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
