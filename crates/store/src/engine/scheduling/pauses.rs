//! Pauses of background work while requests come. A database server on this machine shares the
//! cores with us, but its processes all have the same priority, and the kernel weighs the threads
//! of a service against each other only. So short work with pauses takes the place of priorities.

use std::cell::Cell;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::priority::is_background;

/// How long after a request the next one is expected.
const EXPECTED: Duration = Duration::from_millis(10);
/// Work between two pauses. It should be shorter than the kernel's time slices.
const WORK: Duration = Duration::from_micros(500);
const PAUSE: Duration = Duration::from_micros(500);

static START: LazyLock<Instant> = LazyLock::new(Instant::now);
/// The requests of this process, whose threads all share the same cores.
static REQUESTS: Requests = Requests(AtomicU64::new(0));

thread_local! {
    static LAST_PAUSE: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Notes a request, unless this thread works in the background.
pub(crate) fn note_request() {
    if !is_background() {
        REQUESTS.note(START.elapsed());
    }
}

/// Whether this thread works in the background while requests come.
pub(crate) fn are_due() -> bool {
    is_background() && are_requests_coming()
}

/// Whether requests come to a node that shares its cores with the database server.
#[must_use]
pub fn are_requests_coming() -> bool {
    REQUESTS.are_coming(|| START.elapsed())
}

/// Lets requests go first. Background work calls it every few rows; it pauses if requests come and
/// the last pause is long enough ago.
#[expect(
    clippy::disallowed_methods,
    reason = "nobody waits for a thread of background work"
)]
pub fn give_way() {
    let has_worked = || START.elapsed().saturating_sub(LAST_PAUSE.get()) >= WORK;
    if are_due() && has_worked() {
        std::thread::sleep(PAUSE);
        LAST_PAUSE.set(START.elapsed());
    }
}

/// When the last request came: microseconds, and one more, since the start; 0 if none did.
struct Requests(AtomicU64);

impl Requests {
    fn note(&self, now: Duration) {
        self.0.store(micros(now) + 1, Ordering::Relaxed);
    }

    /// `now` is only called if there was a request: it would take most of the time on SQLite.
    fn are_coming(&self, now: impl FnOnce() -> Duration) -> bool {
        match self.0.load(Ordering::Relaxed) {
            0 => false,
            last => micros(now()).saturating_sub(last) < micros(EXPECTED),
        }
    }
}

/// From now on, requests are always expected.
#[cfg(test)]
pub(crate) fn keep_expecting_requests() {
    REQUESTS.0.store(u64::MAX, Ordering::Relaxed);
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::scheduling::priority::Priority;

    #[test]
    fn requests_are_expected_for_a_while_after_one() {
        let requests = Requests(AtomicU64::new(0));
        let are_coming = |micros| requests.are_coming(|| Duration::from_micros(micros));
        assert!(!are_coming(0), "before the first one");
        requests.note(Duration::ZERO);
        assert!(are_coming(0));
        requests.note(Duration::from_secs(5));
        assert!(are_coming(5_000_000));
        assert!(are_coming(5_010_000));
        assert!(!are_coming(5_010_001));
    }

    #[test]
    fn only_background_threads_pause() {
        keep_expecting_requests();
        assert!(!are_due());
        let background = std::thread::spawn(|| {
            Priority::Background.apply();
            are_due()
        });
        assert!(background.join().unwrap());
    }
}
