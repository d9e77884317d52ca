//! How many objects there are of each type, as the newest commit left it: kept in memory, so that a list need not ask the table.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arc_swap::ArcSwapOption;

use crate::Error;
use crate::pending::Counts;
use crate::transaction::ReadTx;

const SELECT: &str = "SELECT type_id, total, active, irregular FROM object_count";

/// Counts by type.
pub(crate) type ByType = BTreeMap<i64, Counts>;

/// The counters, and the number of commits, by which a read can tell whether they belong to what it saw. Without counters nothing is
/// known of commits either: so it stays where other processes write as well.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    /// Twice the number of commits, and one more while one is under way.
    commits: AtomicU64,
    newest: ArcSwapOption<ByType>,
}

/// The counters between two commits.
pub(crate) struct Shown {
    commits: u64,
    pub(crate) counts: Arc<ByType>,
}

impl Counters {
    /// Takes the counters from the table. From now on every commit has to be told.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub(crate) fn load(&self, tx: &mut ReadTx<'_>) -> Result<(), Error> {
        let mut counts = ByType::new();
        tx.each(SELECT, &[], |row| {
            let count = Counts {
                total: row.int(1)?,
                active: row.int(2)?,
                irregular: row.int(3)?,
            };
            counts.entry(row.int(0)?).or_default().add(count);
            Ok(())
        })?;
        self.newest.store(Some(Arc::new(counts)));
        Ok(())
    }

    /// The counters, unless a commit is under way.
    pub(crate) fn shown(&self) -> Option<Shown> {
        let commits = self.commits.load(Ordering::SeqCst);
        let counts = self.newest.load_full()?;
        commits
            .is_multiple_of(2)
            .then_some(Shown { commits, counts })
    }

    /// Whether no commit has begun since: then everything that was read meanwhile was read from one snapshot, that of the counters.
    pub(crate) fn are_still(&self, shown: &Shown) -> bool {
        self.commits.load(Ordering::SeqCst) == shown.commits
    }

    /// Runs a commit; `changes` are what it adds to the counters.
    ///
    /// # Errors
    ///
    /// Those of `commit`.
    pub(crate) fn during<T>(
        &self,
        changes: &ByType,
        commit: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.commits.fetch_add(1, Ordering::SeqCst);
        let result = commit();
        if result.is_ok() && !changes.is_empty() {
            self.add(changes);
        }
        self.commits.fetch_add(1, Ordering::SeqCst);
        result
    }

    fn add(&self, changes: &ByType) {
        let Some(newest) = self.newest.load_full() else {
            return;
        };
        let mut counts = ByType::clone(&newest);
        for (type_id, change) in changes {
            counts.entry(*type_id).or_default().add(*change);
        }
        self.newest.store(Some(Arc::new(counts)));
    }
}

#[cfg(test)]
mod tests;
