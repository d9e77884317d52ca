//! Where objects stand. DATAGERRY 2 keeps a tree of locations beside the objects; a location field
//! holds the location above, and Stockroom's holds the object there.

use std::collections::HashMap;

use serde_json::Value;
use stockroom_model::body::integer;

use crate::fit::Members;

/// The tree of locations.
#[derive(Debug, Default)]
pub(crate) struct Locations {
    /// The location above, by object.
    above: HashMap<i64, i64>,
    /// The object of a location.
    objects: HashMap<i64, i64>,
}

impl Locations {
    pub(crate) fn add(&mut self, members: &Members) {
        let number = |key: &str| members.get(key).and_then(integer);
        let Some(object) = number("object_id").filter(|object| *object > 0) else {
            return;
        };
        if let Some(id) = number("public_id") {
            self.objects.insert(id, object);
        }
        if let Some(above) = number("parent") {
            self.above.insert(object, above);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.above.len().max(self.objects.len())
    }

    /// The id of the object at the location above an object, or null for the root. `None` if the
    /// tree does not have the object below the location `held`.
    pub(crate) fn object_above(&self, object: i64, held: i64) -> Option<Value> {
        let above = self.above.get(&object).filter(|above| **above == held)?;
        Some(Value::from(self.objects.get(above).copied()))
    }
}
