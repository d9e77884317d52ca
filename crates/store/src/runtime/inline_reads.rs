//! Short reads on the calling thread: handing a read to another thread costs several times the read
//! itself.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, TryLockError};

use crate::Error;
use crate::engine::counters::{Counters, CountersSnapshot};
use crate::engine::driver::Driver;
use crate::engine::driver::budget::Budget;
use crate::records::catalog::Catalog;
use crate::runtime::work::ReadWork;
use crate::transaction::writers::Writers;
use crate::transaction::{ReadTx, View};

const MAX_CONNECTIONS: usize = 8;

/// How many connections inline reads have. Twice as many threads are for longer reads: one user
/// gets half of them, and so all cores.
pub(crate) fn connections() -> usize {
    let cores = std::thread::available_parallelism();
    cores.map_or(2, usize::from).clamp(2, MAX_CONNECTIONS)
}

/// Connections for inline reads, each with a budget.
pub(crate) struct InlineReads(Vec<Mutex<Slot>>);

struct Slot {
    driver: Box<dyn Driver + Send>,
    budget: Arc<Budget>,
}

impl InlineReads {
    /// Opens `count` connections, each with a budget of its own.
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

    /// Runs a read on this thread. `None` if no connection is free, the budget was not enough, or a
    /// commit began meanwhile; then the read has no result.
    pub(crate) fn run<T, E: From<Error>>(
        &self,
        extent: Extent,
        writers: &Writers,
        catalog: impl FnOnce() -> Arc<Catalog>,
        work: &impl ReadWork<T, E>,
    ) -> Option<Result<T, E>> {
        let mut slot = self.0.iter().find_map(|slot| match slot.try_lock() {
            Ok(slot) => Some(slot),
            Err(TryLockError::Poisoned(slot)) => Some(slot.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        })?;
        let Slot { driver, budget } = &mut *slot;
        let catalog = catalog();
        // Between two commits, all statements see the same data without a transaction.
        let snapshot = match extent {
            Extent::Statement => None,
            Extent::Snapshot => writers.counters().and_then(Counters::snapshot),
        };
        let view = view(extent, writers, snapshot.as_ref());
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let held = matches!(view, View::Snapshot(..));
            within(budget, driver.as_mut(), held, |driver| {
                work(&mut ReadTx::with(driver, &catalog, view))
            })
        }));
        if is_outdated(writers, snapshot.as_ref()) {
            return None;
        }
        outcome.unwrap_or_else(|_| {
            tracing::error!("a read panicked");
            budget.renew();
            // An open transaction would pin its snapshot. A single statement has no transaction.
            let _ = driver.script("ROLLBACK");
            Some(Err(Error::Closed.into()))
        })
    }
}

/// How much a read needs to see consistently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// One statement, which is a consistent view by itself.
    Statement,
    /// Any number of statements in one snapshot.
    Snapshot,
}

fn view<'t>(
    extent: Extent,
    writers: &'t Writers,
    snapshot: Option<&'t CountersSnapshot>,
) -> View<'t> {
    match (extent, snapshot) {
        (Extent::Statement, _) => View::Plain,
        (Extent::Snapshot, Some(snapshot)) => View::BetweenCommits(writers, snapshot),
        (Extent::Snapshot, None) => View::Snapshot(writers, None),
    }
}

/// Whether a commit has begun since `snapshot` was taken.
fn is_outdated(writers: &Writers, snapshot: Option<&CountersSnapshot>) -> bool {
    writers
        .counters()
        .zip(snapshot)
        .is_some_and(|(counters, snapshot)| !counters.is_current(snapshot))
}

/// Runs `work` within a budget, in a transaction if `held`; `None` if the budget was not enough.
fn within<T, E: From<Error>>(
    budget: &Budget,
    driver: &mut dyn Driver,
    held: bool,
    work: impl FnOnce(&mut dyn Driver) -> Result<T, E>,
) -> Option<Result<T, E>> {
    budget.renew();
    if held && let Err(error) = driver.execute("BEGIN", &[]) {
        return Some(Err(error.into()));
    }
    let result = work(driver);
    let is_spent = budget.is_spent();
    // The end of the transaction must not be interrupted.
    budget.renew();
    if held && let Err(error) = driver.execute("COMMIT", &[]) {
        return Some(Err(error.into()));
    }
    (!is_spent).then_some(result)
}

#[cfg(test)]
mod tests;
