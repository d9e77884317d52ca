//! The requested part of a list.

use stockroom_filter::Key;
use stockroom_model::ObjectId;

/// A position in the order of a list. It stays valid when its object moves or is deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The sort key.
    pub key: Key,
    /// The id, which orders equal keys.
    pub id: ObjectId,
}

/// The start of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// After this number of objects.
    Offset(usize),
    /// After this position.
    After(Position),
}

/// A part of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Its start.
    pub start: Start,
    /// Its maximum number of objects.
    pub limit: usize,
}

/// The requested result of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// A page with its documents, up to the byte limit of a read.
    Objects {
        /// Whether the total of all matches is wanted, too.
        total: bool,
    },
    /// A page of ids, for pages so long that their documents are read in parts.
    Ids {
        /// Whether the total of all matches is wanted, too.
        total: bool,
    },
    /// Only the total of all matches.
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

    /// The number of objects to skip; 0 if the window starts after a position.
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

/// The start of a walk and its length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seek {
    /// The position before the start; `None` for the first object.
    pub(super) after: Option<Position>,
    /// The number of objects to skip from there.
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
