//! Short reads where they are asked for: handing one to another thread costs several times what the read itself does.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, TryLockError};

use crate::Error;
use crate::catalog::Catalog;
use crate::driver::Driver;
use crate::transaction::ReadTx;

/// What a short read may cost, in steps of the engine: a fraction of a millisecond.
const SHORT: i64 = 10_000;
/// What a row costs, because somebody reads it, filters it or renders it.
const ROW: i64 = 100;

/// Connections for reads on the thread that asks, each with a budget.
pub(crate) struct InlineReads(Vec<Mutex<Slot>>);

struct Slot {
    driver: Box<dyn Driver + Send>,
    budget: Arc<Budget>,
}

impl InlineReads {
    /// Opens so many connections; each gets the budget that it has to keep to.
    pub(crate) fn open<D: Driver + Send + 'static>(
        count: usize,
        open: impl Fn(Arc<Budget>) -> Result<D, Error>,
    ) -> Result<Self, Error> {
        let slot = |_| {
            let budget = Arc::<Budget>::default();
            Ok(Mutex::new(Slot {
                driver: Box::new(open(Arc::clone(&budget))?),
                budget,
            }))
        };
        (0..count).map(slot).collect::<Result<_, Error>>().map(Self)
    }

    /// Runs a read here and now; `None` if no connection is free, or the read turned out to be long or saw more than one snapshot: then
    /// nothing came of it.
    pub(crate) fn run<T, E: From<Error>>(
        &self,
        extent: Extent,
        catalog: impl FnOnce() -> Arc<Catalog>,
        work: &impl Fn(&mut ReadTx<'_>) -> Result<T, E>,
    ) -> Option<Result<T, E>> {
        let mut slot = self.0.iter().find_map(|slot| match slot.try_lock() {
            Ok(slot) => Some(slot),
            Err(TryLockError::Poisoned(slot)) => Some(slot.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        })?;
        let Slot { driver, budget } = &mut *slot;
        let catalog = catalog();
        // Between two commits statements need nothing to hold them together.
        let shown = match extent {
            Extent::Statement => None,
            Extent::RoundTrip | Extent::Snapshot => catalog.counters.shown(),
        };
        let held = extent != Extent::Statement && shown.is_none();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            budget.within(driver.as_mut(), extent, held, |driver| {
                let tx = ReadTx::new(driver, &catalog);
                work(&mut match &shown {
                    Some(shown) => tx.between_commits(shown),
                    None => tx,
                })
            })
        }));
        if shown.is_some_and(|shown| !catalog.counters.are_still(&shown)) {
            return None;
        }
        outcome.unwrap_or_else(|_| {
            tracing::error!("a read panicked");
            budget.renew(Extent::Snapshot);
            // The transaction that it left open would pin its snapshot for good; of a single statement there is none.
            let _ = driver.script("ROLLBACK");
            Some(Err(Error::Closed.into()))
        })
    }
}

/// How much a read looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// One statement, which is a consistent view by itself. A second one ends the read here.
    Statement,
    /// The same where statements travel; a snapshot where they do not, and for work that needs more of them.
    RoundTrip,
    /// Any number of statements in one snapshot.
    Snapshot,
}

/// What is left for the read of a connection.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    steps: AtomicI64,
    statements: AtomicI64,
}

impl Budget {
    /// Runs `work` within this budget, in a transaction if `held`; `None` if the budget was not enough.
    fn within<T, E: From<Error>>(
        &self,
        driver: &mut dyn Driver,
        extent: Extent,
        held: bool,
        work: impl FnOnce(&mut dyn Driver) -> Result<T, E>,
    ) -> Option<Result<T, E>> {
        self.renew(Extent::Snapshot);
        if held && let Err(error) = driver.execute("BEGIN", &[]) {
            return Some(Err(error.into()));
        }
        self.renew(extent);
        let result = work(driver);
        let is_spent = self.is_spent();
        // The end of the transaction must not be interrupted.
        self.renew(Extent::Snapshot);
        if held && let Err(error) = driver.execute("COMMIT", &[]) {
            return Some(Err(error.into()));
        }
        (!is_spent).then_some(result)
    }

    fn renew(&self, extent: Extent) {
        self.steps.store(SHORT, Ordering::Relaxed);
        let statements = match extent {
            Extent::Statement => 1,
            Extent::RoundTrip | Extent::Snapshot => i64::MAX,
        };
        self.statements.store(statements, Ordering::Relaxed);
    }

    fn is_spent(&self) -> bool {
        self.steps.load(Ordering::Relaxed) < 0 || self.statements.load(Ordering::Relaxed) < 0
    }

    /// Pays for steps of the engine; answers whether the read must stop.
    pub(crate) fn pay_steps(&self, steps: i64) -> bool {
        self.steps.fetch_sub(steps, Ordering::Relaxed) < steps
    }

    /// Pays for a row; answers whether the read must stop.
    pub(crate) fn pay_row(&self) -> bool {
        self.pay_steps(ROW)
    }

    /// Pays for a query; answers whether the read must stop.
    pub(crate) fn pay_statement(&self) -> bool {
        self.statements.fetch_sub(1, Ordering::Relaxed) < 1
    }
}

#[cfg(test)]
mod tests;
