use std::collections::BTreeMap;

use serde_json::{Map, Value};
use utoipa::ToSchema;

/// What to change: `set`, `clear` and `append` together, or `state`, or `delete`
#[derive(ToSchema)]
pub(crate) struct ObjectJobBody {
    /// The objects, in the MongoDB query language
    filter: Map<String, Value>,
    /// The number of objects that you expect to match; another number is refused with 412
    #[schema(minimum = 0, maximum = 1_000_000)]
    total: i64,
    /// The revision that you have seen of each object, by id: an object with another one is refused.
    /// At most 10,000; not with `"references": "clear"`
    #[schema(required = false, example = json!({"3": 2, "4": 1}))]
    if_revisions: Option<BTreeMap<String, i64>>,
    /// Values by field
    #[schema(required = false)]
    set: Option<Map<String, Value>>,
    /// Fields that become null
    #[schema(required = false)]
    clear: Option<Vec<String>>,
    /// Texts that are added to the values, by field; null counts as empty
    #[schema(required = false)]
    append: Option<BTreeMap<String, String>>,
    /// Whether the objects become active or inactive
    #[schema(required = false)]
    state: Option<bool>,
    /// True deletes the objects
    #[schema(required = false)]
    delete: Option<bool>,
    /// Only with `delete`: what happens to objects that refer to a deleted one; by default they
    /// keep the value
    #[schema(required = false)]
    references: Option<JobReferences>,
    /// The reason for the history, like the header `X-Comment`; at most 1,024 bytes
    #[schema(required = false)]
    comment: Option<String>,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum JobReferences {
    Protect,
    Clear,
}
