//! Why a filter, sort or projection is refused.

use std::fmt;

use stockroom_model::json;

/// A fault in the caller's input; answered with 400.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail} (at {pointer:?})")]
pub struct Invalid {
    /// JSON Pointer into the filter or projection; empty for the whole.
    pub pointer: String,
    /// What is wrong and what would be right.
    pub detail: String,
}

impl Invalid {
    /// A fault of the current value; callers prepend the path to it.
    pub(crate) fn here(detail: impl Into<String>) -> Self {
        Self {
            pointer: String::new(),
            detail: detail.into(),
        }
    }

    /// Prepends a key to the pointer. The pointer is built while the error propagates, so valid
    /// filters never pay for it.
    pub(crate) fn within(self, key: impl fmt::Display) -> Self {
        Self {
            pointer: json::pointer("", key) + &self.pointer,
            ..self
        }
    }
}

/// A regular expression needed more steps on a text, or the whole filter more time on a document,
/// than the limits allow; answered with 400, "filter too expensive".
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("filter too expensive: it takes too many steps on one record; simplify it")]
pub struct TooExpensive;

/// The text of a stored document is not the JSON that was written; never the caller's fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a stored document is not JSON (at byte {at})")]
pub struct Damaged {
    /// The approximate byte offset in the text.
    pub at: usize,
}

/// Why a filter could not be evaluated on the text of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// The filter is too expensive.
    #[error(transparent)]
    TooExpensive(#[from] TooExpensive),
    /// The document is damaged.
    #[error(transparent)]
    Damaged(#[from] Damaged),
}
