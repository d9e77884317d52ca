//! How long a filter may work on one document. A write may wait for it, and nothing interrupts it.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::error::TooExpensive;

/// The most time for one document: hundreds of times what any filter needs for a usual one.
const MOST_TIME: Duration = Duration::from_millis(200);
/// So much estimated work is done before anyone looks at the clock.
const BETWEEN_LOOKS: u64 = 5_000_000;

/// The work on one document.
#[derive(Debug, Default)]
pub(crate) struct Work {
    /// Since the last look at the clock, in nanoseconds.
    estimated: Cell<u64>,
    /// The first look.
    began: Cell<Option<Instant>>,
}

impl Work {
    /// Announces work of so many nanoseconds at most.
    pub(crate) fn add(&self, nanoseconds: u64) -> Result<(), TooExpensive> {
        let estimated = self.estimated.get().saturating_add(nanoseconds);
        if estimated < BETWEEN_LOOKS {
            self.estimated.set(estimated);
            return Ok(());
        }
        self.estimated.set(0);
        match self.began.get() {
            None => self.began.set(Some(Instant::now())),
            Some(began) if began.elapsed() > MOST_TIME => return Err(TooExpensive),
            Some(_) => {}
        }
        Ok(())
    }
}
