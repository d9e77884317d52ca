//! Writes of objects: the row, its index rows, the counters and the row in `change` together.

use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_filter::{Datum, Key};
use stockroom_model::json::Value;
use stockroom_model::object::UnsavedObject;
use stockroom_model::{Object, ObjectId, Revision, TypeId};

use super::ObjectRow;
use super::index::{IndexRow, Indexed, Shape};
use super::irregular::{INSERT_IRREGULAR, irregular};
use super::list::query::ObjectQuery;
use super::list::window::{Want, Window};
use super::prepared::PreparedObject;
use crate::Error;
use crate::engine::counters::Counts;
use crate::engine::driver::{BatchStatement, Param};
use crate::records::catalog::TypeEntry;
use crate::records::image::Before;
use crate::records::pending::Step;
use crate::records::unique::{UniqueRow, rows};
use crate::resource::Resource;
use crate::transaction::{Action, Change, WriteTx};

/// The parts of an object that replaces a stored one.
#[derive(Debug, Clone)]
pub struct NewObject {
    /// The document without `views`; its `public_id` and `type_id` go into the row.
    pub object: Object,
    /// Encrypted values of password fields.
    pub secrets: Option<String>,
}

/// An object to insert under a free id.
#[derive(Debug, Clone)]
pub struct ObjectInsert {
    /// Its id.
    pub id: ObjectId,
    /// Its first revision.
    pub revision: Revision,
    /// How often it was viewed; `None` if the document says it.
    pub views: Option<i64>,
    /// Encrypted values of password fields.
    pub secrets: Option<String>,
    /// Its document and index rows.
    pub object: PreparedObject,
}

/// A row to insert, and what is known of its document.
struct Inserted {
    row: ObjectRow,
    active: bool,
    indexed: Indexed,
    unique: Vec<UniqueRow>,
}

const INSERT: BatchStatement<'_> = BatchStatement {
    width: 7,
    one: "INSERT INTO object (public_id, type_id, active, revision, views, secrets, doc) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    all: "INSERT INTO object (public_id, type_id, active, revision, views, secrets, doc) \
          SELECT * FROM UNNEST(CAST(?1 AS BIGINT[]), CAST(?2 AS BIGINT[]), CAST(?3 AS BIGINT[]), CAST(?4 AS BIGINT[]), CAST(?5 AS BIGINT[]), \
          CAST(?6 AS TEXT[]), CAST(?7 AS TEXT[]))",
    alike: None,
    copy: Some(
        "COPY object (public_id, type_id, active, revision, views, secrets, doc) FROM STDIN (FORMAT binary)",
    ),
};
const ADD_VIEWS: &str = "UPDATE object SET views = views + ?2 WHERE public_id = ?1";

impl WriteTx<'_> {
    /// The number of matching objects that `scope` sees, including this commit's own writes.
    pub fn count_objects(&mut self, scope: &Scope, query: &ObjectQuery) -> Result<i64, Error> {
        self.write_pending_rows()?;
        let page = self.list(scope, query, &Window::everything(), Want::Total)?;
        let count = page.total.unwrap_or(0);
        i64::try_from(count).map_err(|_| Error::Damaged(format!("{count} objects")))
    }

    /// Makes lists of the objects of a type whose field has one of `values` show this commit's own
    /// writes. That costs little if it has written no such object.
    pub fn show_writes_with<'v>(
        &mut self,
        type_id: TypeId,
        field: &str,
        values: impl Iterator<Item = &'v Value>,
    ) -> Result<(), Error> {
        let entry = self.type_entry(type_id)?;
        let Some(column) = entry.and_then(|entry| entry.layout.field(field)) else {
            return Ok(());
        };
        let key = |value| Key::of(Datum::of(value), column.text_bytes).into_bytes();
        let keys = values.map(key).collect();
        if self.pending().concerns(column.id, &keys) {
            self.write_pending_rows()?;
        }
        Ok(())
    }

    /// Inserts an object under a free id.
    pub fn insert_object(&mut self, insert: ObjectInsert) -> Result<ObjectRow, Error> {
        let mut rows = self.insert_objects(vec![insert])?;
        rows.pop()
            .ok_or_else(|| Error::Damaged("an insert without a row".to_owned()))
    }

    /// Inserts objects under free ids, all at once where the engine can.
    pub fn insert_objects(&mut self, inserts: Vec<ObjectInsert>) -> Result<Vec<ObjectRow>, Error> {
        let now = self.context().now;
        let mut inserted = Vec::with_capacity(inserts.len());
        for insert in inserts {
            let (type_id, active) = (insert.object.type_id, insert.object.active);
            let entry = self.type_entry(type_id)?;
            let rules = entry.as_ref().map_or(&[][..], |entry| &entry.unique);
            let unique = rows(insert.id, insert.object.held(rules));
            let (document, indexed) = insert.object.finish(insert.id, now);
            let row = ObjectRow {
                public_id: insert.id,
                type_id,
                revision: insert.revision,
                views: insert.views,
                secrets: insert.secrets,
                document,
            };
            inserted.push(Inserted {
                row,
                active,
                indexed,
                unique,
            });
        }
        self.insert_rows(inserted)
    }

    /// Inserts a document without validation: old data may have values that no body may have, such
    /// as `views` that are not a number.
    ///
    /// # Errors
    ///
    /// The engine failed, or the document lacks an id or a type.
    pub fn insert_old_document(&mut self, mut object: Object) -> Result<ObjectRow, Error> {
        let without = |key: &str| Error::Damaged(format!("a document without {key}"));
        let id = object.public_id().ok_or_else(|| without("public_id"))?;
        let type_id = object.type_id().ok_or_else(|| without("type_id"))?;
        let views = object.take_integer("views");
        let unsaved = UnsavedObject::from(object);
        let object = match self.type_entry(type_id)? {
            Some(entry) => PreparedObject::new(&unsaved, &entry)?,
            None => PreparedObject::without_type(&unsaved)?,
        };
        let revision = self.claim_id(Resource::Object, id.get())?;
        self.insert_object(ObjectInsert {
            id,
            revision,
            views,
            secrets: None,
            object,
        })
    }

    fn insert_rows(&mut self, inserted: Vec<Inserted>) -> Result<Vec<ObjectRow>, Error> {
        let params: Vec<Param<'_>> = inserted
            .iter()
            .flat_map(|Inserted { row, active, .. }| {
                [
                    row.public_id.into(),
                    row.type_id.into(),
                    i64::from(*active).into(),
                    row.revision.0.into(),
                    row.views.into(),
                    row.secrets.as_deref().into(),
                    row.document.as_str().into(),
                ]
            })
            .collect();
        self.run_many(&INSERT, &params)?;
        let mut rows = Vec::with_capacity(inserted.len());
        for Inserted {
            row,
            active,
            indexed,
            unique,
        } in inserted
        {
            self.unique_changes().replace(&[], &unique);
            self.record_document(&row.document);
            self.pending()
                .count(row.type_id, counts(active, indexed.shape));
            self.replace_in_index(&row, Vec::new(), indexed)?;
            self.record_search_insert(&row);
            self.pending()
                .record_object(row.type_id, row.public_id, Step::Insert);
            rows.push(row);
        }
        let changes = rows
            .iter()
            .map(|row| change_of(row, row.revision, Action::Insert, Before::Nothing));
        self.add_changes(&changes.collect::<Vec<_>>())?;
        Ok(rows)
    }

    /// Replaces the index rows of an object that is not listed as irregular.
    pub(in crate::records) fn replace_in_index(
        &mut self,
        row: &ObjectRow,
        old: Vec<IndexRow>,
        new: Indexed,
    ) -> Result<(), Error> {
        if let Some(params) = irregular(row.type_id.get(), row.public_id.get(), new.shape) {
            self.run_one(INSERT_IRREGULAR, &params.map(Into::into))?;
        }
        self.pending().replace(old, new.rows);
        Ok(())
    }

    /// The type of a stored object.
    pub(in crate::records) fn entry_of(
        &mut self,
        stored: &ObjectRow,
    ) -> Result<Arc<TypeEntry>, Error> {
        let entry = self.type_entry(stored.type_id)?;
        entry.ok_or_else(|| Error::Damaged(format!("object {} has no type", stored.public_id)))
    }

    /// Adds to the view count, outside of revisions and history. Ignores objects that no longer
    /// exist.
    pub fn add_views(&mut self, id: ObjectId, count: i64) -> Result<(), Error> {
        self.run(ADD_VIEWS, &[id.into(), count.into()]).map(drop)
    }
}

pub(super) fn change_of<'c>(
    row: &ObjectRow,
    revision: Revision,
    action: Action,
    before: Before<'c>,
) -> Change<'c> {
    Change {
        resource: Resource::Object,
        id: row.public_id.get(),
        name: "",
        type_id: Some(row.type_id),
        revision,
        action,
        before,
    }
}

pub(super) fn counts(active: bool, shape: Shape) -> Counts {
    Counts {
        total: 1,
        active: i64::from(active),
        irregular: i64::from(shape.is_irregular()),
    }
}
