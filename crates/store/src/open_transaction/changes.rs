//! The changes of an open transaction, to tell what a request would do.

use stockroom_model::ObjectId;

use crate::resource::Resource;

/// How many changes are kept one by one.
const KEPT: usize = 100;

/// The changes of a transaction, as its rows of history.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    /// The first ones.
    pub first: Vec<RecordChange>,
    /// The number of all.
    pub total: usize,
    /// The objects that it deletes.
    pub deleted_objects: Vec<ObjectId>,
}

/// A change of one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordChange {
    /// The kind of record.
    pub resource: Resource,
    /// Its id; of a setting, the id of its user.
    pub id: i64,
    /// The identifier of a setting.
    pub name: Option<String>,
    /// What is done to it.
    pub action: &'static str,
}

impl Changes {
    pub(crate) fn add(&mut self, change: RecordChange) {
        self.total += 1;
        if self.first.len() < KEPT {
            self.first.push(change);
        }
    }
}
