//! Objects: their documents, columns and references, chunk by chunk.

use std::collections::HashSet;

use stockroom_filter::Datum;
use stockroom_model::json::Value;
use stockroom_model::{Object, ObjectId, TypeId};

use super::index::{Sum, indexed};
use super::report::Kind;
use super::{Checker, Mode, unique};
use crate::Error;
use crate::engine::counters::Counts;
use crate::engine::driver::{Param, Row};
use crate::records::object::index::Shape;
use crate::resource::Resource;

/// Objects whose rows are compared at a time. Each needs 80 bytes, and each chunk reads the whole
/// index, which is not in the order of objects.
const CHUNK: usize = if cfg!(test) { 8 } else { 250_000 };
/// Objects of one statement; their references are looked up together.
const PAGE: usize = if cfg!(test) { 3 } else { 2_000 };

const SELECT_OBJECTS: &str = "SELECT public_id, type_id, active, revision, doc FROM object \
     WHERE public_id > ?1 ORDER BY public_id LIMIT ?2";
const SELECT_EXISTING: &str =
    "SELECT public_id FROM object WHERE public_id IN (SELECT value FROM rarray(?1))";
const SET_COLUMNS: &str = "UPDATE object SET type_id = ?2, active = ?3 WHERE public_id = ?1";

/// A range of ids with its objects.
pub(super) struct Chunk {
    /// Ids in the range are above this one.
    pub(super) after: i64,
    /// The last id of the range.
    pub(super) last: i64,
    pub(super) objects: Vec<Checked>,
}

/// An object whose document was read.
pub(super) struct Checked {
    pub(super) id: i64,
    pub(super) type_id: i64,
    /// `None` once its history was read.
    revision: Option<i64>,
    pub(super) is_active: bool,
    /// What the index should have of it; `None` if the document cannot be read.
    pub(super) expected: Option<(Shape, Sum)>,
    /// The index rows that are there.
    pub(super) found: Sum,
    /// The shape that it has by the list of irregular objects.
    pub(super) found_shape: Shape,
    /// What it should hold of the values that only one object may have; `None` if the document
    /// cannot be read.
    pub(super) unique: Option<Sum>,
    /// What it holds of them.
    pub(super) found_unique: Sum,
}

/// A page of objects on the way into a chunk.
#[derive(Default)]
struct Page {
    objects: Vec<Checked>,
    /// Objects with the ids that their fields name.
    references: Vec<(i64, String, i64)>,
    /// Objects whose columns differ from the document.
    columns: Vec<(i64, i64, bool)>,
}

impl Checker<'_> {
    pub(super) fn check_objects(&mut self) -> Result<(), Error> {
        let mut after = i64::MIN;
        loop {
            let mut chunk = self.read_chunk(after)?;
            self.check_history(&mut chunk)?;
            for object in chunk
                .objects
                .iter()
                .filter(|object| object.revision.is_some())
            {
                let line = format!("object {}: it has no history", object.id);
                self.report.add(Kind::History, line);
            }
            self.check_index(&mut chunk)?;
            self.check_unique(&mut chunk)?;
            self.count(&chunk);
            after = chunk.last;
            if after == i64::MAX {
                break;
            }
        }
        self.repair_holders()?;
        self.report_without_history();
        Ok(())
    }

    fn read_chunk(&mut self, after: i64) -> Result<Chunk, Error> {
        let mut chunk = Chunk {
            after,
            last: after,
            objects: Vec::new(),
        };
        loop {
            let page = self.read_page(chunk.last)?;
            let is_last = page.objects.len() < PAGE;
            self.check_references(&page.references)?;
            self.repair_columns(&page.columns)?;
            chunk.last = page.objects.last().map_or(chunk.last, |object| object.id);
            chunk.objects.extend(page.objects);
            if is_last {
                // Rows of objects that do not exist come after the last one, too.
                chunk.last = i64::MAX;
                return Ok(chunk);
            }
            if chunk.objects.len() >= CHUNK {
                return Ok(chunk);
            }
        }
    }

    fn read_page(&mut self, after: i64) -> Result<Page, Error> {
        let mut page = Page::default();
        let limit = i64::try_from(PAGE).unwrap_or(i64::MAX);
        let mut lines = Vec::new();
        let (layouts, references) = (&self.layouts, &self.references);
        let rules = &self.rules;
        let params = [after.into(), limit.into()];
        self.driver.query(SELECT_OBJECTS, &params, &mut |row| {
            let mut object = head(row)?;
            let Some(document) = parsed(row.text(4)?, object.id, &mut lines) else {
                page.objects.push(object);
                return Ok(());
            };
            let is_active = row.int(2)? != 0;
            page.check_columns(&mut object, is_active, &document, &mut lines);
            let type_id = TypeId::new(object.type_id);
            let layout = type_id.and_then(|id| layouts.get(&id));
            if layout.is_none() {
                let line = format!(
                    "object {}: its type {} does not exist",
                    object.id, object.type_id
                );
                lines.push((Kind::Link, line));
            }
            if let Some(id) = ObjectId::new(object.id) {
                let indexed = indexed(layout, id, &document);
                object.expected = Some((indexed.shape, Sum::of(&indexed.rows)));
                let rules = type_id.and_then(|id| rules.get(&id));
                object.unique = Some(unique::expected(rules, id, &document));
            }
            let names = type_id.and_then(|id| references.get(&id));
            page.record_references(object.id, &document, names.map_or(&[], Vec::as_slice));
            page.objects.push(object);
            Ok(())
        })?;
        for (kind, line) in lines {
            self.report.add(kind, line);
        }
        self.report.objects += page.objects.len() as u64;
        for object in &page.objects {
            self.record_seen_id(Resource::Object, object.id);
        }
        Ok(page)
    }

    /// An object may name one that was deleted or does not exist yet.
    fn check_references(&mut self, references: &[(i64, String, i64)]) -> Result<(), Error> {
        let mut ids: Vec<i64> = references.iter().map(|(_, _, to)| *to).collect();
        ids.sort_unstable();
        ids.dedup();
        let mut existing = HashSet::new();
        if !ids.is_empty() && self.mode == Mode::Check {
            self.driver
                .query(SELECT_EXISTING, &[Param::Ints(&ids)], &mut |row| {
                    existing.insert(row.int(0)?);
                    Ok(())
                })?;
            for (from, field, to) in references {
                if !existing.contains(to) {
                    let line =
                        format!("object {from}: `{field}` names object {to}, which does not exist");
                    self.report.add(Kind::Reference, line);
                }
            }
        }
        Ok(())
    }

    fn repair_columns(&mut self, columns: &[(i64, i64, bool)]) -> Result<(), Error> {
        if self.repairs() {
            for (id, type_id, is_active) in columns {
                let params = [*id, *type_id, i64::from(*is_active)];
                self.driver.execute(SET_COLUMNS, &params.map(Into::into))?;
            }
        }
        Ok(())
    }

    fn count(&mut self, chunk: &Chunk) {
        for object in &chunk.objects {
            if let Some(type_id) = TypeId::new(object.type_id) {
                self.counts.entry(type_id).or_default().add(Counts {
                    total: 1,
                    active: i64::from(object.is_active),
                    irregular: i64::from(object.found_shape.is_irregular()),
                });
            }
        }
    }
}

impl Chunk {
    pub(super) fn get(&mut self, id: i64) -> Option<&mut Checked> {
        let index = self.objects.binary_search_by_key(&id, |object| object.id);
        self.objects.get_mut(index.ok()?)
    }

    /// The revision of an object, once.
    pub(super) fn take_revision(&mut self, id: i64) -> Option<i64> {
        self.get(id)?.revision.take()
    }
}

impl Page {
    /// The document decides.
    fn check_columns(
        &mut self,
        object: &mut Checked,
        is_active: bool,
        document: &Object,
        lines: &mut Vec<(Kind, String)>,
    ) {
        let id = object.id;
        if document.public_id().map(ObjectId::get) != Some(id) {
            lines.push((
                Kind::Document,
                format!("object {id}: the document is the one of another id"),
            ));
        }
        let type_id = document.integer("type_id").unwrap_or(object.type_id);
        if type_id != object.type_id {
            let line = format!(
                "object {id}: the column type_id is {}, the document has {type_id}",
                object.type_id
            );
            lines.push((Kind::Column, line));
        }
        if is_active != document.active() {
            let line = format!("object {id}: the column active differs from the document");
            lines.push((Kind::Column, line));
        }
        if type_id != object.type_id || is_active != document.active() {
            self.columns.push((id, type_id, document.active()));
        }
        object.type_id = type_id;
        object.is_active = document.active();
    }

    fn record_references(&mut self, id: i64, document: &Object, names: &[String]) {
        for name in names {
            let target = document.value(name).and_then(named_object);
            self.references
                .extend(target.map(|to| (id, name.clone(), to)));
        }
    }
}

fn head(row: &dyn Row) -> Result<Checked, Error> {
    Ok(Checked {
        id: row.int(0)?,
        type_id: row.int(1)?,
        revision: Some(row.int(3)?),
        is_active: row.int(2)? != 0,
        expected: None,
        found: Sum::default(),
        found_shape: Shape::Regular,
        unique: None,
        found_unique: Sum::default(),
    })
}

fn parsed(text: &str, id: i64, lines: &mut Vec<(Kind, String)>) -> Option<Object> {
    match serde_json::from_str::<Value>(text) {
        Ok(document) if document.is_object() => Some(Object::from_document(document)),
        Ok(_) => {
            lines.push((Kind::Document, format!("object {id}: it is no JSON object")));
            None
        }
        Err(error) => {
            lines.push((
                Kind::Document,
                format!("object {id}: it cannot be read: {error}"),
            ));
            None
        }
    }
}

/// The id in the value of a reference, which may be a number or a text.
fn named_object(value: &Value) -> Option<i64> {
    match Datum::of(value) {
        Datum::Null => None,
        _ => value
            .as_i64()
            .or_else(|| value.as_str()?.parse().ok())
            .filter(|id| *id > 0),
    }
}
