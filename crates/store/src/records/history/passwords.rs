//! Past objects without secrets.

use std::collections::BTreeSet;

use serde::Deserialize;
use stockroom_model::json::Value;
use stockroom_model::object::item;
use stockroom_model::{Object, TypeId};

use super::past::Past;
use crate::Error;
use crate::records::catalog::Catalog;

/// A past object without the values of fields that are passwords now. Usually there are none: what a
/// field held before it became a password is gone. But a document may have had the field before its
/// type had it.
pub(crate) fn without_passwords(catalog: &Catalog, past: Past) -> Result<Past, Error> {
    let Past::Document { document, revision } = past else {
        return Ok(past);
    };
    let Members { type_id } = serde_json::from_str(&document)?;
    let fields = catalog
        .type_entry(type_id)
        .map_or(&[][..], |entry| entry.record.fields());
    let passwords = fields.iter().filter(|field| field.kind.is_secret());
    let passwords: BTreeSet<&str> = passwords.map(|field| field.name.as_str()).collect();
    let blank = blanked(&document, type_id, &passwords)?;
    Ok(Past::Document {
        document: blank.unwrap_or(document),
        revision,
    })
}

/// The document of an object with null in these fields, if it is of the type; `None` if it has none
/// of their values.
pub(super) fn blanked(
    document: &str,
    of_type: TypeId,
    fields: &BTreeSet<&str>,
) -> Result<Option<String>, Error> {
    if fields.is_empty() {
        return Ok(None);
    }
    let Members { type_id } = serde_json::from_str(document)?;
    if type_id != of_type {
        return Ok(None);
    }
    let mut object = Object::from_document(serde_json::from_str(document)?);
    let is_blank = |(name, value): (&str, &Value)| value.is_null() || !fields.contains(name);
    if object.fields().all(is_blank) {
        return Ok(None);
    }
    let mut items = object.items().to_vec();
    for entry in &mut items {
        let name = entry.get("name").and_then(Value::as_str).map(str::to_owned);
        if let Some(name) = name.filter(|name| fields.contains(name.as_str())) {
            *entry = item(&name, Value::Null);
        }
    }
    object.set_items(items);
    Ok(Some(serde_json::to_string(object.members())?))
}

/// The member of a document that says which fields are passwords.
#[derive(Deserialize)]
struct Members {
    type_id: TypeId,
}
