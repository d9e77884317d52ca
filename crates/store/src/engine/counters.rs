//! The number of objects of each type as of the newest commit, in memory, so that lists need not
//! query the table.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arc_swap::ArcSwap;
use stockroom_model::TypeId;

use crate::Error;
use crate::engine::driver::Driver;

const SELECT: &str = "SELECT type_id, total, active, irregular FROM object_count";

/// Numbers of objects of a type, or changes of these numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) total: i64,
    pub(crate) active: i64,
    pub(crate) irregular: i64,
}

impl Counts {
    pub(crate) const fn add(&mut self, change: Self) {
        self.total += change.total;
        self.active += change.active;
        self.irregular += change.irregular;
    }

    pub(crate) const fn negated(self) -> Self {
        Self {
            total: -self.total,
            active: -self.active,
            irregular: -self.irregular,
        }
    }
}

/// Counts by type.
pub(crate) type ByType = BTreeMap<TypeId, Counts>;

/// The counters in the table.
pub(crate) fn stored(driver: &mut dyn Driver) -> Result<ByType, Error> {
    let mut counts = ByType::new();
    driver.query(SELECT, &[], &mut |row| {
        let count = Counts {
            total: row.int(1)?,
            active: row.int(2)?,
            irregular: row.int(3)?,
        };
        counts.entry(row.id(0)?).or_default().add(count);
        Ok(())
    })?;
    Ok(counts)
}

/// The counters, and a sequence number of commits that tells a read whether the counters belong to
/// its snapshot.
#[derive(Debug)]
pub(crate) struct Counters {
    /// Twice the number of commits, plus one while a commit is in progress.
    commits: AtomicU64,
    newest: ArcSwap<ByType>,
}

/// The counters between two commits.
pub(crate) struct CountersSnapshot {
    commits: u64,
    pub(crate) counts: Arc<ByType>,
}

impl Counters {
    /// Loads the counters. From then on, every commit must run in [`Self::during`].
    pub(crate) fn load(driver: &mut dyn Driver) -> Result<Self, Error> {
        let counts = stored(driver)?;
        Ok(Self {
            commits: AtomicU64::new(0),
            newest: ArcSwap::from_pointee(counts),
        })
    }

    /// The counters, unless a commit is in progress.
    pub(crate) fn snapshot(&self) -> Option<CountersSnapshot> {
        let commits = self.commits.load(Ordering::SeqCst);
        let counts = self.newest.load_full();
        commits
            .is_multiple_of(2)
            .then_some(CountersSnapshot { commits, counts })
    }

    /// Whether no commit has begun since `snapshot` was taken. Then all reads since are from one
    /// snapshot, the one of the counters.
    pub(crate) fn is_current(&self, snapshot: &CountersSnapshot) -> bool {
        self.commits.load(Ordering::SeqCst) == snapshot.commits
    }

    /// Runs a commit, then adds its `changes` to the counters.
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
        let mut counts = ByType::clone(&self.newest.load());
        for (type_id, change) in changes {
            counts.entry(*type_id).or_default().add(*change);
        }
        self.newest.store(Arc::new(counts));
    }
}

#[cfg(test)]
mod tests;
