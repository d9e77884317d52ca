//! A lower bound of the current time. A clock may be ahead for a while, and the server be started
//! meanwhile. What expired by such a clock must not be deleted: when the clock is right again, a
//! revoked token would be valid.

use std::time::Duration;

use stockroom_auth::Clock;
use stockroom_model::Timestamp;
use stockroom_store::{HistoryPosition, HistoryRange, ReadTx, WriteTx};

use crate::Error;

/// A clock that has gone evenly for so long is right: what the server did not run through is made up
/// for.
const STEADY: Duration = Duration::from_secs(6 * 3_600);
/// How far such a clock may be corrected meanwhile.
const CORRECTION: Duration = Duration::from_secs(300);
/// How much of the time a restart may forget.
const STORED_EVERY: Duration = Duration::from_secs(3_600);
/// The fact that outlives a restart, in microseconds.
const FACT: &str = "certain_time";

/// See the module.
#[derive(Debug)]
pub(crate) struct CertainTime {
    start: Timestamp,
    /// What the clock said at the start.
    clock: Timestamp,
    /// The monotonic time at the start.
    monotonic: Duration,
}

impl CertainTime {
    /// Starts at a time that has passed, or, if the store knows none, now.
    pub(crate) fn begin(clock: &dyn Clock, passed: Option<Timestamp>) -> Self {
        let now = clock.now();
        Self {
            start: passed.map_or(now, |passed| passed.min(now)),
            clock: now,
            monotonic: clock.monotonic(),
        }
    }

    /// The latest time that has certainly passed.
    pub(crate) fn now(&self, clock: &dyn Clock) -> Timestamp {
        let (now, passed) = (
            clock.now(),
            clock.monotonic().saturating_sub(self.monotonic),
        );
        let after = |start: Timestamp| Timestamp(start.0.saturating_add(micros(passed)));
        let correction = now.0.saturating_sub(after(self.clock).0).saturating_abs();
        if passed >= STEADY && correction <= micros(CORRECTION) {
            now
        } else {
            after(self.start).min(now)
        }
    }
}

/// A time that has passed, as the store knows it. Before it was first stored, the newest change tells
/// it, unless the clock was wrong then.
pub(crate) fn passed(tx: &mut ReadTx<'_>) -> Result<Option<Timestamp>, Error> {
    if let Some(stored) = stored(tx)? {
        return Ok(Some(stored));
    }
    let newest = tx.history(&HistoryRange::Everything, HistoryPosition::START, 1)?;
    Ok(newest.first().map(|entry| entry.at))
}

/// Whether the store is to learn the time.
pub(crate) fn is_due(tx: &mut ReadTx<'_>, now: Timestamp) -> Result<bool, Error> {
    let is_old = |stored: Timestamp| now.0.saturating_sub(stored.0) >= micros(STORED_EVERY);
    Ok(stored(tx)?.is_none_or(is_old))
}

/// Stores the time.
pub(crate) fn store(tx: &mut WriteTx<'_>, now: Timestamp) -> Result<(), Error> {
    Ok(tx.set_instance_fact(FACT, &now.0.to_string())?)
}

fn stored(tx: &mut ReadTx<'_>) -> Result<Option<Timestamp>, Error> {
    let fact = tx.instance_fact(FACT)?;
    Ok(fact.and_then(|text| text.parse().ok()).map(Timestamp))
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
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

    #[test]
    fn a_clock_that_went_evenly_for_hours_is_right() {
        let clock = FixedClock::at(Timestamp(90_000_000));
        let time = CertainTime::begin(&clock, Some(Timestamp(5_000_000)));
        clock.advance(STEADY.saturating_sub(Duration::from_secs(1)));
        assert_eq!(time.now(&clock).0, 4_000_000 + micros(STEADY));
        clock.advance(Duration::from_secs(1));
        assert_eq!(time.now(&clock), clock.now());
        clock.set(Timestamp(clock.now().0 + 2 * micros(CORRECTION)));
        assert_eq!(time.now(&clock).0, 5_000_000 + micros(STEADY));
    }
}
