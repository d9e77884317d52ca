//! What the writes of one commit share, and whether others may run beside it.

use std::time::Duration;

use super::summary::Summary;
use crate::Error;
use crate::catalog::Catalog;
use crate::counters::ByType;
use crate::driver::Driver;
use crate::id_allocator::IdLease;
use crate::pending::{self, Moves, Pending};
use crate::resource::Resource;
use crate::sequence::Sequences;
use crate::versions::Versions;
use crate::writers::Writers;

/// What the writes of one commit share.
pub(crate) struct Commit {
    exclusivity: Exclusivity,
    /// When the last of them began, in microseconds.
    pub(super) now_micros: i64,
    /// The resources that they changed.
    pub(crate) touched: Vec<Resource>,
    /// What they will do to index and counters.
    pub(crate) pending: Pending,
    /// The ids that they took.
    pub(crate) sequences: Sequences,
    /// What they came to.
    pub(super) summary: Summary,
    /// The ids of objects that they took, where those come from blocks.
    pub(super) object_ids: Option<IdLease>,
}

/// Which other commits there may be at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exclusivity {
    /// None.
    Alone,
    /// Others that write what nothing else depends on.
    Beside,
    /// There may be others, and must be none: the write has to be run again, alone.
    Refused,
}

impl Commit {
    /// A commit that begins. One of several writers has to be `alone` for what others depend on;
    /// `is_retry`: others were in the way of the first try.
    pub(crate) fn begin(writers: &Writers, alone: bool, is_retry: bool) -> Self {
        Self {
            exclusivity: if alone || writers.exclude_each_other() {
                Exclusivity::Alone
            } else {
                Exclusivity::Beside
            },
            now_micros: 0,
            touched: Vec::new(),
            pending: Pending::default(),
            sequences: Sequences::default(),
            summary: Summary::default(),
            object_ids: writers.lease_ids(is_retry),
        }
    }

    pub(crate) fn is_alone(&self) -> bool {
        self.exclusivity == Exclusivity::Alone
    }

    /// Notes that the commit changes a resource; false if it has to be run again for that, alone.
    pub(super) fn touch(&mut self, resource: Resource) -> bool {
        if !self.touched.contains(&resource) {
            self.touched.push(resource);
        }
        if resource.is_depended_on() && !self.is_alone() {
            self.exclusivity = Exclusivity::Refused;
        }
        self.exclusivity != Exclusivity::Refused
    }

    /// Whether the write has to be run again, with no other beside it.
    pub(crate) fn must_be_alone(&self) -> bool {
        self.exclusivity == Exclusivity::Refused
    }

    /// The ids that the commit took will not be used.
    pub(crate) fn give_back_ids(&self) {
        if let Some(taken) = &self.object_ids {
            taken.give_back();
        }
    }

    /// Whether the commit changes the catalog.
    pub(crate) fn changes_catalog(&self) -> bool {
        self.touched.iter().any(|resource| resource.is_in_catalog())
    }

    /// The catalog with what the commit changed in it, if it did.
    pub(crate) fn changed_catalog(
        &self,
        driver: &mut dyn Driver,
        known: &Catalog,
    ) -> Result<Option<Catalog>, Error> {
        if !self.changes_catalog() {
            return Ok(None);
        }
        known.reloaded(driver, &self.touched).map(Some)
    }

    /// What the commit inserted and deleted, if lists may rely on it: not if a type changed.
    pub(crate) fn moves(&self) -> Option<Moves<'_>> {
        let keeps_types = !self.touched.contains(&Resource::Type);
        self.pending.moves().filter(|_| keeps_types)
    }

    /// Logs what the writes were if they took long.
    pub(crate) fn log_if_slow(&self, took: Duration) {
        self.summary.log_if_slow(took, self.pending.written());
    }

    /// Where the commit stands before a write.
    pub(crate) fn savepoint(&mut self) -> CommitSavepoint {
        CommitSavepoint {
            pending: self.pending.savepoint(),
            sequences: self.sequences.clone(),
            touched: self.touched.len(),
        }
    }

    /// Forgets what came after `savepoint`: that write was undone.
    pub(crate) fn undo(&mut self, savepoint: CommitSavepoint) {
        self.pending.undo(savepoint.pending);
        self.sequences = savepoint.sequences;
        self.touched.truncate(savepoint.touched);
    }

    /// Writes what was only gathered so far; gives what was added to the counters.
    pub(crate) fn flush(
        &mut self,
        driver: &mut dyn Driver,
        writers: &Writers,
    ) -> Result<ByType, Error> {
        if let Some(taken) = &mut self.object_ids {
            taken.settle()?;
        }
        self.sequences.flush(driver)?;
        let slot = writers.counter_slot(driver);
        let counted = self.pending.flush(driver, slot)?;
        Versions::raise(driver, &self.touched, self.now_micros)?;
        Ok(counted)
    }
}

/// Where a commit stood before a write.
pub(crate) struct CommitSavepoint {
    pending: pending::Savepoint,
    sequences: Sequences,
    touched: usize,
}
