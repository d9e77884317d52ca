//! The changes of an open transaction, to tell what a request would do.

use serde::Serialize;
use stockroom_model::ObjectId;
use utoipa::ToSchema;

use crate::resource::Resource;
use crate::transaction::Action;

/// How many changes are kept one by one.
const KEPT: usize = 100;

/// The changes of a transaction, as its rows of history
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub struct Changes {
    /// The first 100 changes
    #[serde(rename = "changes")]
    pub first: Vec<RecordChange>,
    /// Number of changes
    #[schema(value_type = i64, minimum = 0)]
    pub total: usize,
    /// The objects that it deletes
    #[serde(skip)]
    pub deleted_objects: Vec<ObjectId>,
}

/// A change of a record
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Effect)]
pub struct RecordChange {
    /// The kind of record
    pub resource: Resource,
    /// Its id; of a setting, the id of its user
    #[serde(rename = "public_id")]
    pub id: i64,
    /// What is done to it
    pub action: Action,
    /// The identifier of a setting
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub name: Option<String>,
}

impl Changes {
    pub(crate) fn add(&mut self, change: RecordChange) {
        self.total += 1;
        if self.first.len() < KEPT {
            self.first.push(change);
        }
    }
}
