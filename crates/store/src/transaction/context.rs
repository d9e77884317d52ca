//! The context of a write: actor, reason, time and request; and the kinds of changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use stockroom_model::Timestamp;

/// The actor, reason and time of a write; every use case takes one.
#[derive(Debug, Clone)]
pub struct WriteContext {
    /// User id of the actor; 0 is the service itself.
    pub actor: i64,
    /// Id of the request that caused the write.
    pub request_id: String,
    /// The reason that the user gave.
    pub comment: Option<String>,
    /// The time of the write.
    pub now: Timestamp,
    /// Records the commit, for reads that must show it.
    pub commit_token: Option<Arc<CommitToken>>,
}

/// The newest commit that a client knows of. The number is opaque to clients.
#[derive(Debug, Default)]
pub struct CommitToken(AtomicI64);

impl CommitToken {
    /// The token of a number that the client received earlier.
    #[must_use]
    pub fn of(number: i64) -> Arc<Self> {
        Arc::new(Self(AtomicI64::new(number)))
    }

    /// The number.
    #[must_use]
    pub fn number(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Records a commit.
    pub(crate) fn note(&self, number: i64) {
        self.0.fetch_max(number, Ordering::Relaxed);
    }
}

/// What a write did to a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChangeKind {
    /// It was made.
    Insert,
    /// It was changed.
    Update,
    /// It was removed.
    Delete,
}

impl ChangeKind {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Insert => "insert",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }
}
