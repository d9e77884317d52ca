//! The state that the writes of a commit share, and whether other commits may run beside it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use stockroom_model::TypeId;

use super::summary::Summary;
use crate::Error;
use crate::engine::counters::ByType;
use crate::engine::driver::Driver;
use crate::engine::driver::versions::Versions;
use crate::engine::id_allocator::IdLease;
use crate::engine::sequence::Sequences;
use crate::records::catalog::{Catalog, TypeEntry};
use crate::records::own_change_usage::OwnChanges;
use crate::records::pending::{self, Moves, Pending};
use crate::resource::Resource;
use crate::transaction::changes::Changes;
use crate::transaction::writers::Writers;

/// The state that the writes of one commit share.
pub(crate) struct Commit {
    exclusivity: Exclusivity,
    /// The time of its last write, in microseconds.
    pub(super) now_micros: i64,
    /// The resources that it changes.
    pub(crate) touched: Vec<Resource>,
    /// Its pending changes to index and counters.
    pub(crate) pending: Pending,
    /// The next ids of resources.
    pub(crate) sequences: Sequences,
    /// How many changes to the catalog it has made.
    pub(super) catalog_changes: usize,
    /// The fields that it adds to types and removes, each counted once for every object.
    pub(super) field_work: FieldWork,
    /// Its changes of records that need no right.
    pub(crate) own_changes: OwnChanges,
    /// Whether it removes secrets from the files of the database.
    pub(crate) erases: bool,
    /// Its changes, if they are recorded.
    pub(super) changes: Option<Changes>,
    /// Kinds and sizes of its writes, for the log.
    pub(super) summary: Summary,
    /// Types as it left them, read again since.
    pub(crate) types: HashMap<TypeId, Arc<TypeEntry>>,
    /// The objects that it writes, if other commits may run at the same time.
    pub(super) written_objects: HashSet<i64>,
    /// The object ids that it takes, if ids come from blocks.
    pub(super) object_ids: Option<IdLease>,
}

/// Fields times the objects of their types.
#[derive(Debug, Clone, Copy, Default)]
pub struct FieldWork {
    /// Of new fields.
    pub added: i64,
    /// Of removed fields.
    pub removed: i64,
}

impl FieldWork {
    /// With so many fields of a type that has so many objects.
    #[must_use]
    pub fn and(self, added: usize, removed: usize, objects: i64) -> Self {
        let times = |fields: usize| {
            let fields = i64::try_from(fields).unwrap_or(i64::MAX);
            fields.saturating_mul(objects)
        };
        Self {
            added: self.added.saturating_add(times(added)),
            removed: self.removed.saturating_add(times(removed)),
        }
    }
}

/// Which other commits may run at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exclusivity {
    /// None.
    Exclusive,
    /// Commits that change nothing that others depend on.
    Shared,
    /// There may be others, but must be none: the write must be run again, alone.
    MustRetry,
}

impl Commit {
    /// Starts a commit. With several writers, it must be `alone` to change what others depend on.
    /// `is_retry` means that an earlier attempt failed.
    pub(crate) fn begin(writers: &Writers, alone: bool, is_retry: bool) -> Self {
        Self {
            exclusivity: if alone || writers.exclude_each_other() {
                Exclusivity::Exclusive
            } else {
                Exclusivity::Shared
            },
            now_micros: 0,
            touched: Vec::new(),
            pending: Pending::default(),
            sequences: Sequences::default(),
            catalog_changes: 0,
            field_work: FieldWork::default(),
            own_changes: OwnChanges::default(),
            erases: false,
            changes: None,
            summary: Summary::default(),
            types: HashMap::new(),
            written_objects: HashSet::new(),
            object_ids: writers.lease_ids(is_retry),
        }
    }

    pub(crate) fn is_exclusive(&self) -> bool {
        self.exclusivity == Exclusivity::Exclusive
    }

    /// Notes that the commit changes a resource; false if the write must be run again for that,
    /// alone.
    pub(super) fn touch(&mut self, resource: Resource) -> bool {
        if !self.touched.contains(&resource) {
            self.touched.push(resource);
        }
        self.catalog_changes += usize::from(resource.is_in_catalog());
        !resource.is_depended_on() || self.require_exclusive()
    }

    /// Makes sure that no other commit runs at the same time; false if the write must be run again
    /// for that.
    pub(super) fn require_exclusive(&mut self) -> bool {
        if !self.is_exclusive() {
            self.exclusivity = Exclusivity::MustRetry;
        }
        self.is_exclusive()
    }

    /// Whether the write must be run again, alone.
    pub(crate) fn must_be_exclusive(&self) -> bool {
        self.exclusivity == Exclusivity::MustRetry
    }

    /// Returns the object ids of a failed commit.
    pub(crate) fn give_back_ids(&self) {
        if let Some(taken) = &self.object_ids {
            taken.give_back();
        }
    }

    /// Whether the commit changes the catalog.
    pub(crate) fn changes_catalog(&self) -> bool {
        self.touched.iter().any(|resource| resource.is_in_catalog())
    }

    /// The catalog with the changes of this commit, if it has any.
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

    /// The inserts and deletes, if they determine how lists change: not if a type changed, nor if
    /// irregular objects came or went. `counted` are the changes of the counters.
    pub(crate) fn moves(&self, counted: &ByType) -> Option<Moves<'_>> {
        let keeps_types = !self.touched.contains(&Resource::Type);
        let keeps_irregular = counted.values().all(|counts| counts.irregular == 0);
        let moves = self.pending.moves();
        moves.filter(|_| keeps_types && keeps_irregular)
    }

    /// Logs a summary of the writes if they took long.
    pub(crate) fn log_if_slow(&self, took: Duration) {
        self.summary.log_if_slow(took, self.pending.written());
    }

    /// The state of the commit before a write.
    pub(crate) fn savepoint(&mut self) -> CommitSavepoint {
        CommitSavepoint {
            pending: self.pending.savepoint(),
            sequences: self.sequences.clone(),
            touched: self.touched.len(),
            erases: self.erases,
        }
    }

    /// Forgets everything after `savepoint`: that write was undone.
    pub(crate) fn undo(&mut self, savepoint: CommitSavepoint) {
        self.pending.undo(savepoint.pending);
        self.sequences = savepoint.sequences;
        self.touched.truncate(savepoint.touched);
        self.erases = savepoint.erases;
        self.types.clear();
    }

    /// Writes all pending changes; returns the changes of the counters.
    pub(crate) fn flush(
        &mut self,
        driver: &mut dyn Driver,
        writers: &Writers,
    ) -> Result<ByType, Error> {
        if let Some(taken) = &mut self.object_ids {
            taken.apply_claims()?;
        }
        self.sequences.flush(driver)?;
        let slot = writers.counter_slot(driver);
        let counted = self.pending.flush(driver, slot)?;
        Versions::raise(driver, &self.touched, self.now_micros)?;
        Ok(counted)
    }
}

/// The state of a commit before a write.
pub(crate) struct CommitSavepoint {
    pending: pending::Savepoint,
    sequences: Sequences,
    touched: usize,
    erases: bool,
}
