//! The budget of an inline read.

use std::sync::atomic::{AtomicI64, Ordering};

/// Engine steps of an inline read: a fraction of a millisecond.
const INLINE_STEPS: i64 = 10_000;
/// The cost of a row in steps, because each row is also read, filtered or rendered.
const STEPS_PER_ROW: i64 = 100;
/// What a step costs in bytes of texts, which are copied, parsed and written again.
const BYTES_PER_STEP: usize = 20;
/// A longer text costs more than the whole budget.
pub(crate) const INLINE_BYTES: i32 = 200_000;

/// The steps that are left to a read on a connection; without any, the connection stops the read.
#[derive(Debug, Default)]
pub(crate) struct Budget(AtomicI64);

impl Budget {
    /// Resets the budget.
    pub(crate) fn renew(&self) {
        self.0.store(INLINE_STEPS, Ordering::Relaxed);
    }

    /// Whether the read was stopped.
    pub(crate) fn is_spent(&self) -> bool {
        self.0.load(Ordering::Relaxed) < 0
    }

    /// Pays for engine steps; returns whether the read must stop.
    pub(crate) fn pay_steps(&self, steps: i64) -> bool {
        self.0.fetch_sub(steps, Ordering::Relaxed) < steps
    }

    /// Leaves nothing.
    pub(crate) fn spend(&self) {
        self.0.store(-1, Ordering::Relaxed);
    }

    /// Pays for a row; returns whether the read must stop.
    pub(crate) fn pay_row(&self) -> bool {
        self.pay_steps(STEPS_PER_ROW)
    }

    /// Pays for a value of so many bytes, or for work on them.
    pub(crate) fn pay_bytes(&self, bytes: usize) {
        let steps = bytes / BYTES_PER_STEP;
        if steps > 0 {
            self.pay_steps(i64::try_from(steps).unwrap_or(i64::MAX));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_the_most_bytes_uses_up_all() {
        let budget = Budget::default();
        budget.renew();
        budget.pay_bytes(usize::try_from(INLINE_BYTES).unwrap());
        assert!(!budget.is_spent());
        budget.pay_bytes(20);
        assert!(budget.is_spent());
    }

    #[test]
    fn a_few_large_texts_use_up_what_many_short_ones_leave() {
        let budget = Budget::default();
        budget.renew();
        (0..1_000).for_each(|_| budget.pay_bytes(19));
        assert!(!budget.is_spent());
        (0..3).for_each(|_| budget.pay_bytes(90_000));
        assert!(budget.is_spent());
    }
}
