//! Who writes to the database, and the consequences.

use std::sync::Arc;

use crate::Error;
use crate::engine::counters::{ByType, Counters};
use crate::engine::driver::Driver;
use crate::engine::driver::postgres::Address;
use crate::engine::id_allocator::{IdAllocator, IdLease};
use crate::engine::side_connection::SideConnection;
use crate::records::object::list::cache::PageCache;

/// Who writes to the database.
pub(crate) enum Writers {
    /// Only this process, one commit after another: commits are numbered, the newest counters are
    /// in memory, and each commit takes ids from the sequence.
    Sole {
        counters: Counters,
        pages: PageCache,
    },
    /// Other nodes as well: ids come from leased blocks, and every connection adds to its own
    /// counter slots. Commits that others depend on must exclude each other.
    Shared {
        ids: Arc<IdAllocator>,
        pages: PageCache,
        /// Shows a transaction what others have committed since its snapshot.
        newest: Box<SideConnection>,
    },
}

impl Writers {
    pub(crate) fn sole(counters: Counters) -> Self {
        Self::Sole {
            counters,
            pages: PageCache::default(),
        }
    }

    pub(crate) fn shared(ids: Arc<IdAllocator>, address: Address) -> Self {
        Self::Shared {
            ids,
            pages: PageCache::default(),
            newest: Box::new(SideConnection::new(address)),
        }
    }

    /// The cache of totals and page positions.
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

    /// Runs a commit, which adds `counted` to the counters.
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

    /// Whether commits have ascending numbers.
    pub(crate) const fn number_commits(&self) -> bool {
        matches!(self, Self::Sole { .. })
    }

    /// Whether commits exclude each other without a lock.
    pub(crate) const fn exclude_each_other(&self) -> bool {
        matches!(self, Self::Sole { .. })
    }

    /// The slot of each counter to which a connection adds.
    pub(crate) fn counter_slot(&self, driver: &dyn Driver) -> i64 {
        match self {
            Self::Sole { .. } => 0,
            Self::Shared { .. } => driver.connection_id(),
        }
    }

    /// The lease for the ids of a commit, if ids come from blocks. In a retry, clients of other
    /// nodes may have claimed some of these ids.
    pub(crate) fn lease_ids(&self, is_retry: bool) -> Option<IdLease> {
        match self {
            Self::Sole { .. } => None,
            Self::Shared { ids, .. } => Some(ids.lease(is_retry)),
        }
    }
}
