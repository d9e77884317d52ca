//! Which part of a list is asked for.

use stockroom_filter::Key;

/// Where an object stands in the order of a list. It stays a place in that order when the object moves or goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The sort key.
    pub key: Key,
    /// The id, by which equal keys are ordered.
    pub id: i64,
}

/// Where a page begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// After so many objects.
    Offset(usize),
    /// After this place, wherever that is by now.
    After(Position),
}

/// A part of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Where it begins.
    pub start: Start,
    /// How many objects it holds at most.
    pub limit: usize,
}

impl Window {
    /// The whole list.
    #[must_use]
    pub const fn everything() -> Self {
        Self {
            start: Start::Offset(0),
            limit: usize::MAX,
        }
    }

    /// How many objects are skipped, after the position if there is one.
    pub(super) const fn skipped(&self) -> usize {
        match self.start {
            Start::Offset(offset) => offset,
            Start::After(_) => 0,
        }
    }

    pub(super) const fn after(&self) -> Option<&Position> {
        match &self.start {
            Start::Offset(_) => None,
            Start::After(position) => Some(position),
        }
    }
}
