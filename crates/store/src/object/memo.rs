//! What was learned about lists of the newest commit: totals that had to be counted, and where pages ended, so that the next page does
//! not skip its way from the start.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::query::ObjectQuery;
use super::window::Position;

/// Lists of which something is known.
const LISTS: usize = 64;
/// Ends of pages that are known of one list.
const ENDS: usize = 256;

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct ListMemo(Mutex<VecDeque<Entry>>);

/// Which list, as of which commit.
#[derive(Clone, Copy)]
pub(super) struct Asked<'q> {
    /// The number of the commit that the snapshot shows.
    pub(super) commit: i64,
    /// The types that the caller may not see.
    pub(super) hidden: &'q [i64],
    pub(super) query: &'q ObjectQuery,
}

#[derive(Debug)]
struct Entry {
    commit: i64,
    hidden: Vec<i64>,
    query: ObjectQuery,
    total: Option<usize>,
    ends: BTreeMap<usize, Position>,
}

impl ListMemo {
    /// How many objects the list has.
    pub(super) fn total(&self, asked: Asked<'_>) -> Option<usize> {
        let entries = self.lock();
        entries.iter().find(|entry| entry.is(asked))?.total
    }

    pub(super) fn set_total(&self, asked: Asked<'_>, total: usize) {
        self.change(asked, |entry| entry.total = Some(total));
    }

    /// The last place known that comes before `offset`, and how many objects lie between.
    pub(super) fn before(&self, asked: Asked<'_>, offset: usize) -> Option<(Position, usize)> {
        let entries = self.lock();
        let entry = entries.iter().find(|entry| entry.is(asked))?;
        let (end, position) = entry.ends.range(..=offset).next_back()?;
        Some((position.clone(), offset - end))
    }

    /// So many objects stand up to this place.
    pub(super) fn set_end(&self, asked: Asked<'_>, count: usize, position: Position) {
        self.change(asked, |entry| {
            if entry.ends.len() >= ENDS {
                entry.ends.pop_first();
            }
            entry.ends.insert(count, position);
        });
    }

    fn change(&self, asked: Asked<'_>, change: impl FnOnce(&mut Entry)) {
        let mut entries = self.lock();
        if let Some(entry) = entries.iter_mut().find(|entry| entry.is(asked)) {
            return change(entry);
        }
        // What was learned of older commits will not be asked for again.
        entries.retain(|entry| entry.commit >= asked.commit);
        if entries.len() >= LISTS {
            entries.pop_front();
        }
        let mut entry = Entry {
            commit: asked.commit,
            hidden: asked.hidden.to_vec(),
            query: asked.query.clone(),
            total: None,
            ends: BTreeMap::new(),
        };
        change(&mut entry);
        entries.push_back(entry);
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    fn is(&self, asked: Asked<'_>) -> bool {
        self.commit == asked.commit && self.hidden == asked.hidden && self.query == *asked.query
    }
}
