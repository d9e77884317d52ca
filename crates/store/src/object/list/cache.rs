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
const PLACES: usize = 4_096;
/// What a place takes beside its key.
const PLACE_BYTES: usize = 64;
/// What the places of all lists may take: keys are up to half a kilobyte long.
const MOST_BYTES: usize = 16 * 1024 * 1024;

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
    /// About what the places take.
    bytes: usize,
    /// How often a page was far from every place that was known.
    misses: usize,
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

    /// Notes positions, each that of the last object before its offset.
    pub(super) fn set_places(&self, places: impl IntoIterator<Item = (usize, Position)>) {
        self.change(|entry| {
            for (offset, position) in places {
                entry.set_place(offset, position);
            }
        });
    }

    /// Notes that a page was far from every place that is known; gives how often that was so
    /// before.
    pub(super) fn miss(&self) -> usize {
        let mut misses = 0;
        self.change(|entry| {
            misses = entry.misses;
            entry.misses += 1;
        });
        misses
    }

    fn change(&self, change: impl FnOnce(&mut Entry)) {
        let mut entries = self.lock();
        if let Some(entry) = entries.iter_mut().find(|entry| entry.is(self)) {
            change(entry);
            return drop_excess(&mut entries);
        }
        // What is known of older commits will not be asked for again.
        entries.retain(|entry| !entry.state.is_before(self.state));
        if entries.len() >= LISTS {
            entries.pop_front();
        }
        let mut entry = Entry {
            state: self.state.clone(),
            hidden: self.hidden.to_vec(),
            query: self.query.clone(),
            total: None,
            places: BTreeMap::new(),
            bytes: 0,
            misses: 0,
        };
        change(&mut entry);
        entries.push_back(entry);
        drop_excess(&mut entries);
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Entry>> {
        self.pages.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forgets the oldest lists until the others have room.
fn drop_excess(entries: &mut VecDeque<Entry>) {
    let mut bytes: usize = entries.iter().map(|entry| entry.bytes).sum();
    while bytes > MOST_BYTES
        && let Some(oldest) = entries.pop_front()
    {
        bytes -= oldest.bytes;
    }
}

impl DataState {
    fn is_before(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Commit(own), Self::Commit(other)) if own < other)
    }
}

impl Entry {
    fn set_place(&mut self, offset: usize, position: Position) {
        if self.places.len() < PLACES && !self.places.contains_key(&offset) {
            self.bytes += position.key.as_bytes().len() + PLACE_BYTES;
            self.places.insert(offset, position);
        }
    }

    fn is(&self, key: &CacheKey<'_>) -> bool {
        self.state == *key.state && self.hidden == key.hidden && self.query == *key.query
    }
}
