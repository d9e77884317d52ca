//! Going back in time, change by change.

use stockroom_model::{Revision, TypeId};

use super::past::{Past, Present};
use crate::Error;
use crate::engine::driver::Row;
use crate::records::image;
use crate::transaction::Action;

/// A record on its way back in time. Its changes come from the newest to the oldest; those that
/// retention removed are missing between them.
pub(super) struct Rebuilding {
    past: Past,
    /// The revision after which the record was `past`; `None` if that is the newest one.
    revision: Option<i64>,
}

/// A change to undo.
pub(super) struct Undone<'r> {
    pub(super) revision: i64,
    action: &'r str,
    pub(super) image: Option<&'r [u8]>,
    /// The type of an object, if known.
    pub(super) type_id: Option<TypeId>,
}

impl<'r> Undone<'r> {
    /// From a row of record id, revision, action, image and type id.
    pub(super) fn of(row: &'r dyn Row) -> Result<Self, Error> {
        Ok(Self {
            revision: row.int(1)?,
            action: row.text(2)?,
            image: row.opt_bytes(3)?,
            type_id: row.opt_int(4)?.and_then(TypeId::new),
        })
    }

    fn is(&self, action: Action) -> bool {
        self.action == action.as_str()
    }

    fn unknown(&self) -> Past {
        Past::Unknown {
            type_id: self.type_id,
        }
    }
}

impl Rebuilding {
    pub(super) fn new(present: Option<Present>) -> Self {
        let revision = present.as_ref().map(|present| present.revision.0);
        let past = present.map_or(Past::Missing, |Present { document, revision }| {
            Past::Document { document, revision }
        });
        Self { past, revision }
    }

    pub(super) const fn past(&self) -> &Past {
        &self.past
    }

    /// Where the record is on its way, once it has undone a change or reached one.
    pub(super) const fn is_at(&self, revision: i64) -> bool {
        matches!(self.revision, Some(own) if own == revision)
    }

    pub(super) fn into_past(self) -> Past {
        self.past
    }

    /// Goes to right after a change.
    pub(super) fn reach(&mut self, change: &Undone<'_>) -> Result<(), Error> {
        let is_there = match self.revision {
            Some(revision) => revision == change.revision,
            None => change.is(Action::Delete),
        };
        if !is_there {
            self.past = match change.image {
                Some(image) if image::holds_after(image) => Past::Document {
                    document: image::decode(image, None)?,
                    revision: Revision(change.revision),
                },
                _ if change.is(Action::Delete) => Past::Missing,
                _ => change.unknown(),
            };
        }
        self.revision = Some(change.revision);
        Ok(())
    }

    /// Goes from right after a change to right before it.
    pub(super) fn undo(&mut self, change: &Undone<'_>) -> Result<(), Error> {
        let after = match &self.past {
            Past::Document { document, .. } => Some(document.as_str()),
            Past::Missing | Past::Unknown { .. } => None,
        };
        let before = Revision(change.revision - 1);
        self.past = match change.image {
            Some(image) if image::is_of_nothing(image) => Past::Missing,
            None if change.is(Action::Insert) => Past::Missing,
            Some(image) if after.is_some() || image::is_whole(image) => Past::Document {
                document: image::decode(image, after)?,
                revision: before,
            },
            Some(_) | None => change.unknown(),
        };
        self.revision = Some(before.0);
        Ok(())
    }
}
