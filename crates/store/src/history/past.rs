//! Records as they were, rebuilt from their images.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use stockroom_model::json::Value;
use stockroom_model::object::item;
use stockroom_model::r#type::FieldDefinition;
use stockroom_model::{Object, Revision, TypeId};

use super::RecordKey;
use crate::catalog::Catalog;
use crate::driver::{Param, Row};
use crate::image::{self, WHOLE_EVERY};
use crate::resource::Resource;
use crate::transaction::{Action, ReadTx};
use crate::{Error, category, group, setting, r#type};

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

/// The moment to go back to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Moment {
    /// Right after the change that led to a revision.
    Revision(Revision),
    /// Before the first change after a time, in epoch microseconds.
    Time(i64),
}

// The rows from the change after the moment to the newest one, or to the first ones that surely
// have a whole image. The newest comes first, so that one document at a time is in memory.
const SELECT_SINCE_REVISION: &str = "SELECT record_id, revision, action, image, type_id FROM change \
     WHERE record_id = ?1 AND resource = ?2 AND name = ?3 AND revision > ?4 AND revision <= ?4 + ?5 ORDER BY revision DESC";
const SELECT_OBJECT: &str = "SELECT revision, doc FROM object WHERE public_id = ?1";
const SELECT_USER: &str = "SELECT revision, doc FROM user_account WHERE public_id = ?1";
const SELECT_FIRST_AFTER: &str = "SELECT MIN(revision) FROM change WHERE record_id = ?1 AND resource = ?2 AND name = ?3 AND at > ?4";
const SELECT_SINCE_TIME: &str = "SELECT change.record_id, change.revision, change.action, change.image, change.type_id FROM change \
     JOIN (SELECT record_id AS id, MIN(revision) AS first FROM change \
     WHERE record_id IN (SELECT value FROM rarray(?1)) AND resource = ?2 AND name = '' AND at > ?3 GROUP BY record_id) AS later \
     ON change.record_id = later.id WHERE change.resource = ?2 AND change.name = '' \
     AND change.revision >= later.first AND change.revision < later.first + ?4 ORDER BY change.record_id, change.revision DESC";
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
        let past = self.past_of(record, present, Moment::Revision(revision))?;
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
        let span = last.saturating_sub(oldest.0 - 1);
        let params = [id, resource, name, (oldest.0 - 1).into(), span.into()];
        self.each(SELECT_SINCE_REVISION, &params, |row| {
            let revision = row.int(1)?;
            if revision == newest.0 {
                each(newest, &shown(&rebuilding.past)?)?;
            }
            rebuilding.step(row)?;
            if revision <= newest.0 {
                each(Revision(revision - 1), &shown(&rebuilding.past)?)?;
            }
            Ok(())
        })
    }

    fn present(&mut self, record: &RecordKey) -> Result<Option<Present>, Error> {
        let (id, name) = (record.id.into(), record.name.as_str().into());
        let key = [id, name];
        let (sql, params) = match record.resource {
            Resource::Object => (SELECT_OBJECT, &key[..1]),
            Resource::Type => (r#type::SELECT_ONE, &key[..1]),
            Resource::Category => (category::SELECT_ONE, &key[..1]),
            Resource::User => (SELECT_USER, &key[..1]),
            Resource::Group => (group::SELECT_ONE, &key[..1]),
            Resource::Setting => (setting::SELECT_ONE, &key[..]),
            Resource::RevokedToken => return Ok(None),
        };
        self.first(sql, params, |row| {
            Ok(Present {
                revision: Revision(row.int(0)?),
                document: row.text(1)?.to_owned(),
            })
        })
    }

    /// A record at a moment; `present` is the record now.
    pub(crate) fn past_of(
        &mut self,
        record: &RecordKey,
        present: Option<Present>,
        moment: Moment,
    ) -> Result<Past, Error> {
        let [id, resource, name] = record.params();
        let revision = match moment {
            Moment::Revision(revision) => revision.0,
            Moment::Time(at) => {
                let params = [id, resource, name, at.into()];
                let first = self.first(SELECT_FIRST_AFTER, &params, |row| row.opt_int(0))?;
                match first.flatten() {
                    Some(first) => first - 1,
                    None => return Ok(Rebuilding::new(present).past),
                }
            }
        };
        let mut rebuilding = Rebuilding::new(present);
        let params = [id, resource, name, revision.into(), WHOLE_EVERY.into()];
        self.each(SELECT_SINCE_REVISION, &params, |row| rebuilding.step(row))?;
        Ok(rebuilding.past)
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
        let mut current: Option<(i64, Rebuilding)> = None;
        let params = [
            Param::Ints(ids),
            resource.as_str().into(),
            at.into(),
            WHOLE_EVERY.into(),
        ];
        self.each(SELECT_SINCE_TIME, &params, |row| {
            let id = row.int(0)?;
            if current.as_ref().is_none_or(|(last, _)| *last != id) {
                let next = (id, Rebuilding::new(present(id)));
                pasts.add(current.replace(next));
            }
            match &mut current {
                Some((_, rebuilding)) if pasts.has_room() => rebuilding.step(row),
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

/// A past object without the values of fields that are passwords now. Usually there are none: what a
/// field held before it became a password is forgotten. But a document may have had the field
/// before its type had it.
pub(crate) fn without_passwords(catalog: &Catalog, past: Past) -> Result<Past, Error> {
    let Past::Document { document, revision } = past else {
        return Ok(past);
    };
    Ok(Past::Document {
        document: blank(catalog, document)?,
        revision,
    })
}

/// The document with null in place of passwords.
fn blank(catalog: &Catalog, document: String) -> Result<String, Error> {
    let Members { type_id } = serde_json::from_str(&document)?;
    let Some(entry) = catalog.type_entry(type_id) else {
        return Ok(document);
    };
    let mut passwords = entry
        .record
        .fields()
        .iter()
        .filter(|field| field.is_password());
    if passwords.next().is_none() {
        return Ok(document);
    }
    let mut object = Object::from_document(serde_json::from_str(&document)?);
    let is_password = |name: &str| {
        entry
            .record
            .field(name)
            .is_some_and(FieldDefinition::is_password)
    };
    if object
        .fields()
        .all(|(name, value)| value.is_null() || !is_password(name))
    {
        return Ok(document);
    }
    let mut items = object.items().to_vec();
    for entry in &mut items {
        let name = entry.get("name").and_then(Value::as_str).map(str::to_owned);
        if let Some(name) = name.filter(|name| is_password(name)) {
            *entry = item(&name, Value::Null);
        }
    }
    object.set_items(items);
    Ok(serde_json::to_string(object.members())?)
}

/// The member of a document that says which fields are passwords.
#[derive(Deserialize)]
struct Members {
    type_id: TypeId,
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

    fn add(&mut self, done: Option<(i64, Rebuilding)>) {
        match done {
            Some((id, rebuilding)) if self.has_room() => {
                if let Past::Document { document, .. } = &rebuilding.past {
                    self.room = self.room.saturating_sub(document.len());
                }
                self.of.insert(id, rebuilding.past);
            }
            Some((id, _)) => _ = self.unread.insert(id),
            None => {}
        }
    }
}

/// A record on its way back in time, change by change.
struct Rebuilding {
    past: Past,
}

impl Rebuilding {
    fn new(present: Option<Present>) -> Self {
        let past = present.map_or(Past::Missing, |Present { document, revision }| {
            Past::Document { document, revision }
        });
        Self { past }
    }

    /// Undoes a change. Rows come from the newest to the oldest.
    fn step(&mut self, row: &dyn Row) -> Result<(), Error> {
        let revision = row.int(1)?;
        let after = match &self.past {
            // Otherwise the newest changes were not read: then one of these has a whole image.
            Past::Document {
                document,
                revision: of,
            } if of.0 == revision => Some(document.as_str()),
            _ => None,
        };
        self.past = match row.opt_bytes(3)? {
            Some([]) => Past::Missing,
            None if row.text(2)? == Action::Insert.as_str() => Past::Missing,
            Some(image) if after.is_some() || image::is_whole(image) => Past::Document {
                document: image::decode(image, after)?,
                revision: Revision(revision - 1),
            },
            Some(_) | None => Past::Unknown {
                type_id: row.opt_int(4)?.and_then(TypeId::new),
            },
        };
        Ok(())
    }
}
