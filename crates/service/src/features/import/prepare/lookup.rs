//! Finds objects by the values of their fields, many at once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::json;
use stockroom_access::Scope;
use stockroom_filter::{Limits, Order, Parsed, Sort};
use stockroom_model::json::{Number, Value};
use stockroom_model::{Object, ObjectId, TypeId};
use stockroom_render::{SUMMARY_SEPARATOR, summary_line};
use stockroom_store::{
    Catalog, ObjectBatches, ObjectQuery, ObjectRow, ReadTx, Restriction, Start, Want, Window,
};

use crate::Error;
use crate::core::r#type_templates::TypeTemplates;
use crate::features::import::plan::By;
use crate::records::object::labels::record;
use crate::records::object::list::PATHS;
use crate::records::object::secrets::masked;

/// How many objects may have the values of one chunk.
const MOST: usize = 20_000;

/// The text of a value by which objects are found: a number and its text are the same.
pub(in crate::features::import) fn key_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number_text(number)),
        Value::Bool(value) => Some(value.to_string()),
        _ => None,
    }
}

/// The text of a number, which is the same for 77 and 77.0.
fn number_text(number: &Number) -> String {
    match stockroom_model::body::integer(&Value::Number(number.clone())) {
        Some(integer) => integer.to_string(),
        None => number.to_string(),
    }
}

/// Passes the visible objects of types whose field has one of the values to `each`, which says
/// whether to go on.
///
/// # Errors
///
/// [`Error::Invalid`]: they are too many.
pub(in crate::features::import) fn each_with(
    tx: &mut ReadTx<'_>,
    scope: &Scope,
    by: &By,
    values: &BTreeSet<String>,
    mut each: impl FnMut(ObjectRow) -> Result<bool, Error>,
) -> Result<(), Error> {
    if values.is_empty() {
        return Ok(());
    }
    let query = query(by, &stored_as(values))?;
    let window = Window {
        start: Start::Offset(0),
        limit: MOST + 1,
    };
    let ids = tx
        .list(scope, &query, &window, Want::Ids { total: false })?
        .unread;
    if ids.len() > MOST {
        let detail = format!(
            "more than {MOST} objects have the values of {} in some rows; name a field that tells them apart",
            by.field
        );
        return Err(Error::invalid("", detail));
    }
    let mut batches = ObjectBatches::new(ids);
    while let Some(found) = batches.next(tx, scope)? {
        for row in found.rows {
            if !each(row)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The values that a field may have where a file has one of the texts: a number may be stored as
/// such, or as its text.
pub(in crate::features::import) fn stored_as(texts: &BTreeSet<String>) -> Vec<Value> {
    let as_json = |text: &String| match serde_json::from_str(text) {
        Ok(value @ (Value::Number(_) | Value::Bool(_))) => Some(value),
        _ => None,
    };
    let other = texts.iter().filter_map(as_json);
    let texts = texts.iter().map(|text| Value::from(text.as_str()));
    texts.chain(other).collect()
}

fn query(by: &By, values: &[Value]) -> Result<ObjectQuery, Error> {
    let filter = json!({
        "type_id": {"$in": by.types},
        "fields": {"$elemMatch": {"name": by.field, "value": {"$in": values}}},
    });
    let limits = Limits {
        max_in: usize::MAX,
        ..Limits::default()
    };
    let checked = Parsed::from_value(&filter, &limits).and_then(|parsed| parsed.check(&PATHS));
    Ok(ObjectQuery {
        filter: checked.map_err(|invalid| Error::internal(invalid.detail))?,
        sort: Sort::objects("public_id", Order::Ascending),
        active_only: false,
        restriction: Restriction::None,
    })
}

/// What references are resolved with: the objects that fields name.
#[derive(Debug, Default)]
pub(in crate::features::import) struct ReferencedObjects(HashMap<(By, String), Vec<Candidate>>);

/// An object that the first field names.
#[derive(Debug)]
struct Candidate {
    id: ObjectId,
    /// The values of the other fields; what is empty is an empty text.
    others: Vec<String>,
}

impl ReferencedObjects {
    /// Finds the objects that the texts name. Files for people have their summary lines, which
    /// begin with the first field of the summary.
    pub(in crate::features::import) fn find(
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        templates: &TypeTemplates,
        wanted: &HashMap<By, BTreeSet<String>>,
    ) -> Result<Self, Error> {
        let mut named = Self::default();
        for (by, values) in wanted {
            let mut all = values.clone();
            all.extend(values.iter().filter_map(|text| first_part(text)));
            let has_lines = values.iter().any(|text| is_summary_line(text));
            each_with(tx, scope, by, &all, |row| {
                let object: Object = row.object()?;
                let text = |field: &str| object.value(field).and_then(key_text);
                if let Some(first) = text(&by.field) {
                    let others = by.others.iter().map(|other| text(&other.field));
                    let others = others.map(Option::unwrap_or_default).collect();
                    named.add(by, first, row.public_id, others);
                }
                if has_lines {
                    named.add_line(by, values, templates, row)?;
                }
                Ok(true)
            })?;
            for other in others_shown(by, tx.catalog()).filter(|_| has_lines) {
                each_with(tx, scope, &other, &all, |row| {
                    named.add_line(by, values, templates, row)?;
                    Ok(true)
                })?;
            }
        }
        Ok(named)
    }

    /// Adds an object by its summary line, if that is one of the texts.
    fn add_line(
        &mut self,
        by: &By,
        texts: &BTreeSet<String>,
        templates: &TypeTemplates,
        row: ObjectRow,
    ) -> Result<(), Error> {
        let Some(template) = templates.get(row.type_id) else {
            return Ok(());
        };
        let (id, record) = (row.public_id, record(masked(row)?.document)?);
        let line = summary_line(&record, template);
        if first_part(&line).is_some() && texts.contains(&line) {
            self.add(by, line, id, Vec::new());
        }
        Ok(())
    }

    fn add(&mut self, by: &By, text: String, id: ObjectId, others: Vec<String>) {
        let found = self.0.entry((by.clone(), text)).or_default();
        found.push(Candidate { id, others });
    }

    /// The objects that have the text in the first field, and `others` in the others.
    pub(in crate::features::import) fn ids(
        &self,
        by: &By,
        text: &str,
        others: &[String],
    ) -> Vec<ObjectId> {
        let found = self.0.get(&(by.clone(), text.to_owned()));
        let found = found.into_iter().flatten();
        let same = found.filter(|candidate| candidate.others == others);
        same.map(|candidate| candidate.id).collect()
    }
}

/// The types whose summary begins with another field, and that field.
fn others_shown(by: &By, catalog: &Catalog) -> impl Iterator<Item = By> + use<> {
    let mut others: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for id in &by.types {
        let entry = TypeId::new(*id).and_then(|id| catalog.type_entry(id));
        let first = entry.and_then(|entry| entry.record.render_meta.summary.fields.first());
        if let Some(first) = first.filter(|first| **first != by.field) {
            others.entry(first.clone()).or_default().push(*id);
        }
    }
    others.into_iter().map(|(field, types)| By {
        types,
        field,
        others: Vec::new(),
    })
}

/// Whether a text may be a summary line of several values.
pub(in crate::features::import) fn is_summary_line(text: &str) -> bool {
    first_part(text).is_some()
}

/// The first value of a summary line that has several.
fn first_part(line: &str) -> Option<String> {
    line.split_once(SUMMARY_SEPARATOR)
        .map(|(first, _)| first.to_owned())
}

/// The types of a field that names objects of one type.
pub(in crate::features::import) fn by_field(type_id: TypeId, field: &str) -> By {
    By {
        types: vec![type_id.get()],
        field: field.to_owned(),
        others: Vec::new(),
    }
}
