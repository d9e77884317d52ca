//! Records as they were, rebuilt from their images.

use std::collections::{HashMap, HashSet};

use stockroom_model::{Revision, TypeId};

use super::RecordKey;
use super::passwords::without_passwords;
use super::rebuilding::{Rebuilding, Undone};
use crate::Error;
use crate::engine::driver::{Param, Row};
use crate::records::image::WHOLE_EVERY;
use crate::records::{category, group, setting, source, token, r#type, view};
use crate::resource::Resource;
use crate::transaction::ReadTx;

/// A record at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Past {
    /// This document.
    Document {
        /// As JSON text.
        document: String,
        /// Its revision.
        revision: Revision,
    },
    /// It did not exist.
    Missing,
    /// Nobody knows: it was changed before images were kept, or they were removed.
    Unknown {
        /// The type of an object, if known.
        type_id: Option<TypeId>,
    },
}

/// A record as it is, from which its past is rebuilt.
#[derive(Debug, Clone)]
pub(crate) struct Present {
    pub(crate) document: String,
    pub(crate) revision: Revision,
}

// The rows from the newest change, or from the first ones that surely have a whole image, to the one
// to go back to. The newest comes first, so that one document at a time is in memory.
const SELECT_SINCE_REVISION: &str = "SELECT record_id, revision, action, image, type_id FROM change \
     WHERE record_id = ?1 AND resource = ?2 AND name = ?3 AND revision >= ?4 AND revision <= ?5 ORDER BY revision DESC";
const SELECT_OBJECT: &str = "SELECT revision, doc FROM object WHERE public_id = ?1";
const SELECT_USER: &str = "SELECT revision, doc FROM user_account WHERE public_id = ?1";
const SELECT_ALL_SINCE_TIME: &str = "SELECT change.record_id, change.revision, change.action, change.image, change.type_id, later.first FROM change \
     JOIN (SELECT record_id AS id, MIN(revision) AS first FROM change \
     WHERE record_id IN (SELECT value FROM rarray(?1)) AND resource = ?2 AND name = '' AND at > ?3 GROUP BY record_id) AS later \
     ON change.record_id = later.id WHERE change.resource = ?2 AND change.name = '' \
     AND change.revision >= later.first - 1 AND change.revision < later.first + ?4 ORDER BY change.record_id, change.revision DESC";
const SELECT_DELETED: &str = "SELECT DISTINCT record_id FROM change WHERE action = 'delete' AND resource = ?1 \
     AND COALESCE(type_id, 0) = ?2 AND record_id > ?3 ORDER BY record_id LIMIT ?4";

impl ReadTx<'_> {
    /// A record right after the change that led to a revision.
    pub fn record_at_revision(
        &mut self,
        record: &RecordKey,
        revision: Revision,
    ) -> Result<Past, Error> {
        let present = self.present(record)?;
        let past = self.past_at_revision(record, present, revision)?;
        match record.resource {
            Resource::Object => without_passwords(self.catalog(), past),
            _ => Ok(past),
        }
    }

    /// The states of a record from before the change that led to `oldest` to after the one that led
    /// to `newest`, the newest first.
    pub fn states_of(
        &mut self,
        record: &RecordKey,
        oldest: Revision,
        newest: Revision,
        mut each: impl FnMut(Revision, &Past) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let present = self.present(record)?;
        let catalog = self.catalog();
        let shown = |past: &Past| match record.resource {
            Resource::Object => without_passwords(catalog, past.clone()),
            _ => Ok(past.clone()),
        };
        let mut rebuilding = Rebuilding::new(present);
        let [id, resource, name] = record.params();
        let last = newest.0.saturating_add(WHOLE_EVERY);
        let params = [id, resource, name, oldest.0.into(), last.into()];
        self.each(SELECT_SINCE_REVISION, &params, |row| {
            let change = Undone::of(row)?;
            let is_told = change.revision < newest.0 && rebuilding.is_at(change.revision);
            rebuilding.reach(&change)?;
            if change.revision > newest.0 {
                return rebuilding.undo(&change);
            }
            if !is_told {
                each(Revision(change.revision), &shown(rebuilding.past())?)?;
            }
            rebuilding.undo(&change)?;
            each(Revision(change.revision - 1), &shown(rebuilding.past())?)
        })
    }

    pub(super) fn present(&mut self, record: &RecordKey) -> Result<Option<Present>, Error> {
        let (id, name) = (record.id.into(), record.name.as_str().into());
        let key = [id, name];
        let (sql, params) = match record.resource {
            Resource::Object => (SELECT_OBJECT, &key[..1]),
            Resource::Type => (r#type::SELECT_ONE, &key[..1]),
            Resource::Category => (category::SELECT_ONE, &key[..1]),
            Resource::User => (SELECT_USER, &key[..1]),
            Resource::Group => (group::SELECT_ONE, &key[..1]),
            Resource::Setting => (setting::SELECT_ONE, &key[..]),
            Resource::View => (view::SELECT_ONE, &key[..1]),
            Resource::Source => (source::SELECT_ONE, &key[..1]),
            Resource::Token => (token::SELECT_ONE, &key[..1]),
            Resource::RevokedToken => return Ok(None),
        };
        self.first(sql, params, |row| {
            Ok(Present {
                revision: Revision(row.int(0)?),
                document: row.text(1)?.to_owned(),
            })
        })
    }

    /// A record right after the change that led to a revision; `present` is the record now.
    pub(crate) fn past_at_revision(
        &mut self,
        record: &RecordKey,
        present: Option<Present>,
        revision: Revision,
    ) -> Result<Past, Error> {
        let [id, resource, name] = record.params();
        let last = revision.0.saturating_add(WHOLE_EVERY);
        let params = [id, resource, name, revision.0.into(), last.into()];
        let mut way = Rebuild::new(present);
        self.each(SELECT_SINCE_REVISION, &params, |row| {
            way.step(row, revision.0)
        })?;
        Ok(way.end_at(revision))
    }

    /// Records at a time, as many as fit into `bytes`, at least one. `present` gives those that
    /// exist now.
    pub(crate) fn pasts_of(
        &mut self,
        resource: Resource,
        ids: &[i64],
        mut present: impl FnMut(i64) -> Option<Present>,
        at: i64,
        bytes: usize,
    ) -> Result<Pasts, Error> {
        let mut pasts = Pasts {
            room: bytes,
            ..Pasts::default()
        };
        let mut current: Option<(i64, Rebuild)> = None;
        let params = [
            Param::Ints(ids),
            resource.as_str().into(),
            at.into(),
            WHOLE_EVERY.into(),
        ];
        self.each(SELECT_ALL_SINCE_TIME, &params, |row| {
            let id = row.int(0)?;
            if current.as_ref().is_none_or(|(last, _)| *last != id) {
                let next = (id, Rebuild::new(present(id)));
                pasts.add(current.replace(next));
            }
            match &mut current {
                Some((_, way)) if pasts.has_room() => way.step(row, row.int(5)? - 1),
                _ => Ok(()),
            }
        })?;
        pasts.add(current);
        Ok(pasts)
    }

    /// The ids after `after` of records that were deleted; some may exist again. `type_id` is that
    /// of objects, else 0.
    pub(crate) fn deleted_ids(
        &mut self,
        resource: Resource,
        type_id: i64,
        after: i64,
        limit: i64,
    ) -> Result<Vec<i64>, Error> {
        let params = [
            resource.as_str().into(),
            type_id.into(),
            after.into(),
            limit.into(),
        ];
        self.all(SELECT_DELETED, &params, |row| row.int(0))
    }
}

/// The past of records that have changed since.
#[derive(Debug, Default)]
pub(crate) struct Pasts {
    /// Records that are not here have not changed.
    pub(crate) of: HashMap<i64, Past>,
    /// Records for which there was no room.
    pub(crate) unread: HashSet<i64>,
    room: usize,
}

impl Pasts {
    fn has_room(&self) -> bool {
        self.of.is_empty() || self.room > 0
    }

    fn add(&mut self, done: Option<(i64, Rebuild)>) {
        match done {
            Some((id, way)) if self.has_room() => {
                let past = way.end();
                if let Past::Document { document, .. } = &past {
                    self.room = self.room.saturating_sub(document.len());
                }
                self.of.insert(id, past);
            }
            Some((id, _)) => _ = self.unread.insert(id),
            None => {}
        }
    }
}

/// The way of a record to one of its changes.
pub(crate) struct Rebuild {
    rebuilding: Rebuilding,
    /// Whether there was anything to undo.
    has_moved: bool,
    has_arrived: bool,
    type_id: Option<TypeId>,
}

impl Rebuild {
    pub(crate) fn new(present: Option<Present>) -> Self {
        Self {
            rebuilding: Rebuilding::new(present),
            has_moved: false,
            has_arrived: false,
            type_id: None,
        }
    }

    /// Undoes a change, unless it is the one that led to `revision`.
    pub(crate) fn step(&mut self, row: &dyn Row, revision: i64) -> Result<(), Error> {
        let change = Undone::of(row)?;
        self.has_moved = true;
        self.type_id = change.type_id;
        self.rebuilding.reach(&change)?;
        self.has_arrived = change.revision == revision;
        if self.has_arrived {
            return Ok(());
        }
        self.rebuilding.undo(&change)
    }

    /// The record after the last change before a time. If retention removed that one, nobody knows
    /// when it was.
    pub(crate) fn end(self) -> Past {
        let is_before_all = self.rebuilding.is_at(0);
        if !self.has_moved || self.has_arrived || is_before_all {
            return self.rebuilding.into_past();
        }
        Past::Unknown {
            type_id: self.type_id,
        }
    }

    /// The record after the change that led to a revision.
    fn end_at(self, revision: Revision) -> Past {
        if self.rebuilding.is_at(revision.0) {
            return self.rebuilding.into_past();
        }
        Past::Unknown {
            type_id: self.type_id,
        }
    }
}
