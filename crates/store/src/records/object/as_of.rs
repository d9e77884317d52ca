//! Objects as they were at a time.

use std::collections::HashMap;

use serde::Deserialize;
use stockroom_access::Scope;
use stockroom_filter::Key;
use stockroom_model::{ObjectId, Revision, Timestamp, TypeId};

use super::list::query::ObjectQuery;
use super::list::recheck;
use super::read::Objects;
use super::{ObjectRow, with_room};
use crate::Error;
use crate::engine::driver::READ_BYTES;
use crate::engine::driver::sql::Sql;
use crate::engine::statement::Statement;
use crate::records::catalog::{Catalog, TypeEntry};
use crate::records::history::RecordKey;
use crate::records::history::passwords::without_passwords;
use crate::records::history::past::{Past, Present, Rebuild};
use crate::records::image::WHOLE_EVERY;
use crate::resource::Resource;
use crate::transaction::ReadTx;

/// Objects that one read tests.
const MATCHED_AT_ONCE: usize = 500;

// The object as it is, then its changes since the time, newest first. One statement is a view by
// itself, and on PostgreSQL one round trip.
const SELECT_AS_OF: &str = "SELECT public_id AS id, revision, '' AS action, NULL AS image, type_id, 0 AS first, views, doc FROM object WHERE public_id = ?1 \
     UNION ALL SELECT change.record_id, change.revision, change.action, change.image, change.type_id, later.first, NULL, NULL FROM change \
     JOIN (SELECT MIN(revision) AS first FROM change WHERE record_id = ?1 AND resource = 'object' AND name = '' AND at > ?2) AS later \
     ON change.revision >= later.first - 1 AND change.revision < later.first + ?3 \
     WHERE change.record_id = ?1 AND change.resource = 'object' AND change.name = '' ORDER BY first, revision DESC";
const SELECT_IDS: &str = "SELECT public_id FROM object WHERE type_id = ?1 AND public_id > ?2 ORDER BY public_id LIMIT ?3";

/// An object in the past, as a caller may see it.
#[derive(Debug)]
pub enum PastObject {
    /// It existed, and the caller may see it.
    Visible(ObjectRow),
    /// It existed, but the ACL of its type hides it now.
    Hidden,
    /// It did not exist.
    Missing,
    /// It existed, but its state is not known.
    Unknown,
}

/// Objects at a time, up to a byte limit.
#[derive(Debug, Default)]
pub struct PastObjects {
    /// The objects, as in a read of the present.
    pub objects: Objects,
    /// Objects whose state at that time is not known.
    pub unknown: Vec<ObjectId>,
}

/// The members of a document that the row of an object repeats.
#[derive(Deserialize)]
struct Members {
    type_id: TypeId,
    #[serde(default)]
    views: Option<serde::de::IgnoredAny>,
}

/// An object at a time, for any caller.
#[derive(Debug)]
pub struct ObjectAsOf {
    id: ObjectId,
    now: Option<Now>,
    past: Past,
}

/// What the past of an object needs of its row.
#[derive(Debug, Clone, Copy)]
struct Now {
    type_id: TypeId,
    views: Option<i64>,
}

impl Now {
    fn of(row: &ObjectRow) -> Self {
        Self {
            type_id: row.type_id,
            views: row.views,
        }
    }
}

impl ObjectAsOf {
    /// The statement that reads an object at a time.
    #[must_use]
    pub fn statement(id: ObjectId, at: Timestamp) -> Statement<Self> {
        let values = [id.get(), at.0, WHOLE_EVERY];
        Statement::new(Sql::of_ints(SELECT_AS_OF, values), move |rows| {
            let (mut now, mut way) = (None, Rebuild::new(None));
            rows(&mut |row| {
                let first = row.int(5)?;
                if first > 0 {
                    return way.step(row, first - 1);
                }
                now = Some(Now {
                    type_id: row.id(4)?,
                    views: row.opt_int(6)?,
                });
                way = Rebuild::new(Some(Present {
                    revision: Revision(row.int(1)?),
                    document: with_room(row.text(7)?),
                }));
                Ok(())
            })?;
            let past = way.end();
            Ok(Self { id, now, past })
        })
    }

    /// The object as a caller with this scope may see it now. At all times, a hidden object looks as
    /// it does now: otherwise this would tell when it was made and deleted.
    pub fn visible_to(self, catalog: &Catalog, scope: &Scope) -> Result<PastObject, Error> {
        let Self { id, now, past } = self;
        if now.is_some_and(|now| !scope.sees(now.type_id)) {
            return Ok(PastObject::Hidden);
        }
        match past_object(catalog, scope, id, now, past)? {
            PastObject::Hidden if now.is_none() => Ok(PastObject::Missing),
            found => Ok(found),
        }
    }
}

impl ReadTx<'_> {
    /// An object right after the change that led to a revision.
    pub fn object_at_revision(
        &mut self,
        scope: &Scope,
        id: ObjectId,
        revision: Revision,
    ) -> Result<PastObject, Error> {
        let now = self.first(super::SELECT_ONE, &[id.into()], super::object_row)?;
        self.past_of(scope, id, now.as_ref(), revision)
    }

    /// Like [`ReadTx::object_at_revision`], of an object that was read.
    pub fn earlier_object(
        &mut self,
        scope: &Scope,
        row: &ObjectRow,
        revision: Revision,
    ) -> Result<PastObject, Error> {
        self.past_of(scope, row.public_id, Some(row), revision)
    }

    fn past_of(
        &mut self,
        scope: &Scope,
        id: ObjectId,
        now: Option<&ObjectRow>,
        revision: Revision,
    ) -> Result<PastObject, Error> {
        let record = RecordKey::new(Resource::Object, id.get());
        let past = self.past_at_revision(&record, now.map(present), revision)?;
        past_object(self.catalog(), scope, id, now.map(Now::of), past)
    }

    /// An object at a time.
    pub fn object_as_of(
        &mut self,
        scope: &Scope,
        id: ObjectId,
        at: Timestamp,
    ) -> Result<PastObject, Error> {
        let past = self.fetch(&ObjectAsOf::statement(id, at))?;
        past.visible_to(self.catalog(), scope)
    }

    /// The objects with these ids at a time, as [`ReadTx::objects`] reads those of the present.
    pub fn objects_as_of(
        &mut self,
        scope: &Scope,
        ids: &[ObjectId],
        at: Timestamp,
        bytes: usize,
    ) -> Result<PastObjects, Error> {
        let mut wanted = ids;
        loop {
            let mut past = self.read_as_of(scope, wanted, at, bytes)?;
            if wanted.len() > 1 && past.objects.unread.len() == wanted.len() {
                wanted = &wanted[..wanted.len().div_ceil(2)];
                continue;
            }
            let rest = ids.get(wanted.len()..).unwrap_or_default();
            past.objects.unread.extend_from_slice(rest);
            return Ok(past);
        }
    }

    fn read_as_of(
        &mut self,
        scope: &Scope,
        ids: &[ObjectId],
        at: Timestamp,
        bytes: usize,
    ) -> Result<PastObjects, Error> {
        // The scope decides by the type that the object had, which is usually the one that it has.
        let now = self.objects(&Scope::for_maintenance(), ids, bytes)?;
        let read = ids.len() - now.unread.len();
        let now: HashMap<ObjectId, ObjectRow> = now
            .rows
            .into_iter()
            .map(|row| (row.public_id, row))
            .collect();
        let numbers: Vec<i64> = ids[..read].iter().map(|id| id.get()).collect();
        let present = |id| now.get(&ObjectId::new(id)?).map(present);
        let mut pasts = self.pasts_of(Resource::Object, &numbers, present, at.0, bytes)?;
        let mut found = PastObjects::default();
        for (index, id) in ids.iter().enumerate() {
            if index >= read || pasts.unread.contains(&id.get()) {
                found.objects.unread = ids[index..].to_vec();
                break;
            }
            let row = now.get(id);
            let past = match pasts.of.remove(&id.get()) {
                Some(past) => past_object(self.catalog(), scope, *id, row.map(Now::of), past)?,
                None => match row {
                    Some(row) if scope.sees(row.type_id) => PastObject::Visible(ObjectRow {
                        secrets: None,
                        ..row.clone()
                    }),
                    Some(_) => PastObject::Hidden,
                    None => PastObject::Missing,
                },
            };
            match past {
                PastObject::Visible(row) => found.objects.rows.push(row),
                PastObject::Hidden => found.objects.hidden.push(*id),
                PastObject::Unknown => found.unknown.push(*id),
                PastObject::Missing => {}
            }
        }
        Ok(found)
    }

    /// The ids of all objects that are or ever were of a type, in order, after `after`.
    pub fn past_ids_of_type(
        &mut self,
        type_id: TypeId,
        after: Option<ObjectId>,
        limit: usize,
    ) -> Result<Vec<ObjectId>, Error> {
        let after = after.map_or(0, ObjectId::get);
        let rows = i64::try_from(limit).unwrap_or(i64::MAX);
        let params = [type_id.into(), after.into(), rows.into()];
        let mut ids = self.all(SELECT_IDS, &params, |row| row.int(0))?;
        ids.extend(self.deleted_ids(Resource::Object, type_id.get(), after, rows)?);
        ids.sort_unstable();
        ids.dedup();
        ids.truncate(limit);
        Ok(ids.into_iter().filter_map(ObjectId::new).collect())
    }
}

/// Objects at a time that match a query, from one read.
#[derive(Debug, Default)]
pub struct PastMatches {
    /// Their sort keys and ids.
    pub matches: Vec<(Key, ObjectId)>,
    /// Where the next read continues; `None` at the end.
    pub last: Option<ObjectId>,
    /// An object whose state at that time is not known.
    pub unknown: Option<ObjectId>,
    /// How many objects were tested.
    pub tested: usize,
}

impl ReadTx<'_> {
    /// The next objects after `after` that were of a type at a time and match a query. `entry` is
    /// the type as it was.
    pub fn matches_as_of(
        &mut self,
        query: &ObjectQuery,
        entry: &TypeEntry,
        at: Timestamp,
        after: Option<ObjectId>,
    ) -> Result<PastMatches, Error> {
        let type_id = entry.record.public_id;
        let ids = self.past_ids_of_type(type_id, after, MATCHED_AT_ONCE)?;
        // The caller may see the type. An object may have been of another one.
        let everything = Scope::for_maintenance();
        let past = self.objects_as_of(&everything, &ids, at, READ_BYTES)?;
        let read = ids.len() - past.objects.unread.len();
        let mut found = PastMatches {
            last: ids.get(..read).and_then(<[_]>::last).copied(),
            unknown: past.unknown.first().copied(),
            tested: read,
            ..PastMatches::default()
        };
        for row in past.objects.rows {
            if row.type_id == type_id
                && let Some(key) = matching(query, entry, &row)?
            {
                found.matches.push((key, row.public_id));
            }
        }
        Ok(found)
    }
}

/// The sort key of an object if it matches.
fn matching(query: &ObjectQuery, entry: &TypeEntry, row: &ObjectRow) -> Result<Option<Key>, Error> {
    let is_active = !query.active_only || row.object()?.active();
    recheck::matching(query, entry, is_active, &row.document, row.views)
}

fn present(row: &ObjectRow) -> Present {
    Present {
        document: row.document.clone(),
        revision: row.revision,
    }
}

/// A past object. History has neither passwords nor view counts: the row has those of now, or none.
fn past_object(
    catalog: &Catalog,
    scope: &Scope,
    id: ObjectId,
    now: Option<Now>,
    past: Past,
) -> Result<PastObject, Error> {
    let (document, revision) = match without_passwords(catalog, past)? {
        Past::Document { document, revision } => (document, revision),
        Past::Missing => return Ok(PastObject::Missing),
        Past::Unknown { type_id } => {
            let type_id = type_id.or(now.map(|row| row.type_id));
            return Ok(match type_id.filter(|id| scope.sees(*id)) {
                Some(_) => PastObject::Unknown,
                None => PastObject::Hidden,
            });
        }
    };
    let members: Members = serde_json::from_str(&document)?;
    if !scope.sees(members.type_id) {
        return Ok(PastObject::Hidden);
    }
    let views = now.and_then(|row| row.views).unwrap_or_default();
    Ok(PastObject::Visible(ObjectRow {
        public_id: id,
        type_id: members.type_id,
        revision,
        views: members.views.is_none().then_some(views),
        secrets: None,
        document,
    }))
}
