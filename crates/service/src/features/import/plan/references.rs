//! How a reference names its object.

use serde::{Deserialize, Serialize};
use serde_json::json;
use stockroom_model::json::{Map, Value};

use super::Mapping;

/// A field that names the objects of types, alone or together with others.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(in crate::features::import) struct By {
    pub(in crate::features::import) types: Vec<i64>,
    /// The field that has the value of the reference's own column.
    pub(in crate::features::import) field: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::features::import) others: Vec<Other>,
}

/// Another field of the object, and the column of the file that has its value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(in crate::features::import) struct Other {
    pub(in crate::features::import) field: String,
    pub(in crate::features::import) column: usize,
}

impl By {
    /// All fields that tell the object.
    pub(in crate::features::import) fn fields(&self) -> impl Iterator<Item = &str> {
        let others = self.others.iter().map(|other| other.field.as_str());
        std::iter::once(self.field.as_str()).chain(others)
    }

    /// As in a body: the name of the field, or the columns by the names of their fields.
    pub(super) fn answer(&self, column: &str, columns: &[&str]) -> Value {
        if self.others.is_empty() {
            return json!(self.field);
        }
        let mut members = Map::new();
        members.insert(self.field.clone(), json!(column));
        for other in &self.others {
            members.insert(other.field.clone(), json!(columns.get(other.column)));
        }
        Value::Object(members)
    }
}

/// The places of references by key in an order in which each comes after those that tell its object.
/// Those in a circle are missing.
pub(in crate::features::import) fn in_order(columns: &[Mapping]) -> Vec<usize> {
    let by = |index: usize| columns.get(index)?.target.by();
    let all = 0..columns.len();
    let mut left: Vec<usize> = all.filter(|index| by(*index).is_some()).collect();
    let mut ordered = Vec::with_capacity(left.len());
    loop {
        let waits_for = |other: &Other| {
            let column = |index: &usize| columns.get(*index).map(|mapping| mapping.column);
            left.iter().any(|index| column(index) == Some(other.column))
        };
        let (waiting, ready): (Vec<usize>, Vec<usize>) = (left.iter().copied())
            .partition(|index| by(*index).is_some_and(|by| by.others.iter().any(waits_for)));
        if ready.is_empty() {
            return ordered;
        }
        ordered.extend(ready);
        left = waiting;
    }
}
