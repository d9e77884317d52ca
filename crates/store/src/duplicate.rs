//! What is told of values that only one object may have.

use stockroom_model::json::Value;
use stockroom_model::{ObjectId, TypeId};

/// Values of an object that another one holds.
#[derive(Debug, Clone)]
pub struct Duplicate {
    /// The type of both.
    pub type_id: TypeId,
    /// The names of the fields of the rule.
    pub fields: Vec<String>,
    /// How messages name these fields.
    pub titles: Vec<String>,
    /// The values of these fields.
    pub values: Vec<Value>,
    /// The object that may not have them.
    pub object: ObjectId,
    /// The object that holds them.
    pub holder: ObjectId,
    /// Whether the same change gave them to that object, so that nobody knows of it yet.
    pub is_new: bool,
}
