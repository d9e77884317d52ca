//! What a caller asks of a list.

use std::num::NonZeroUsize;

use stockroom_filter::{Checked, Order, Parsed, Paths, Projection};

use crate::Error;
use crate::error::parameter;

/// What a caller asks of a list.
#[derive(Debug, Clone)]
pub struct ListRequest {
    /// What the records must match.
    pub filter: Parsed,
    /// The path to sort by.
    pub sort: String,
    /// Whether the caller named it; trees have an order of their own.
    pub is_sorted: bool,
    /// Its direction.
    pub order: Order,
    /// Which page.
    pub paging: Paging,
    /// Records per page; `None` for all.
    pub limit: Option<NonZeroUsize>,
    /// Only active records, where the resource knows the difference.
    pub active_only: bool,
    /// Which parts of the records to answer.
    pub projection: Option<Projection>,
    /// Whether the total is wanted, and whether anything else is.
    pub total: Total,
}

/// Which page of a list is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Paging {
    /// That of this number.
    Number(NonZeroUsize),
    /// The first of those that follow each other by cursors.
    FirstByCursor,
    /// The one after this cursor, as it was sent.
    After(String),
}

/// Whether a list tells how many records match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Total {
    /// Beside the records.
    Counted,
    /// No: to count can take longer than to read a page.
    Skipped,
    /// HEAD: nothing else is wanted.
    Only,
}

impl ListRequest {
    /// How many records come before the page, and how many it holds at most.
    #[must_use]
    pub fn window(&self) -> (usize, usize) {
        match self.limit {
            None => (0, usize::MAX),
            Some(limit) => {
                let before = self.paging.pages_before().saturating_mul(limit.get());
                (before, limit.get())
            }
        }
    }

    /// Whether pages follow each other by cursors.
    #[must_use]
    pub fn is_by_cursor(&self) -> bool {
        !matches!(self.paging, Paging::Number(_))
    }

    /// The filter in the form that lists accept.
    ///
    /// # Errors
    ///
    /// The filter is refused; the problem points into it.
    pub fn checked(&self, paths: &Paths) -> Result<Checked, Error> {
        self.filter
            .clone()
            .check(paths)
            .map_err(parameter("filter"))
    }
}

impl Paging {
    /// The number of the page; 1 where pages have no numbers.
    #[must_use]
    pub const fn number(&self) -> usize {
        match self {
            Self::Number(number) => number.get(),
            Self::FirstByCursor | Self::After(_) => 1,
        }
    }

    /// The cursor as it was sent, empty for the first page; `None` where pages have numbers.
    #[must_use]
    pub fn sent_cursor(&self) -> Option<&str> {
        match self {
            Self::Number(_) => None,
            Self::FirstByCursor => Some(""),
            Self::After(cursor) => Some(cursor),
        }
    }

    const fn pages_before(&self) -> usize {
        self.number() - 1
    }
}
