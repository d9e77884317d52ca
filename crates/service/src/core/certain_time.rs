//! A lower bound of the current time. A clock may be ahead for a while. What expired by such a clock
//! must not be deleted: when the clock is right again, a revoked token would be valid.

use std::time::Duration;

use stockroom_auth::Clock;
use stockroom_model::Timestamp;

/// See the module.
#[derive(Debug)]
pub(crate) struct CertainTime {
    start: Timestamp,
    /// The monotonic time at the start.
    monotonic: Duration,
}

impl CertainTime {
    /// Starts at the time of the newest change in the store, because the clock may be ahead already.
    /// A store without changes has nothing to lose.
    pub(crate) fn begin(clock: &dyn Clock, newest_change: Option<Timestamp>) -> Self {
        let now = clock.now();
        Self {
            start: newest_change.map_or(now, |newest| newest.min(now)),
            monotonic: clock.monotonic(),
        }
    }

    /// The latest time that has certainly passed.
    pub(crate) fn now(&self, clock: &dyn Clock) -> Timestamp {
        let passed = clock.monotonic().saturating_sub(self.monotonic).as_micros();
        let passed = i64::try_from(passed).unwrap_or(i64::MAX);
        Timestamp(self.start.0.saturating_add(passed)).min(clock.now())
    }
}

#[cfg(test)]
mod tests {
    use stockroom_auth::FixedClock;

    use super::*;

    #[test]
    fn a_clock_that_jumps_makes_no_time_pass() {
        let clock = FixedClock::at(Timestamp(5_000_000));
        let time = CertainTime::begin(&clock, Some(Timestamp(4_000_000)));
        assert_eq!(time.now(&clock), Timestamp(4_000_000));
        clock.advance(Duration::from_secs(1));
        assert_eq!(time.now(&clock), Timestamp(5_000_000));
        clock.set(Timestamp(90_000_000));
        assert_eq!(time.now(&clock), Timestamp(5_000_000));
        clock.set(Timestamp(3_000_000));
        assert_eq!(time.now(&clock), Timestamp(3_000_000));
    }

    #[test]
    fn a_clock_behind_the_newest_change_is_the_earlier_time() {
        let clock = FixedClock::at(Timestamp(5_000_000));
        let time = CertainTime::begin(&clock, Some(Timestamp(9_000_000)));
        assert_eq!(time.now(&clock), Timestamp(5_000_000));
        let time = CertainTime::begin(&clock, None);
        assert_eq!(time.now(&clock), Timestamp(5_000_000));
    }
}
