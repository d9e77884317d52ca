//! Edits of objects: what each makes of its object, and many of them written together. Where each
//! statement is a round trip, one by one they take four times as long.

use stockroom_model::{Object, ObjectId, Revision, TypeId};

use super::ObjectRow;
use super::index::{Indexed, Layout};
use super::write::{NewObject, change_of, counts};
use crate::Error;
use crate::engine::driver::{BatchStatement, Param};
use crate::records::image::Before;
use crate::records::r#type::layout::RenamedColumns;
use crate::records::unique::{TypeRule, UniqueRow, rows_of};
use crate::transaction::{Action, WriteTx};

const UPDATE: BatchStatement<'_> = BatchStatement {
    width: 5,
    one: "UPDATE object SET active = ?2, revision = ?3, secrets = ?4, doc = ?5 WHERE public_id = ?1",
    all: "UPDATE object SET active = edit.active, revision = edit.revision, secrets = edit.secrets, doc = edit.doc \
          FROM UNNEST(CAST(?1 AS BIGINT[]), CAST(?2 AS BIGINT[]), CAST(?3 AS BIGINT[]), CAST(?4 AS TEXT[]), CAST(?5 AS TEXT[])) \
          AS edit (public_id, active, revision, secrets, doc) WHERE object.public_id = edit.public_id",
    alike: None,
    copy: None,
};

/// An object that is replaced, not written yet.
#[derive(Debug)]
pub struct ObjectEdit {
    stored: ObjectRow,
    row: ObjectRow,
    before: Version,
    after: Version,
}

/// What index and counters have of an object.
#[derive(Debug)]
struct Version {
    active: bool,
    indexed: Indexed,
    unique: Vec<UniqueRow>,
}

impl Version {
    fn new(id: ObjectId, object: &Object, layout: &Layout, rules: &[TypeRule]) -> Self {
        Self {
            active: object.active(),
            indexed: layout.index(id, object),
            unique: rows_of(rules, id, object),
        }
    }
}

impl ObjectEdit {
    /// The object that is replaced.
    #[must_use]
    pub const fn id(&self) -> ObjectId {
        self.stored.public_id
    }

    /// The revision that it leads to.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        self.row.revision
    }

    /// `layouts` are the columns of the type before and after, `rules` those about its values.
    fn new(
        stored: &ObjectRow,
        before: &Object,
        new: &NewObject,
        layouts: (&Layout, &Layout),
        rules: &[TypeRule],
    ) -> Result<Self, Error> {
        let id = stored.public_id;
        Ok(Self {
            row: row_of(new, stored.revision.next(), stored.views)?,
            stored: stored.clone(),
            before: Version::new(id, before, layouts.0, rules),
            after: Version::new(id, &new.object, layouts.1, rules),
        })
    }

    fn params(&self) -> [Param<'_>; 5] {
        let Self { row, after, .. } = self;
        [
            row.public_id.into(),
            i64::from(after.active).into(),
            row.revision.0.into(),
            row.secrets.as_deref().into(),
            row.document.as_str().into(),
        ]
    }
}

impl WriteTx<'_> {
    /// Replaces an object that the caller may see, and records editor and edit time. Writes nothing
    /// if the object is unchanged.
    pub fn edit_object(&mut self, stored: &ObjectRow, new: NewObject) -> Result<ObjectRow, Error> {
        let Some(edit) = self.object_edit(stored, new)? else {
            return Ok(stored.clone());
        };
        let row = edit.row.clone();
        self.write_object_edits(vec![edit])?;
        Ok(row)
    }

    /// What replaces an object, with editor and edit time; `None` if it is unchanged.
    pub fn object_edit(
        &mut self,
        stored: &ObjectRow,
        mut new: NewObject,
    ) -> Result<Option<ObjectEdit>, Error> {
        let before = stored.object()?;
        if new.object == before && new.secrets == stored.secrets {
            return Ok(None);
        }
        let context = self.context();
        new.object.set("last_edit_time", context.now.to_date());
        new.object.set("editor_id", context.actor.into());
        let entry = self.entry_of(stored)?;
        let layouts = (&entry.layout, &entry.layout);
        ObjectEdit::new(stored, &before, &new, layouts, &entry.unique).map(Some)
    }

    /// Replaces an object without recording an edit; writes nothing if it is unchanged.
    pub fn update_object(
        &mut self,
        stored: &ObjectRow,
        new: &NewObject,
        action: Action,
    ) -> Result<ObjectRow, Error> {
        let before = stored.object()?;
        if new.object == before && new.secrets == stored.secrets {
            return Ok(stored.clone());
        }
        let entry = self.entry_of(stored)?;
        let layouts = (&entry.layout, &entry.layout);
        let edit = ObjectEdit::new(stored, &before, new, layouts, &entry.unique)?;
        let row = edit.row.clone();
        self.replace(vec![edit], action)?;
        Ok(row)
    }

    /// Replaces an object in which fields of its type have other names now.
    pub fn rename_object_fields(
        &mut self,
        stored: &ObjectRow,
        new: &NewObject,
        columns: &RenamedColumns,
    ) -> Result<(), Error> {
        let object = stored.object()?;
        let was_regular = columns.before.rows(stored.public_id, &object).is_some();
        let is_indexed_again = was_regular
            && object
                .field_names()
                .any(|name| columns.gained.contains(name));
        let before = if is_indexed_again {
            &columns.after
        } else {
            &columns.before
        };
        // Its values stay the same, and its rules begin anew.
        let edit = ObjectEdit::new(stored, &object, new, (before, &columns.after), &[])?;
        self.replace(vec![edit], Action::Update)?;
        self.spill_index_rows_if_large()
    }

    /// Writes edits of different objects.
    pub fn write_object_edits(&mut self, edits: Vec<ObjectEdit>) -> Result<(), Error> {
        self.replace(edits, Action::Update)
    }

    fn replace(&mut self, edits: Vec<ObjectEdit>, action: Action) -> Result<(), Error> {
        if edits.is_empty() {
            return Ok(());
        }
        self.replace_documents(&edits)?;
        let listed = self.take_irregular(edits.iter().map(|edit| &edit.stored))?;
        let mut replaced = Vec::with_capacity(edits.len());
        for edit in edits {
            let ObjectEdit {
                stored,
                row,
                before,
                after,
            } = edit;
            self.record_document(&row.document);
            self.unique_changes().replace(&before.unique, &after.unique);
            let listed = listed.get(&row.public_id).copied();
            let old = before.indexed.stored(listed, row.public_id)?;
            let counted = counts(before.active, old.shape).negated();
            self.pending().count(stored.type_id, counted);
            let counted = counts(after.active, after.indexed.shape);
            self.pending().count(row.type_id, counted);
            self.replace_in_index(&row, old.rows, after.indexed)?;
            self.record_search_update(&stored, &row)?;
            replaced.push((stored, row));
        }
        let changes = replaced.iter().map(|(stored, row)| {
            let before = Before::Document {
                before: &stored.document,
                after: &row.document,
            };
            change_of(row, row.revision, action, before)
        });
        self.add_changes(&changes.collect::<Vec<_>>())
    }

    fn replace_documents(&mut self, edits: &[ObjectEdit]) -> Result<(), Error> {
        if self.is_sharded() {
            // A statement is sent to the shard of its object.
            let mut edits = edits.iter();
            return edits.try_for_each(|edit| self.run_each(&UPDATE, &edit.params()));
        }
        let params: Vec<_> = edits.iter().flat_map(ObjectEdit::params).collect();
        self.run_each(&UPDATE, &params)
    }
}

fn row_of(new: &NewObject, revision: Revision, views: Option<i64>) -> Result<ObjectRow, Error> {
    let without = |key: &str| Error::Damaged(format!("a document without {key}"));
    let type_id = new.object.integer("type_id").and_then(TypeId::new);
    Ok(ObjectRow {
        public_id: new.object.public_id().ok_or_else(|| without("public_id"))?,
        type_id: type_id.ok_or_else(|| without("type_id"))?,
        revision,
        views,
        secrets: new.secrets.clone(),
        document: serde_json::to_string(new.object.members())?,
    })
}
