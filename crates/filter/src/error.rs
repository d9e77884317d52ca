//! Why a filter, sort or projection is refused.

use std::fmt;

use stockroom_model::json;

/// A fault of what the caller asked: a 400.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail} (at {pointer:?})")]
pub struct Invalid {
    /// JSON Pointer into the filter or projection; empty for the whole of it.
    pub pointer: String,
    /// What is wrong and what would be right.
    pub detail: String,
}

impl Invalid {
    /// A fault of the value at hand; callers further up say where that value stands.
    pub(crate) fn here(detail: impl Into<String>) -> Self {
        Self {
            pointer: String::new(),
            detail: detail.into(),
        }
    }

    /// The pointer grows from its end while the error travels up, so that a right filter never pays
    /// for it.
    pub(crate) fn within(self, key: impl fmt::Display) -> Self {
        Self {
            pointer: json::pointer("", key) + &self.pointer,
            ..self
        }
    }
}

/// A regular expression went back and forth over a text more often than
/// [`Limits::backtrack_limit`](crate::Limits::backtrack_limit) allows: a 400, "filter too
/// expensive".
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("filter too expensive: a regular expression needs too many steps; simplify it")]
pub struct TooExpensive;

/// The text of a stored document is not the JSON that it was written as: never the caller's fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a stored document is not JSON (at byte {at})")]
pub struct Damaged {
    /// About where in the text.
    pub at: usize,
}

/// Why a filter has no answer for the text of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// The filter is to blame.
    #[error(transparent)]
    TooExpensive(#[from] TooExpensive),
    /// The document is to blame.
    #[error(transparent)]
    Damaged(#[from] Damaged),
}
