//! Finds objects by the values of their fields, many at once.

use std::collections::{BTreeSet, HashMap};

use serde_json::json;
use stockroom_access::Scope;
use stockroom_filter::{Limits, Order, Parsed, Sort};
use stockroom_model::json::Value;
use stockroom_model::{Object, ObjectId, TypeId};
use stockroom_store::{
    ObjectPage, ObjectQuery, ObjectRow, READ_BYTES, ReadTx, Restriction, Start, Want, Window,
};

use super::plan::By;
use crate::Error;
use crate::object::list::PATHS;

/// How many objects may have the values of one chunk.
const MOST: usize = 20_000;

/// The text of a value by which objects are found: a number and its text are the same.
pub(super) fn key_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        _ => None,
    }
}

/// Passes the visible objects of types whose field has one of the values to `each`.
///
/// # Errors
///
/// [`Error::Invalid`]: they are too many.
pub(super) fn each_with(
    tx: &mut ReadTx<'_>,
    scope: &Scope,
    by: &By,
    values: &BTreeSet<String>,
    mut each: impl FnMut(ObjectRow) -> Result<(), Error>,
) -> Result<(), Error> {
    if values.is_empty() {
        return Ok(());
    }
    let query = query(by, &stored_as(values))?;
    let window = Window {
        start: Start::Offset(0),
        limit: MOST + 1,
    };
    let ObjectPage { rows, unread, .. } =
        tx.list(scope, &query, &window, Want::Objects { total: false })?;
    if rows.len() + unread.len() > MOST {
        let detail = format!(
            "more than {MOST} objects have the values of {} in some rows; name a field that tells them apart",
            by.field
        );
        return Err(Error::invalid("", detail));
    }
    for row in rows {
        each(row)?;
    }
    let mut left: Vec<ObjectId> = unread;
    while !left.is_empty() {
        let found = tx.objects(scope, &left, READ_BYTES)?;
        for row in found.rows {
            each(row)?;
        }
        left = found.unread;
    }
    Ok(())
}

/// The values that a field may have where a file has one of the texts: a number may be stored as
/// such, or as its text.
pub(super) fn stored_as(texts: &BTreeSet<String>) -> Vec<Value> {
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
pub(super) struct Named(HashMap<(By, String), Vec<Candidate>>);

/// An object that the first field names.
#[derive(Debug)]
struct Candidate {
    id: ObjectId,
    /// The values of the other fields; what is empty is an empty text.
    others: Vec<String>,
}

impl Named {
    /// Finds the objects that the texts name.
    pub(super) fn find(
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        wanted: &HashMap<By, BTreeSet<String>>,
    ) -> Result<Self, Error> {
        let mut named = HashMap::new();
        for (by, values) in wanted {
            each_with(tx, scope, by, values, |row| {
                let object: Object = row.object()?;
                let text = |field: &str| object.value(field).and_then(key_text);
                if let Some(first) = text(&by.field) {
                    let others = by.others.iter().map(|other| text(&other.field));
                    let candidate = Candidate {
                        id: row.public_id,
                        others: others.map(Option::unwrap_or_default).collect(),
                    };
                    let found: &mut Vec<_> = named.entry((by.clone(), first)).or_default();
                    found.push(candidate);
                }
                Ok(())
            })?;
        }
        Ok(Self(named))
    }

    /// The objects that have the text in the first field, and `others` in the others.
    pub(super) fn ids(&self, by: &By, text: &str, others: &[String]) -> Vec<ObjectId> {
        let found = self.0.get(&(by.clone(), text.to_owned()));
        let found = found.into_iter().flatten();
        let same = found.filter(|candidate| candidate.others == others);
        same.map(|candidate| candidate.id).collect()
    }
}

/// The types of a field that names objects of one type.
pub(super) fn by_field(type_id: TypeId, field: &str) -> By {
    By {
        types: vec![type_id.get()],
        field: field.to_owned(),
        others: Vec::new(),
    }
}
