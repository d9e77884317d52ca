//! What writes have in common: preconditions, replacing and merging, and what they answer.

use stockroom_model::body::merge_patch;
use stockroom_model::json::Value;
use stockroom_model::{Problem, Revision};

use crate::Error;

/// `If-Match` (RFC 9110): which states of the record the caller is ready to change.
#[derive(Debug, Clone, Default)]
pub enum Precondition {
    /// No header: whatever is stored.
    #[default]
    None,
    /// `*`: any state, as long as there is a record.
    Any,
    /// One of these revisions; tags that are none of ours match nothing.
    Revisions(Vec<i64>),
}

impl Precondition {
    /// Compares with the stored revision.
    ///
    /// # Errors
    ///
    /// [`Error::Stale`]
    pub fn check(&self, stored: Revision) -> Result<(), Error> {
        match self {
            Self::Revisions(revisions) if !revisions.contains(&stored.0) => {
                Err(Error::Stale { current: stored.0 })
            }
            _ => Ok(()),
        }
    }
}

/// How a body changes a record.
#[derive(Debug, Clone)]
pub enum Change {
    /// PUT: the body is the new record.
    Replace(Value),
    /// PATCH: the body is a merge patch (RFC 7396) on what a read answers.
    Merge(Value),
}

impl Change {
    /// What was sent.
    #[must_use]
    pub const fn body(&self) -> &Value {
        let (Self::Replace(body) | Self::Merge(body)) = self;
        body
    }

    /// The body of the record after the change; `stored` gives what a read answers.
    #[must_use]
    pub fn target(&self, stored: impl FnOnce() -> Value) -> Value {
        match self {
            Self::Replace(body) => body.clone(),
            Self::Merge(patch) => {
                let mut target = stored();
                merge_patch(&mut target, patch);
                target
            }
        }
    }
}

/// A record as it is answered.
#[derive(Debug, Clone)]
pub struct Document {
    /// Its JSON form.
    pub value: Value,
    /// Its revision.
    pub revision: Revision,
}

/// What a write answers.
#[derive(Debug, Clone)]
pub struct Written {
    /// The record after the write; the removed one after a delete.
    pub document: Document,
    /// Doubtful but legal.
    pub warnings: Vec<Problem>,
}
