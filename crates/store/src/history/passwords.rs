//! Past objects without secrets.

use serde::Deserialize;
use stockroom_model::json::Value;
use stockroom_model::object::item;
use stockroom_model::r#type::FieldDefinition;
use stockroom_model::{Object, TypeId};

use super::past::Past;
use crate::Error;
use crate::catalog::Catalog;

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
