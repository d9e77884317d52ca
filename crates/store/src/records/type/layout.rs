//! The index columns of a type, and how a change of them affects the rows of its objects.

use std::collections::{BTreeSet, HashMap, HashSet};

use stockroom_access::Scope;
use stockroom_filter::TEXT_BYTES;
use stockroom_model::r#type::{FieldDefinition, Rename};
use stockroom_model::{ObjectId, Type, TypeId};

use crate::Error;
use crate::engine::counters::Counts;
use crate::engine::driver::sql::Sql;
use crate::engine::driver::{BatchStatement, Param, Row};
use crate::records::object::index::{
    Column, IndexRow, Layout, MEMBERS, UNKNOWN_FIELDS, missing_keys, unknown_field,
};
use crate::records::object::read::{ObjectBatches, ObjectsOfType};
use crate::resource::Resource;
use crate::transaction::{ReadTx, WriteTx};

/// Bytes of a text in the keys of long fields.
const LONG_TEXT_BYTES: usize = 32;

/// The objects, and their bytes, up to which the rows of a type are rebuilt when the length changes
/// at which texts of a field are cut: other writes wait. Any length is right; with a shorter one,
/// sorts read documents.
const MOST_REBUILT: i64 = if cfg!(test) { 4 } else { 20_000 };
const MOST_REBUILT_BYTES: usize = 16 * 1_024 * 1_024;

const SELECT_ALL: &str = "SELECT member, name, field_id, text_bytes, type_id FROM type_field";
const SELECT_OF_TYPE: &str =
    "SELECT member, name, field_id, text_bytes FROM type_field WHERE type_id = ?1";
pub(crate) const SELECT_LAST_ID: &str = "SELECT MAX(field_id) FROM type_field";
pub(crate) const INSERT: &str = "INSERT INTO type_field (field_id, type_id, member, name, text_bytes) VALUES (?1, ?2, ?3, ?4, ?5)";
const SET_NAME: &str = "UPDATE type_field SET name = ?2 WHERE field_id = ?1";
const INSERT_COLUMNS: BatchStatement<'_> = BatchStatement {
    width: 5,
    one: INSERT,
    all: "INSERT INTO type_field (field_id, type_id, member, name, text_bytes) \
          SELECT * FROM UNNEST(CAST(?1 AS BIGINT[]), CAST(?2 AS BIGINT[]), CAST(?3 AS BIGINT[]), CAST(?4 AS TEXT[]), CAST(?5 AS BIGINT[]))",
    alike: None,
    copy: None,
};
const SET_TEXT_BYTES: &str = "UPDATE type_field SET text_bytes = ?2 WHERE field_id = ?1";
const FILL: &str = "INSERT INTO object_field (field_id, key, object_id) SELECT CAST(?1 AS BIGINT), ?2, public_id FROM object \
     WHERE type_id = ?3 AND NOT EXISTS (SELECT 1 FROM object_irregular WHERE object_id = object.public_id AND type_id = ?3)";
const SELECT_IRREGULAR: &str = "SELECT object_id FROM object_irregular WHERE type_id = ?1";

/// The columns of a type whose fields get other names, before and after.
pub struct RenamedColumns {
    pub(crate) before: Layout,
    pub(crate) after: Layout,
    /// The new names that had no column.
    pub(crate) gained: BTreeSet<String>,
}

impl ReadTx<'_> {
    /// The columns of every type.
    pub(crate) fn layouts(&mut self) -> Result<HashMap<TypeId, Layout>, Error> {
        let mut layouts: HashMap<TypeId, Layout> = HashMap::new();
        self.each(SELECT_ALL, &[], |row| {
            add(layouts.entry(row.id(4)?).or_default(), row)
        })?;
        Ok(layouts)
    }

    /// The columns of one type.
    pub(crate) fn layout(&mut self, id: TypeId) -> Result<Layout, Error> {
        let mut layout = Layout::default();
        self.each(SELECT_OF_TYPE, &[id.get().into()], |row| {
            add(&mut layout, row)
        })?;
        Ok(layout)
    }

    /// The names of the fields that a type has or once had.
    pub fn known_fields(&mut self, id: TypeId) -> Result<HashSet<String>, Error> {
        let layout = self.layout(id)?;
        Ok(layout.fields().map(|(name, _)| name.to_owned()).collect())
    }
}

impl WriteTx<'_> {
    /// Gives every new field a column and adapts the rows of the objects.
    pub(super) fn sync_columns(&mut self, definition: &Type) -> Result<(), Error> {
        self.touch(Resource::Type)?;
        let id = definition.public_id;
        self.changed_types().remove(&id);
        let before = self.layout(id)?;
        let mut after = before.clone();
        let last = self.first(SELECT_LAST_ID, &[], |row| row.opt_int(0))?;
        let mut last = last.flatten().unwrap_or(0);
        let mut added = Vec::new();
        for name in MEMBERS.iter().filter(|name| before.member(name).is_none()) {
            last += 1;
            let column = Column {
                id: last,
                text_bytes: TEXT_BYTES,
            };
            added.extend(params_of(&column, id, true, name));
            after.add(true, (*name).to_owned(), column);
        }
        let has_other_length = |field: &FieldDefinition| {
            let column = before.field(&field.name);
            column.is_some_and(|column| column.text_bytes != text_bytes(field))
        };
        let can_rebuild =
            definition.fields().iter().any(has_other_length) && self.can_rebuild(id)?;
        let mut lengths_changed = false;
        let mut new = Vec::new();
        let mut gained = BTreeSet::new();
        for field in definition.fields() {
            let text_bytes = text_bytes(field);
            let column = match before.field(&field.name) {
                Some(column) if column.text_bytes == text_bytes || !can_rebuild => continue,
                Some(column) => {
                    let column = Column {
                        text_bytes,
                        ..column
                    };
                    let params = [column.id.into(), bytes(text_bytes).into()];
                    self.run_one(SET_TEXT_BYTES, &params)?;
                    lengths_changed = true;
                    column
                }
                None => {
                    last += 1;
                    let column = Column {
                        id: last,
                        text_bytes,
                    };
                    added.extend(params_of(&column, id, false, &field.name));
                    new.push(column);
                    gained.insert(field.name.clone());
                    column
                }
            };
            after.add(false, field.name.clone(), column);
        }
        self.run_many(&INSERT_COLUMNS, &added)?;
        if new.is_empty() && !lengths_changed {
            return Ok(());
        }
        self.fill(id, &new)?;
        self.index_gained_fields(id, (&before, &after), &new, &gained)?;
        if lengths_changed {
            self.rebuild_keys(id, &before, &after)?;
        }
        Ok(())
    }

    /// Gives the columns of renamed fields their new names, so that the rows of objects stay as they
    /// are. A field whose new name has a column keeps its own: its values move to that one.
    pub fn rename_columns(
        &mut self,
        id: TypeId,
        renames: &[Rename],
    ) -> Result<RenamedColumns, Error> {
        self.touch(Resource::Type)?;
        let before = self.layout(id)?;
        let mut gained = BTreeSet::new();
        for Rename { from, to, .. } in renames {
            if let (Some(column), None) = (before.field(from), before.field(to)) {
                self.run_one(SET_NAME, &[column.id.into(), to.as_str().into()])?;
                gained.insert(to.clone());
            }
        }
        self.changed_types().remove(&id);
        let after = self.layout(id)?;
        // An object may have a value under the new name, of which there was no column.
        self.index_gained_fields(id, (&before, &after), &[], &gained)?;
        Ok(RenamedColumns {
            before,
            after,
            gained,
        })
    }

    fn can_rebuild(&mut self, id: TypeId) -> Result<bool, Error> {
        let are_few = self.count_objects_of_type(&Scope::for_maintenance(), id)? <= MOST_REBUILT;
        Ok(are_few && self.bytes_of_type(id)? <= MOST_REBUILT_BYTES)
    }

    /// Indexes the fields that a type gains in the objects that had them already. In the columns
    /// `filled`, all regular objects have the rows of objects that lack the field.
    fn index_gained_fields(
        &mut self,
        type_id: TypeId,
        (before, after): (&Layout, &Layout),
        filled: &[Column],
        gained: &BTreeSet<String>,
    ) -> Result<(), Error> {
        let names = gained.iter().map(String::as_str);
        let mut batches = self.objects_that_gain(type_id, names)?;
        while let Some(objects) = batches.next(self, &Scope::for_maintenance())? {
            for row in objects.rows {
                let (id, object) = (row.public_id, row.object()?);
                let Some(mut old) = before.rows(id, &object) else {
                    continue;
                };
                // Long names may have the same key.
                if !object.field_names().any(|name| gained.contains(name)) {
                    continue;
                }
                old.extend(filled.iter().flat_map(|column| missing(*column, id)));
                let new = after.index(id, &object);
                let counted = Counts {
                    irregular: i64::from(new.shape.is_irregular()),
                    ..Counts::default()
                };
                self.pending().count(type_id, counted);
                self.replace_in_index(&row, old, new)?;
            }
            self.spill_index_rows_if_large()?;
        }
        Ok(())
    }

    /// The objects that are read and indexed anew when their type gains fields of these names, which
    /// it never had. Some may have other fields instead.
    pub fn objects_that_gain<'n>(
        &mut self,
        type_id: TypeId,
        names: impl Iterator<Item = &'n str>,
    ) -> Result<ObjectBatches, Error> {
        let ids = self.objects_with_unknown_fields(type_id, names)?;
        Ok(ObjectBatches::new(ids))
    }

    /// The regular objects of a type that have fields of these names.
    fn objects_with_unknown_fields<'n>(
        &mut self,
        type_id: TypeId,
        names: impl Iterator<Item = &'n str>,
    ) -> Result<Vec<ObjectId>, Error> {
        let keys: Vec<Vec<u8>> = names.map(|name| unknown_field(name).into_bytes()).collect();
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        self.write_pending_rows()?;
        let mut sql = Sql::new("SELECT public_id FROM object WHERE type_id = ");
        sql.int(type_id);
        sql.push(" AND public_id IN (SELECT object_id FROM object_field WHERE field_id = ");
        sql.int(UNKNOWN_FIELDS).push(" AND ");
        sql.among_bytes("key", keys);
        sql.push(") ORDER BY public_id");
        self.all_of(&sql, |row| row.id(0))
    }

    /// The objects of a type that may have a field of one of these names, which the type never had.
    pub fn objects_that_may_have(
        &mut self,
        type_id: TypeId,
        names: &BTreeSet<&str>,
    ) -> Result<ObjectBatches, Error> {
        let mut ids = self.objects_with_unknown_fields(type_id, names.iter().copied())?;
        ids.extend(self.irregular_objects(type_id)?);
        ids.sort_unstable();
        Ok(ObjectBatches::new(ids))
    }

    fn irregular_objects(&mut self, type_id: TypeId) -> Result<Vec<ObjectId>, Error> {
        self.all(SELECT_IRREGULAR, &[type_id.into()], |row| row.id(0))
    }

    /// Adds the rows of new columns, in which no object has a value yet.
    fn fill(&mut self, type_id: TypeId, columns: &[Column]) -> Result<(), Error> {
        if self.count_objects_of_type(&Scope::for_maintenance(), type_id)? == 0 {
            return Ok(());
        }
        self.pending().record_untracked_rows();
        for column in columns {
            for (id, key) in missing_keys(*column) {
                self.run(FILL, &[id.into(), key.as_slice().into(), type_id.into()])?;
            }
        }
        Ok(())
    }

    /// Rebuilds the rows whose texts are cut at another length now.
    fn rebuild_keys(
        &mut self,
        type_id: TypeId,
        before: &Layout,
        after: &Layout,
    ) -> Result<(), Error> {
        let everything = Scope::for_maintenance();
        let irregular: HashSet<ObjectId> = self.irregular_objects(type_id)?.into_iter().collect();
        let mut objects = ObjectsOfType::new(type_id);
        loop {
            let rows = objects.next(self, &everything)?;
            if rows.is_empty() {
                return Ok(());
            }
            for row in rows
                .iter()
                .filter(|row| !irregular.contains(&row.public_id))
            {
                let object = row.object()?;
                let id = row.public_id;
                if let (Some(old), Some(new)) = (before.rows(id, &object), after.rows(id, &object))
                {
                    self.pending().replace(old, new);
                }
            }
            self.spill_index_rows_if_large()?;
        }
    }
}

/// The rows of a regular object that lacks a field.
fn missing(column: Column, object_id: ObjectId) -> impl Iterator<Item = IndexRow> {
    let row = move |(field_id, key)| IndexRow {
        field_id,
        key,
        object_id,
    };
    missing_keys(column).into_iter().map(row)
}

/// Bytes of a text in the keys of a field.
pub(crate) fn text_bytes(field: &FieldDefinition) -> usize {
    if field.is_long() {
        LONG_TEXT_BYTES
    } else {
        TEXT_BYTES
    }
}

/// The row of a column in `type_field`.
pub(crate) fn params_of<'n>(
    column: &Column,
    of: TypeId,
    is_member: bool,
    name: &'n str,
) -> [Param<'n>; 5] {
    [
        column.id.into(),
        of.into(),
        i64::from(is_member).into(),
        name.into(),
        bytes(column.text_bytes).into(),
    ]
}

pub(crate) fn bytes(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn add(layout: &mut Layout, row: &dyn Row) -> Result<(), Error> {
    let column = Column {
        id: row.int(2)?,
        text_bytes: usize::try_from(row.int(3)?).unwrap_or_default(),
    };
    layout.add(row.int(0)? == 1, row.text(1)?.to_owned(), column);
    Ok(())
}
