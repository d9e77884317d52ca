//! What a read may cost on the thread that asks for it.

use std::sync::atomic::{AtomicI64, Ordering};

/// Steps of the engine: a fraction of a millisecond.
const SHORT: i64 = 10_000;
/// What a row costs, because somebody reads, filters or renders it.
const ROW: i64 = 100;

/// The steps that a read has left on a connection, which stops it when there are none.
#[derive(Debug, Default)]
pub(crate) struct Budget(AtomicI64);

impl Budget {
    /// Begins anew.
    pub(crate) fn renew(&self) {
        self.0.store(SHORT, Ordering::Relaxed);
    }

    /// Whether a read was stopped.
    pub(crate) fn is_spent(&self) -> bool {
        self.0.load(Ordering::Relaxed) < 0
    }

    /// Pays for steps of the engine; answers whether the read must stop.
    pub(crate) fn pay_steps(&self, steps: i64) -> bool {
        self.0.fetch_sub(steps, Ordering::Relaxed) < steps
    }

    /// Pays for a row; answers whether the read must stop.
    pub(crate) fn pay_row(&self) -> bool {
        self.pay_steps(ROW)
    }
}
