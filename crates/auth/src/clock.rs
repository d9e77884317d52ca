//! The interface through which time is passed in.

use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use stockroom_model::Timestamp;

/// A source of the current time.
pub trait Clock: Send + Sync {
    /// The current time.
    fn now(&self) -> Timestamp;

    /// The time since some moment, which goes on when somebody sets the clock.
    fn monotonic(&self) -> Duration;
}

/// The clock of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the Clock that everybody else asks"
    )]
    fn now(&self) -> Timestamp {
        // A clock before 1970 is wrong anyway, so 1970 is as good an answer as any.
        let elapsed = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp(i64::try_from(elapsed.as_micros()).unwrap_or(i64::MAX))
    }

    fn monotonic(&self) -> Duration {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        START.elapsed()
    }
}

#[cfg(any(test, feature = "test-seams"))]
pub use fixed::FixedClock;

#[cfg(any(test, feature = "test-seams"))]
mod fixed {
    use std::sync::atomic::{AtomicI64, Ordering};
    use std::time::Duration;

    use stockroom_model::Timestamp;

    use super::Clock;

    /// A clock that changes only when it is told to.
    #[derive(Debug)]
    pub struct FixedClock {
        micros: AtomicI64,
        /// How far it has advanced.
        monotonic: AtomicI64,
        /// How far it goes on whenever somebody looks at it.
        step: AtomicI64,
    }

    impl FixedClock {
        /// A clock that shows `time`.
        #[must_use]
        pub const fn at(time: Timestamp) -> Self {
            Self {
                micros: AtomicI64::new(time.0),
                monotonic: AtomicI64::new(0),
                step: AtomicI64::new(0),
            }
        }

        /// Advances the clock.
        pub fn advance(&self, by: Duration) {
            self.micros.fetch_add(micros(by), Ordering::SeqCst);
            self.monotonic.fetch_add(micros(by), Ordering::SeqCst);
        }

        /// Makes the clock go on by so much whenever somebody looks at it.
        pub fn step_by(&self, by: Duration) {
            self.step.store(micros(by), Ordering::SeqCst);
        }

        /// Turns the clock to another time, which may be earlier.
        pub fn set(&self, time: Timestamp) {
            self.micros.store(time.0, Ordering::SeqCst);
        }
    }

    impl Clock for FixedClock {
        fn now(&self) -> Timestamp {
            let step = self.step.load(Ordering::SeqCst);
            self.monotonic.fetch_add(step, Ordering::SeqCst);
            Timestamp(self.micros.fetch_add(step, Ordering::SeqCst))
        }

        fn monotonic(&self) -> Duration {
            let monotonic = self.monotonic.load(Ordering::SeqCst);
            Duration::from_micros(u64::try_from(monotonic).unwrap_or_default())
        }
    }

    fn micros(time: Duration) -> i64 {
        i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn counts_microseconds_since_1970() {
        // The current time is between 2020 and 2200 in microseconds; in seconds, milliseconds or
        // nanoseconds it would be outside.
        let years = Timestamp::from_text("2020-01-01").unwrap()
            ..Timestamp::from_text("2200-01-01").unwrap();
        assert!(years.contains(&SystemClock.now()));
    }

    #[test]
    fn a_fixed_clock_moves_only_when_told() {
        let clock = FixedClock::at(Timestamp(5));
        assert_eq!(clock.now(), clock.now());
        clock.advance(Duration::from_secs(2));
        assert_eq!(clock.now(), Timestamp(2_000_005));
    }
}
