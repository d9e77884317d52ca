//! A time that has surely come. A clock may jump ahead for a while; what is deleted then for its age
//! would be missed when the clock is right again: a token that was revoked would be valid.

use std::time::Duration;

use stockroom_auth::Clock;
use stockroom_model::Timestamp;

/// See the module.
#[derive(Debug)]
pub(crate) struct CertainTime {
    start: Timestamp,
    /// What the clock had counted then.
    counted: Duration,
}

impl CertainTime {
    /// Begins at the time of the newest change in the store, as the clock may be wrong already. A
    /// store without changes has nothing to lose.
    pub(crate) fn begin(clock: &dyn Clock, newest_change: Option<Timestamp>) -> Self {
        let now = clock.now();
        Self {
            start: newest_change.map_or(now, |newest| newest.min(now)),
            counted: clock.counted(),
        }
    }

    /// The latest time that has surely come.
    pub(crate) fn now(&self, clock: &dyn Clock) -> Timestamp {
        let passed = clock.counted().saturating_sub(self.counted).as_micros();
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
