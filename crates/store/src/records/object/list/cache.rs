//! Caches totals and ranks of lists for one state of the data.
//!
//! A commit invalidates an entry. Exception: where one process writes, the ranks of lists of whole
//! types are updated with each commit.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use stockroom_model::TypeId;

use super::query::ObjectQuery;
use super::ranks::{Ranks, WholeTypes};
use super::window::Position;
use crate::records::pending::Moves;

/// Maximum number of cached lists.
const MAX_LISTS: usize = 64;
/// Maximum bytes of the ranks of all lists; keys have up to half a kilobyte.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// A cache of totals and page positions; see the module.
#[derive(Debug, Default)]
pub(crate) struct PageCache(Mutex<Lists>);

#[derive(Debug, Default)]
struct Lists {
    entries: VecDeque<Entry>,
    /// The number of the newest commit since the start, if there was one.
    newest: Option<i64>,
}

/// A state of the data. Two reads of a list in the same state see the same objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DataState {
    /// After the commit of this number, if commits are numbered.
    Commit(i64),
    /// With these writes of objects, under this version of the types.
    Writes { type_version: i64, writes: String },
}

/// A list in one state of the data.
#[derive(Clone, Copy)]
pub(super) struct CacheKey<'q> {
    pub(super) pages: &'q PageCache,
    pub(super) state: &'q DataState,
    /// The types that the caller may not see.
    pub(super) hidden: &'q [TypeId],
    pub(super) query: &'q ObjectQuery,
    /// Set for a list of whole types.
    pub(super) whole_types: Option<&'q WholeTypes>,
}

#[derive(Debug)]
struct Entry {
    state: DataState,
    hidden: Vec<TypeId>,
    query: ObjectQuery,
    whole_types: Option<WholeTypes>,
    total: Option<usize>,
    ranks: Ranks,
    /// How often a page was far from every cached position.
    misses: usize,
}

impl PageCache {
    /// Updates the entries for a commit, or drops them. `moves` are its inserts and deletes, if they
    /// are known. No other commit may be under way.
    pub(crate) fn advance(&self, commit: i64, moves: Option<Moves<'_>>) {
        let mut lists = self.lock();
        let before = lists.newest.replace(commit);
        if lists.entries.is_empty() {
            return;
        }
        let is_current =
            |entry: &Entry| before.is_none_or(|before| entry.state == DataState::Commit(before));
        lists.entries.retain_mut(|entry| {
            is_current(entry) && moves.is_some_and(|moves| entry.advance(commit, moves))
        });
    }

    fn lock(&self) -> MutexGuard<'_, Lists> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CacheKey<'_> {
    /// The cached total of the list.
    pub(super) fn total(&self) -> Option<usize> {
        let lists = self.pages.lock();
        lists.entries.iter().find(|entry| entry.is(self))?.total
    }

    pub(super) fn set_total(&self, total: usize) {
        self.change(|entry| entry.total = Some(total));
    }

    /// The nearest cached position before an offset, and the number of objects between them.
    pub(super) fn nearest(&self, offset: usize) -> Option<(Position, usize)> {
        let lists = self.pages.lock();
        let entry = lists.entries.iter().find(|entry| entry.is(self))?;
        let (position, between) = entry.ranks.nearest(offset)?;
        Some((position.clone(), between))
    }

    /// Adds the position of the last object before an offset.
    pub(super) fn add_position(&self, offset: usize, position: Position) {
        self.change(|entry| entry.ranks.add(offset, position));
    }

    pub(super) fn set_ranks(&self, ranks: Ranks) {
        self.change(|entry| entry.ranks = ranks);
    }

    /// Counts a page that is far from every cached position; returns the previous count.
    pub(super) fn miss(&self) -> usize {
        let mut misses = 0;
        self.change(|entry| {
            misses = entry.misses;
            entry.misses += 1;
        });
        misses
    }

    fn change(&self, change: impl FnOnce(&mut Entry)) {
        let mut lists = self.pages.lock();
        let entries = &mut lists.entries;
        if let Some(entry) = entries.iter_mut().find(|entry| entry.is(self)) {
            change(entry);
            return drop_excess(entries);
        }
        // Older states will not be read again. Lists of whole types may still advance.
        entries.retain(|entry| entry.whole_types.is_some() || !entry.state.is_before(self.state));
        if entries.len() >= MAX_LISTS {
            entries.pop_front();
        }
        let mut entry = Entry {
            state: self.state.clone(),
            hidden: self.hidden.to_vec(),
            query: self.query.clone(),
            whole_types: self.whole_types.cloned(),
            total: None,
            ranks: Ranks::default(),
            misses: 0,
        };
        change(&mut entry);
        entries.push_back(entry);
        drop_excess(entries);
    }
}

/// Evicts the oldest lists until the others fit.
fn drop_excess(entries: &mut VecDeque<Entry>) {
    let mut bytes: usize = entries.iter().map(|entry| entry.ranks.bytes()).sum();
    while bytes > MAX_BYTES
        && let Some(oldest) = entries.pop_front()
    {
        bytes -= oldest.ranks.bytes();
    }
}

impl DataState {
    fn is_before(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Commit(own), Self::Commit(other)) if own < other)
    }
}

impl Entry {
    /// Updates the ranks for a commit; false if that is impossible.
    fn advance(&mut self, commit: i64, moves: Moves<'_>) -> bool {
        let Some(list) = self.whole_types.as_ref().filter(|_| !self.ranks.is_empty()) else {
            return false;
        };
        self.state = DataState::Commit(commit);
        self.total = None;
        let ranks = &mut self.ranks;
        moves
            .iter()
            .all(|(moved, step)| match list.position(moved) {
                Some(position) => ranks.count(list.order(), &position, step),
                None => true,
            })
    }

    fn is(&self, key: &CacheKey<'_>) -> bool {
        self.state == *key.state && self.hidden == key.hidden && self.query == *key.query
    }
}
