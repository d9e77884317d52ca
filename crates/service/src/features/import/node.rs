//! What a node knows of imports, in memory.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use stockroom_fair::FairSlots;
use stockroom_model::ImportId;

use super::write::ahead::ReadAhead;

/// How many imports may run at once: each needs memory for the keys of its rows. Half of them of one
/// user.
pub(super) const MAX_RUNNING: usize = 4;

/// How many uploads a node reads at once, half of them of one user: each has a thread.
const UPLOADS: usize = 8;

/// How many workbooks a node reads at once: the texts of one may take some 128 MiB of memory.
const WORKBOOKS: usize = 1;

/// Clients of a node that wait for progress at once, half of them of one user.
const WATCHERS: usize = 256;

/// What a node knows of imports.
pub(super) struct ImportNode {
    pub(super) uploads: FairSlots,
    /// The uploads wait here for their turn.
    pub(super) workbooks: FairSlots,
    pub(super) watchers: FairSlots,
    known: Mutex<VecDeque<ImportCache>>,
}

impl Default for ImportNode {
    fn default() -> Self {
        Self {
            uploads: FairSlots::new(UPLOADS, 0),
            workbooks: FairSlots::new(WORKBOOKS, 2 * UPLOADS),
            watchers: FairSlots::new(WATCHERS, 0),
            known: Mutex::default(),
        }
    }
}

/// Where an import is: the next row of its step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) import: ImportId,
    /// The request that began the step.
    pub(super) request_id: String,
    pub(super) is_check: bool,
    pub(super) chunk: i64,
    pub(super) row: usize,
}

/// What a node knows at a position of an import.
pub(super) struct ImportCache {
    pub(super) position: Position,
    pub(super) ahead: ReadAhead,
}

impl ImportNode {
    /// What is known at a position. It is taken, so that it can be extended without a copy.
    pub(super) fn take_known(&self, position: &Position) -> Option<ImportCache> {
        let mut known = self.lock();
        let index = known.iter().position(|known| known.position == *position)?;
        known.remove(index)
    }

    pub(super) fn keep_known(&self, new: ImportCache) {
        let mut known = self.lock();
        known.push_back(new);
        if known.len() > MAX_RUNNING {
            known.pop_front();
        }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<ImportCache>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
