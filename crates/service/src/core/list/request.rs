//! The parameters of a list.

use std::num::NonZeroUsize;

use stockroom_filter::{Checked, Order, Parsed, Paths, Projection};

use crate::Error;
use crate::core::error::parameter;

/// The parameters of a list.
#[derive(Debug, Clone)]
pub struct ListRequest {
    /// The filter.
    pub filter: Parsed,
    /// The path to sort by.
    pub sort: String,
    /// Whether the request named it. Trees have a default order of their own.
    pub is_sorted: bool,
    /// The direction of the sort.
    pub order: Order,
    /// Which page.
    pub paging: Paging,
    /// Records per page; `None` for all.
    pub limit: Option<NonZeroUsize>,
    /// Only active records, for resources that can be inactive.
    pub active_only: bool,
    /// Which members of the records to answer.
    pub projection: Option<Projection>,
    /// Whether to count the matching records.
    pub total: Total,
}

/// How the page is chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Paging {
    /// The page of this number.
    Number(NonZeroUsize),
    /// The first page of a list paged by cursors.
    FirstByCursor,
    /// The page after this cursor, as it was sent.
    After(String),
}

/// Whether a list counts the records that match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Total {
    /// Counted, along with the records.
    Counted,
    /// Not counted: that can take longer than reading a page.
    Skipped,
    /// HEAD: only the count.
    Only,
}

impl ListRequest {
    /// How many records to skip, and how many the page holds at most.
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

    /// Whether the list is paged by cursors.
    #[must_use]
    pub fn is_by_cursor(&self) -> bool {
        !matches!(self.paging, Paging::Number(_))
    }

    /// The checked filter, as lists need it.
    ///
    /// # Errors
    ///
    /// The filter is refused; the problem points into it.
    pub fn checked(&self, paths: &Paths) -> Result<Checked, Error> {
        self.filter.check(paths).map_err(parameter("filter"))
    }
}

impl Paging {
    /// The number of the page; 1 with cursors.
    #[must_use]
    pub const fn number(&self) -> usize {
        match self {
            Self::Number(number) => number.get(),
            Self::FirstByCursor | Self::After(_) => 1,
        }
    }

    /// The cursor as it was sent, empty for the first page; `None` for numbered pages.
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
