//! What all writes share: preconditions, replacing and merging, and results.

use stockroom_model::body::merge_patch;
use stockroom_model::json::Value;
use stockroom_model::{Problem, Revision};

use stockroom_store::{ReadTx, Resource};

use crate::Error;

/// `If-Match` (RFC 9110): the revisions of the record that the caller agrees to change.
#[derive(Debug, Clone, Default)]
pub enum Precondition {
    /// No header: any state.
    #[default]
    None,
    /// `*`: any state, if the record exists.
    Any,
    /// One of these revisions. Foreign tags match nothing.
    Revisions(Vec<i64>),
    /// No header, but the operator requires one.
    Missing,
}

/// A record whose revision a precondition is about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'s> {
    pub(crate) resource: Resource,
    pub(crate) id: i64,
    /// The identifier of a setting.
    pub(crate) name: &'s str,
}

impl Subject<'_> {
    pub(crate) fn of(resource: Resource, id: impl Into<i64>) -> Self {
        Self {
            resource,
            id: id.into(),
            name: "",
        }
    }
}

impl Precondition {
    /// The precondition for several records, of which none is required.
    #[must_use]
    pub fn or_none(self) -> Self {
        match self {
            Self::Missing => Self::None,
            sent => sent,
        }
    }

    /// Compares with the stored revision.
    ///
    /// # Errors
    ///
    /// [`Error::Stale`], [`Error::PreconditionRequired`]
    pub(crate) fn check(
        &self,
        tx: &mut ReadTx<'_>,
        subject: Subject<'_>,
        stored: Revision,
    ) -> Result<(), Error> {
        let Subject { resource, id, name } = subject;
        match self {
            Self::Revisions(revisions) if !revisions.contains(&stored.0) => Err(Error::Stale {
                current: stored.0,
                change: tx.last_change(resource, id, name, stored)?,
            }),
            Self::Missing => Err(Error::PreconditionRequired),
            _ => Ok(()),
        }
    }
}

/// How a body changes a record.
#[derive(Debug, Clone)]
pub enum Change {
    /// PUT: the body is the new record.
    Replace(Value),
    /// PATCH: the body is a merge patch (RFC 7396) for the document that a read answers.
    Merge(Value),
}

impl Change {
    /// The body as sent.
    #[must_use]
    pub const fn body(&self) -> &Value {
        let (Self::Replace(body) | Self::Merge(body)) = self;
        body
    }

    /// The body of the record after the change; `stored` gives the document that a read answers.
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

/// A record as a response shows it.
#[derive(Debug, Clone)]
pub struct Document<V = Value> {
    /// Its JSON form.
    pub value: V,
    /// Its revision.
    pub revision: Revision,
}

impl Document {
    /// The same as text. Of a large record that is work for the thread that read it, not for those
    /// that answer requests.
    #[must_use]
    pub fn into_text(self) -> Document<String> {
        Document {
            value: self.value.to_string(),
            revision: self.revision,
        }
    }
}

/// The result of a write.
#[derive(Debug, Clone)]
pub struct Written {
    /// The record after the write; the removed one after a delete.
    pub document: Document,
    /// Warnings about the record.
    pub warnings: Vec<Problem>,
}
