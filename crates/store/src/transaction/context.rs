//! What a write says of itself: who, why, when, and what it does to which records.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use stockroom_model::Timestamp;

/// Who writes, why and when; every use case takes one.
#[derive(Debug, Clone)]
pub struct WriteContext {
    /// Id of the user who acts; 0 is the service itself.
    pub actor: i64,
    /// The request that caused it.
    pub request_id: String,
    /// The reason that the user gave.
    pub comment: Option<String>,
    /// The time of the write.
    pub now: Timestamp,
    /// Where to note the commit, for reads that must show it.
    pub commit_token: Option<Arc<CommitToken>>,
}

/// The newest commit that a client knows of; nothing is known of what the number means.
#[derive(Debug, Default)]
pub struct CommitToken(AtomicI64);

impl CommitToken {
    /// That of a number that was given to the client before.
    #[must_use]
    pub fn of(number: i64) -> Arc<Self> {
        Arc::new(Self(AtomicI64::new(number)))
    }

    /// The number.
    #[must_use]
    pub fn number(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Notes a commit.
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
