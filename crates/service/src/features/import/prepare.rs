//! The rows of a chunk as bodies and patches, before its write is queued.

pub(super) mod convert;
pub(super) mod keys;
pub(super) mod lookup;
pub(super) mod names;
mod naming;
mod read_row;
pub(super) mod references;
mod row_keys;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use serde_json::json;
use stockroom_model::json::{Map, Value};
use stockroom_model::kind::reference_target;
use stockroom_model::object::item;
use stockroom_model::{Object, ObjectId, RecordLimits, UserId};
use stockroom_store::{Catalog, TypeEntry};

pub(super) use self::naming::Links;
pub(super) use self::read_row::ReadRow;
use super::plan::{ACTIVE, By, PUBLIC_ID, Plan, Target};
use super::prepare::convert::Cells;
use super::prepare::keys::{ChunkKeys, FileKeys};
use super::prepare::lookup::{ReferencedObjects, key_text};
use super::prepare::names::Name;
use super::row_result::RowProblem;
use crate::Error;
use crate::core::type_templates::TypeTemplates;
use crate::records::object::insert::{Indexing, Insertion};

/// A row that is ready to be written.
#[derive(Clone)]
pub(super) struct PreparedRow {
    pub(super) problems: Vec<RowProblem>,
    pub(super) duplicate_of: Option<u64>,
    /// Its key, in the order of the plan's key.
    pub(super) key: Vec<String>,
    /// What identifies it in its source, if that tracks records.
    pub(super) record: Option<String>,
    /// Whether all its cells are empty.
    pub(super) is_blank: bool,
    pub(super) public_id: Option<ObjectId>,
    /// By places in the plan, if it can change objects that are there.
    values: Vec<Option<Value>>,
    /// The columns that refer to rows further down.
    pub(super) later: Vec<usize>,
    /// In a dry run, the objects of earlier rows that it refers to by id: there they are taken back.
    pub(super) taken_back: Vec<ObjectId>,
    /// In a dry run, whether it refers by name to objects that earlier rows would make.
    pub(super) refers_to_new: bool,
    /// In a dry run, by what later rows can name its object.
    pub(super) names: Vec<Name>,
    /// The references that name several objects.
    pub(super) several: Vec<Several>,
    /// What to insert if no object is there; `None` if the row has problems.
    pub(super) insertion: Option<Insertion>,
}

/// A reference that names several objects. It stays what it is if it refers to one of them.
#[derive(Clone)]
pub(super) struct Several {
    /// Its field.
    pub(super) field: String,
    pub(super) ids: Vec<ObjectId>,
    /// What is wrong otherwise.
    pub(super) problem: RowProblem,
}

/// What the rows of a file are read with.
#[derive(Clone)]
pub(super) struct Context {
    pub(super) plan: Arc<Plan>,
    /// The places of references by key, as they are resolved.
    pub(super) order: Arc<[usize]>,
    pub(super) cells: Cells,
    /// The largest id that the file names.
    pub(super) largest_id: Option<i64>,
    pub(super) entry: Arc<TypeEntry>,
    pub(super) catalog: Arc<Catalog>,
    pub(super) templates: Arc<TypeTemplates>,
    pub(super) limits: RecordLimits,
    pub(super) author: UserId,
}

impl Context {
    /// The objects that references by key name.
    pub(super) fn wanted(&self, rows: &[ReadRow]) -> HashMap<By, BTreeSet<String>> {
        let mut wanted: HashMap<By, BTreeSet<String>> = HashMap::new();
        for (index, mapping) in self.plan.columns.iter().enumerate() {
            if let Some(by) = mapping.target.by() {
                let values = rows
                    .iter()
                    .filter_map(|row| row.values.get(index)?.as_ref());
                let texts = wanted.entry(by.clone()).or_default();
                texts.extend(values.filter_map(key_text));
            }
        }
        wanted
    }

    /// Makes a row ready. `keys` are those of the rows of earlier chunks.
    pub(super) fn prepare(
        &self,
        row: ReadRow,
        named: &ReferencedObjects,
        keys: &FileKeys,
        chunk: &mut ChunkKeys,
    ) -> Result<PreparedRow, Error> {
        let duplicate_of = self.record_keys(&row, named, keys, chunk);
        let own_names = self.names(&row, keys);
        let mut ready = PreparedRow {
            problems: row.problems,
            duplicate_of,
            key: Vec::new(),
            record: row.record,
            is_blank: row.is_blank,
            public_id: None,
            values: Vec::new(),
            later: Vec::new(),
            taken_back: Vec::new(),
            refers_to_new: false,
            names: own_names,
            several: Vec::new(),
            insertion: None,
        };
        let mut values = row.values;
        self.resolve(&mut values, (named, &keys.names), &mut ready);
        self.identify(&values, &mut ready);
        ready.taken_back = self.taken_back(&values, keys);
        if ready.problems.is_empty() && ready.duplicate_of.is_none() {
            if self.plan.needs_edit() {
                ready.values.clone_from(&values);
            }
            let body = self.body(values, ready.public_id);
            let insertion = Insertion::new(&self.catalog, body, &self.limits, Indexing::AtOnce)?;
            ready.insertion = Some(insertion.without_body());
        }
        Ok(ready)
    }

    /// Reads id and key.
    fn identify(&self, values: &[Option<Value>], ready: &mut PreparedRow) {
        for (mapping, value) in self.plan.columns.iter().zip(values) {
            if let (Target::PublicId, Some(value)) = (&mapping.target, value)
                && !value.is_null()
            {
                ready.public_id = stockroom_model::body::integer(value).and_then(ObjectId::new);
                if ready.public_id.is_none() {
                    let problem =
                        RowProblem::of_column(mapping.column, "must be the id of an object");
                    ready.problems.push(problem);
                }
            }
        }
        for index in &self.plan.key {
            let Some(mapping) = self.plan.columns.get(*index) else {
                continue;
            };
            let is_id = matches!(mapping.target, Target::PublicId);
            match values
                .get(*index)
                .and_then(Option::as_ref)
                .and_then(key_text)
            {
                Some(text) => ready.key.push(text),
                // Rows without an id make new objects.
                None if is_id => {}
                // Their records find the objects.
                None if self.plan.tracks() => {
                    ready.key.clear();
                    break;
                }
                None => {
                    let is_in_file = ready.refers_to_new || ready.later.contains(&mapping.column);
                    let detail = if is_in_file {
                        "names no object that is there before the import, but objects are found by it"
                    } else {
                        "is empty, but objects are found by it"
                    };
                    ready
                        .problems
                        .push(RowProblem::of_column(mapping.column, detail));
                }
            }
        }
    }

    /// What references by id name that rows of earlier chunks make, in a dry run.
    fn taken_back(&self, values: &[Option<Value>], keys: &FileKeys) -> Vec<ObjectId> {
        let id = self.plan.index_of(PUBLIC_ID);
        let is_by_id = id.is_some_and(|index| self.plan.key == [index]);
        if !self.plan.dry_run || !is_by_id || self.plan.tracks() {
            return Vec::new();
        }
        let of_own = |id: &ObjectId| keys.has_row(&[id.to_string()]);
        let columns = self.plan.columns.iter().zip(values);
        let by_id =
            columns.filter(|(mapping, _)| matches!(mapping.target, Target::Field { by: None, .. }));
        let targets = by_id.filter_map(|(_, value)| reference_target(value.as_ref()?));
        targets.filter(of_own).collect()
    }

    /// A new object: fields without a column have the value that cleaning would give them.
    fn body(&self, values: Vec<Option<Value>>, public_id: Option<ObjectId>) -> Value {
        let mut given: HashMap<&str, Value> = HashMap::new();
        let mut body = Map::new();
        body.insert("type_id".to_owned(), self.plan.type_id.get().into());
        body.insert("author_id".to_owned(), self.author.get().into());
        for (mapping, value) in self.plan.columns.iter().zip(values) {
            match (&mapping.target, value) {
                (Target::Field { name, .. } | Target::Otherwise { name }, Some(value)) => {
                    given.insert(name, value);
                }
                (Target::Active, Some(value)) if !value.is_null() => {
                    body.insert(ACTIVE.to_owned(), value);
                }
                _ => {}
            }
        }
        if let Some(id) = public_id {
            body.insert(PUBLIC_ID.to_owned(), id.get().into());
        }
        let fields = self.entry.record.fields().iter().map(|field| {
            let value = given.remove(&*field.name);
            item(&field.name, value.unwrap_or_else(|| field.initial_value()))
        });
        body.insert("fields".to_owned(), Value::Array(fields.collect()));
        Value::Object(body)
    }

    /// What to merge into the object that is there: what the cells of the row say, and nothing else.
    pub(super) fn patch(&self, row: &PreparedRow, stored: &Object) -> Value {
        let is_same = |name: &str, value: &Value| is_same(value, stored.value(name));
        let mut patch = Map::new();
        let mut items = Vec::new();
        for (mapping, value) in self.plan.columns.iter().zip(row.values.iter().cloned()) {
            match (&mapping.target, value) {
                (Target::Field { name, .. } | Target::Otherwise { name }, Some(value))
                    if is_same(name, &value) => {}
                (Target::Field { name, .. } | Target::Otherwise { name }, Some(value)) => {
                    items.push(item(name, value));
                }
                (Target::Active, Some(value)) if !value.is_null() => {
                    patch.insert(ACTIVE.to_owned(), value);
                }
                _ => {}
            }
        }
        patch.insert("fields".to_owned(), Value::Array(items));
        Value::Object(patch)
    }

    /// The column of the file that a problem of a body or patch is about.
    pub(super) fn column_of(&self, pointer: &str, sent: &Value) -> Option<usize> {
        let rest = pointer.strip_prefix('/')?;
        let Some(index) = rest.strip_prefix("fields/") else {
            return self.plan.column_of(rest.split('/').next()?);
        };
        let index: usize = index.split('/').next()?.parse().ok()?;
        let name = sent.get("fields")?.get(index)?.get("name")?.as_str()?;
        self.plan.column_of(name)
    }

    /// The fields of a new object in their order, for [`Context::column_of`].
    pub(super) fn field_order(&self) -> Value {
        let fields = self.entry.record.fields().iter();
        let items: Vec<Value> = fields.map(|field| json!({"name": field.name})).collect();
        json!({ "fields": items })
    }
}

/// Whether a cell says what a field holds already. An empty cell is no value, be that null or an
/// empty text, and workbooks do not tell 27 from 27.0.
pub(super) fn is_same(cell: &Value, stored: Option<&Value>) -> bool {
    match (cell, stored) {
        (Value::Null, None) => true,
        (Value::Null, Some(stored)) => stored.is_null() || stored.as_str() == Some(""),
        (Value::Number(cell), Some(Value::Number(stored))) => {
            cell == stored || (cell.is_f64() || stored.is_f64()) && cell.as_f64() == stored.as_f64()
        }
        _ => false,
    }
}
