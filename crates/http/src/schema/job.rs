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

/// A change of many objects
#[derive(ToSchema)]
pub(crate) struct ObjectJob {
    #[schema(minimum = 1)]
    id: i64,
    state: JobState,
    action: JobAction,
    /// Number of objects
    #[schema(minimum = 0)]
    total: i64,
    /// Number of objects that were dealt with
    #[schema(minimum = 0)]
    done: i64,
    /// Number of objects that were changed
    #[schema(minimum = 0)]
    changed: i64,
    /// Number of objects that were gone, or did not match any more
    #[schema(minimum = 0)]
    skipped: i64,
    /// The first 100 objects that were refused
    failed: Vec<RefusedObject>,
    /// Number of objects that were refused
    #[schema(minimum = 0)]
    failed_total: i64,
    /// Why the job failed
    #[schema(required)]
    error: Option<String>,
    #[schema(example = "2026-01-31T12:00:00.000000")]
    started_at: String,
    #[schema(required)]
    ended_at: Option<String>,
    /// The request id of all its changes
    request_id: String,
    /// Id of the user
    actor: i64,
}

/// An object that was not changed
#[derive(ToSchema)]
struct RefusedObject {
    public_id: i64,
    detail: String,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum JobState {
    Running,
    Done,
    Failed,
    Cancelled,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum JobAction {
    Edit,
    State,
    Delete,
}
