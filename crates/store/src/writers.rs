//! Who writes to the database, and what follows from it.

use std::sync::Arc;

use crate::Error;
use crate::counters::{ByType, Counters};
use crate::driver::Driver;
use crate::id_allocator::{IdAllocator, IdLease};
use crate::object::list::cache::PageCache;

/// Who writes to the database.
pub(crate) enum Writers {
    /// This process alone, one commit after the other: commits are numbered, the counters of the
    /// newest are in memory, and ids are taken from the sequence in the commit itself.
    Sole {
        counters: Counters,
        pages: PageCache,
    },
    /// Other nodes, too: ids come from leased blocks, and every connection adds to its own slot of
    /// a counter. Commits that others depend on have to exclude each other.
    Shared {
        ids: Arc<IdAllocator>,
        pages: PageCache,
    },
}

impl Writers {
    pub(crate) fn sole(counters: Counters) -> Self {
        Self::Sole {
            counters,
            pages: PageCache::default(),
        }
    }

    pub(crate) fn shared(ids: Arc<IdAllocator>) -> Self {
        Self::Shared {
            ids,
            pages: PageCache::default(),
        }
    }

    /// What is known of lists.
    pub(crate) const fn pages(&self) -> &PageCache {
        match self {
            Self::Sole { pages, .. } | Self::Shared { pages, .. } => pages,
        }
    }

    /// The counters in memory, if nobody else changes them.
    pub(crate) const fn counters(&self) -> Option<&Counters> {
        match self {
            Self::Sole { counters, .. } => Some(counters),
            Self::Shared { .. } => None,
        }
    }

    /// Runs a commit that adds `counted` to the counters.
    pub(crate) fn commit(
        &self,
        counted: &ByType,
        commit: impl FnOnce() -> Result<(), Error>,
    ) -> Result<(), Error> {
        match self {
            Self::Sole { counters, .. } => counters.during(counted, commit),
            Self::Shared { .. } => commit(),
        }
    }

    /// Whether commits have numbers in their order.
    pub(crate) const fn number_commits(&self) -> bool {
        matches!(self, Self::Sole { .. })
    }

    /// Whether a commit has no other beside it, without a lock.
    pub(crate) const fn exclude_each_other(&self) -> bool {
        matches!(self, Self::Sole { .. })
    }

    /// Which slot of each counter a connection adds to.
    pub(crate) fn counter_slot(&self, driver: &dyn Driver) -> i64 {
        match self {
            Self::Sole { .. } => 0,
            Self::Shared { .. } => driver.connection_id(),
        }
    }

    /// The ids that a commit will take, if they come from blocks. In a second try, what a client
    /// named on another node may be among them.
    pub(crate) fn lease_ids(&self, is_retry: bool) -> Option<IdLease> {
        match self {
            Self::Sole { .. } => None,
            Self::Shared { ids, .. } => Some(ids.lease(is_retry)),
        }
    }
}
