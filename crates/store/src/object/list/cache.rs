//! What is known of lists of one state of the data: totals that had to be counted, and where pages
//! begin, so that a page far behind does not skip its way from the start.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use stockroom_model::TypeId;

use super::query::ObjectQuery;
use super::window::Position;

/// Lists of which something is known.
const LISTS: usize = 64;
/// Places that are known of one list.
const PLACES: usize = 256;

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct PageCache(Mutex<VecDeque<Entry>>);

/// A state of the data: two reads of one state see the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DataState {
    /// That of the commit of this number, where commits have numbers.
    Commit(i64),
    /// That of the transactions which the text of a snapshot names.
    Snapshot(String),
}

/// Which list, of which state.
#[derive(Clone, Copy)]
pub(super) struct CacheKey<'q> {
    pub(super) pages: &'q PageCache,
    pub(super) state: &'q DataState,
    /// The types that the caller may not see.
    pub(super) hidden: &'q [TypeId],
    pub(super) query: &'q ObjectQuery,
}

#[derive(Debug)]
struct Entry {
    state: DataState,
    hidden: Vec<TypeId>,
    query: ObjectQuery,
    total: Option<usize>,
    /// The last object before an offset.
    places: BTreeMap<usize, Position>,
}

impl CacheKey<'_> {
    /// How many objects the list has.
    pub(super) fn total(&self) -> Option<usize> {
        let entries = self.lock();
        entries.iter().find(|entry| entry.is(self))?.total
    }

    pub(super) fn set_total(&self, total: usize) {
        self.change(|entry| entry.total = Some(total));
    }

    /// The nearest place that is known before an offset, and how many objects lie between.
    pub(super) fn nearest(&self, offset: usize) -> Option<(Position, usize)> {
        let entries = self.lock();
        let entry = entries.iter().find(|entry| entry.is(self))?;
        let (place, position) = entry.places.range(..=offset).next_back()?;
        Some((position.clone(), offset - place))
    }

    /// Notes that `position` is that of the last object before `offset`.
    pub(super) fn set_place(&self, offset: usize, position: Position) {
        self.change(|entry| {
            if entry.places.len() >= PLACES {
                entry.places.pop_first();
            }
            entry.places.insert(offset, position);
        });
    }

    fn change(&self, change: impl FnOnce(&mut Entry)) {
        let mut entries = self.lock();
        if let Some(entry) = entries.iter_mut().find(|entry| entry.is(self)) {
            return change(entry);
        }
        if entries.len() >= LISTS {
            entries.pop_front();
        }
        let mut entry = Entry {
            state: self.state.clone(),
            hidden: self.hidden.to_vec(),
            query: self.query.clone(),
            total: None,
            places: BTreeMap::new(),
        };
        change(&mut entry);
        entries.push_back(entry);
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Entry>> {
        self.pages.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    fn is(&self, key: &CacheKey<'_>) -> bool {
        self.state == *key.state && self.hidden == key.hidden && self.query == *key.query
    }
}
