//! Objects before their insert.

use super::Object;
use crate::Timestamp;
use crate::id::ObjectId;

/// An object to insert.
#[derive(Debug, Clone)]
pub struct UnsavedObject {
    /// Its document, with 0 in place of an id that it lacks.
    pub object: Object,
    /// Whether the insert sets the id of the document.
    pub lacks_id: bool,
    /// Whether the insert sets the creation time of the document.
    pub lacks_creation_time: bool,
}

impl UnsavedObject {
    /// The object as inserted.
    #[must_use]
    pub fn saved(mut self, id: ObjectId, now: Timestamp) -> Object {
        if self.lacks_id {
            self.object.set("public_id", id.get().into());
        }
        if self.lacks_creation_time {
            self.object.set("creation_time", now.to_date());
        }
        self.object
    }
}

impl From<Object> for UnsavedObject {
    /// An object that was stored before. Its document stays as it is: old ones may have their id as
    /// `7.0`.
    fn from(object: Object) -> Self {
        Self {
            object,
            lacks_id: false,
            lacks_creation_time: false,
        }
    }
}
