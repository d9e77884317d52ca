//! Filters and sorts of objects, and what they mean.

use std::cmp::Ordering;

use fastrand::Rng;
use serde_json::{Value, json};

use crate::model::{Records, ids, is_of};

/// The value of a field.
pub(crate) fn value<'d>(document: &'d Value, name: &str) -> Option<&'d Value> {
    let fields = document["fields"].as_array().unwrap();
    let field = fields.iter().find(|field| field["name"] == name)?;
    field.get("value")
}

#[derive(Debug, Clone)]
pub(crate) enum Filter {
    Everything,
    Type(i64),
    Active,
    Notes(String),
    /// Null, or missing.
    NoSerial,
    Ids(Vec<i64>),
}

impl Filter {
    /// Some filter for the objects among these records.
    pub(crate) fn any(random: &mut Rng, records: &Records) -> Self {
        match random.u8(0..7) {
            0 => Self::Everything,
            1 => Self::Active,
            2 if is_field("serial", records) => Self::NoSerial,
            3 if is_field("notes", records) => Self::Notes(format!("notes {}", random.u8(2..6))),
            4 => {
                let ids = ids(records, "objects").into_iter();
                Self::Ids(ids.filter(|_| random.bool()).collect())
            }
            _ => {
                let of_type = random.choice(ids(records, "types"));
                of_type.map_or(Self::Everything, Self::Type)
            }
        }
    }

    pub(crate) fn to_json(&self) -> Value {
        match self {
            Self::Everything => json!({}),
            Self::Type(id) => json!({"type_id": id}),
            Self::Active => json!({"active": true}),
            Self::Notes(text) => json!({"fields.notes": {"$regex": text}}),
            Self::NoSerial => json!({"fields.serial": null}),
            Self::Ids(ids) => json!({"public_id": {"$in": ids}}),
        }
    }

    pub(crate) fn matches(&self, document: &Value) -> bool {
        match self {
            Self::Everything => true,
            Self::Type(id) => document["type_id"] == *id,
            Self::Active => document["active"] == true,
            Self::Notes(text) => {
                let notes = value(document, "notes").and_then(Value::as_str);
                notes.is_some_and(|notes| notes.contains(text))
            }
            Self::NoSerial => value(document, "serial").is_none_or(Value::is_null),
            Self::Ids(ids) => ids.iter().any(|id| document["public_id"] == *id),
        }
    }
}

/// A path to sort the objects among these records by.
pub(crate) fn any_sort(random: &mut Rng, records: &Records) -> &'static str {
    let by = random.choice(["public_id", "type_id", "fields.name", "fields.place"]);
    let by = by.unwrap();
    let name = by.strip_prefix("fields.");
    if name.is_none_or(|name| is_field(name, records)) {
        by
    } else {
        "public_id"
    }
}

/// Whether a type has a field of that name: other names are paths through the document.
fn is_field(name: &str, records: &Records) -> bool {
    let mut types = records.iter().filter(|(path, _)| is_of(path, "types"));
    types.any(|(_, definition)| {
        let fields = definition["fields"].as_array().unwrap();
        fields.iter().any(|field| field["name"] == name)
    })
}

/// Sorts documents, which are in the order of their ids.
pub(crate) fn sort(documents: &mut [&Value], path: &str, is_ascending: bool) {
    let key = |document: &Value| match path.strip_prefix("fields.") {
        Some(name) => value(document, name).cloned().unwrap_or_default(),
        None => document[path].clone(),
    };
    documents.sort_by(|one, other| {
        let order = compare(&key(one), &key(other));
        if is_ascending { order } else { order.reverse() }
    });
}

fn compare(one: &Value, other: &Value) -> Ordering {
    let rank = |value: &Value| match value {
        Value::Null => 0,
        Value::Number(_) => 1,
        _ => 2,
    };
    rank(one)
        .cmp(&rank(other))
        .then_with(|| one.as_i64().cmp(&other.as_i64()))
        .then_with(|| one.as_str().cmp(&other.as_str()))
}
