//! What a caller asks of a list.

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
    /// Page number from 1 on.
    pub page: usize,
    /// The cursor of the page before, empty for the first page; `None` where pages are numbered.
    pub after: Option<String>,
    /// Records per page; 0 means all.
    pub limit: usize,
    /// Only active records, where the resource knows the difference.
    pub active_only: bool,
    /// Which parts of the records to answer.
    pub projection: Option<Projection>,
    /// Whether the total is wanted, and whether anything else is.
    pub total: Total,
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
        if self.limit == 0 {
            (0, usize::MAX)
        } else {
            ((self.page - 1).saturating_mul(self.limit), self.limit)
        }
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
