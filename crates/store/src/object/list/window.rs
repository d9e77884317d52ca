//! Which part of a list is asked for.

use stockroom_filter::Key;
use stockroom_model::ObjectId;

/// Where an object stands in the order of a list. It stays a place in that order when the object
/// moves or goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The sort key.
    pub key: Key,
    /// The id, by which equal keys are ordered.
    pub id: ObjectId,
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

/// What is wanted of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// A page with its documents, as far as they fit in a read.
    Objects {
        /// Whether the number of all matches is wanted, too.
        total: bool,
    },
    /// A page of ids: for pages so long that their documents are read bit by bit.
    Ids {
        /// Whether the number of all matches is wanted, too.
        total: bool,
    },
    /// The number of all matches alone.
    Total,
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
    pub(super) const fn offset(&self) -> usize {
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

impl Want {
    pub(super) const fn total(self) -> bool {
        match self {
            Self::Objects { total } | Self::Ids { total } => total,
            Self::Total => true,
        }
    }
}

/// Where a walk begins and how long it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seek {
    /// It begins after this place, or at the first object.
    pub(super) after: Option<Position>,
    /// So many objects are skipped from there on.
    pub(super) skip: usize,
    pub(super) limit: usize,
}

impl From<&Window> for Seek {
    fn from(window: &Window) -> Self {
        Self {
            after: window.after().cloned(),
            skip: window.offset(),
            limit: window.limit,
        }
    }
}
