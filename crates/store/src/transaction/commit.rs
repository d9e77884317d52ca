//! What the writes of one commit share, and in whose company it may be.

use std::time::Duration;

use super::summary::Summary;
use super::{ReadTx, Resource};
use crate::Error;
use crate::catalog::{Catalog, Versions};
use crate::counters::ByType;
use crate::driver::Driver;
use crate::pending::{self, Pending};
use crate::runtime::networked::blocks::Taken;
use crate::sequence::Sequences;

/// What the writes of one commit share.
pub(crate) struct Commit {
    company: Company,
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
    pub(super) object_ids: Option<Taken>,
}

/// Which commits there may be at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Company {
    /// None.
    Alone,
    /// Others that write what nothing else depends on.
    Beside,
    /// There are others, and must be none.
    Unwanted,
}

impl Commit {
    /// A commit that no other can come between.
    pub(crate) fn alone() -> Self {
        Self {
            company: Company::Alone,
            now_micros: 0,
            touched: Vec::new(),
            pending: Pending::default(),
            sequences: Sequences::default(),
            summary: Summary::default(),
            object_ids: None,
        }
    }

    /// A commit beside others, unless it has to be alone; ids of objects come from blocks.
    pub(crate) fn networked(is_alone: bool, object_ids: Taken) -> Self {
        Self {
            company: if is_alone {
                Company::Alone
            } else {
                Company::Beside
            },
            object_ids: Some(object_ids),
            ..Self::alone()
        }
    }

    pub(crate) fn is_alone(&self) -> bool {
        self.company == Company::Alone
    }

    /// Notes that the commit changes a resource; false if it has to be run again for that, alone.
    pub(super) fn touch(&mut self, resource: Resource) -> bool {
        if !self.touched.contains(&resource) {
            self.touched.push(resource);
        }
        if resource.is_depended_on() && !self.is_alone() {
            self.company = Company::Unwanted;
        }
        self.company != Company::Unwanted
    }

    /// Whether the write has to be run again, with no other beside it.
    pub(crate) fn must_be_alone(&self) -> bool {
        self.company == Company::Unwanted
    }

    /// The ids that the commit took will not be used.
    pub(crate) fn give_back_ids(&self) {
        if let Some(taken) = &self.object_ids {
            taken.give_back();
        }
    }

    /// Whether the commit changes the catalog.
    pub(crate) fn changes_catalog(&self) -> bool {
        self.touched
            .iter()
            .any(|resource| Catalog::holds(*resource))
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
        let mut catalog = known.clone();
        catalog.reload(&mut ReadTx::new(driver, known), &self.touched)?;
        Ok(Some(catalog))
    }

    /// Logs what the writes were if they took long.
    pub(crate) fn log_if_slow(&self, took: Duration) {
        self.summary.log_if_slow(took, self.pending.written());
    }

    /// Where the commit stands before a write.
    pub(crate) fn mark(&mut self) -> CommitMark {
        CommitMark {
            pending: self.pending.mark(),
            sequences: self.sequences.clone(),
            touched: self.touched.len(),
        }
    }

    /// Forgets what came after `mark`: that write was undone.
    pub(crate) fn undo(&mut self, mark: CommitMark) {
        self.pending.undo(mark.pending);
        self.sequences = mark.sequences;
        self.touched.truncate(mark.touched);
    }

    /// Writes what was only gathered so far; gives what was added to the counters.
    pub(crate) fn flush(&mut self, driver: &mut dyn Driver) -> Result<ByType, Error> {
        if let Some(taken) = &mut self.object_ids {
            taken.settle()?;
        }
        self.sequences.flush(driver)?;
        let counted = self.pending.flush(driver)?;
        Versions::raise(driver, &self.touched, self.now_micros)?;
        Ok(counted)
    }
}

/// Where a commit stood before a write.
pub(crate) struct CommitMark {
    pending: pending::Mark,
    sequences: Sequences,
    touched: usize,
}
