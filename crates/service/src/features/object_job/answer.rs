//! A job as answers show it.

use serde::{Deserialize, Serialize};
use stockroom_model::json::Value;
use stockroom_model::{ObjectId, ObjectJobId, Timestamp, UserId};
use stockroom_store::{JobState, ObjectJob};
use utoipa::ToSchema;

use crate::Error;
use crate::core::answer::document;

/// A change of many objects
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ObjectJob)]
pub struct ObjectJobAnswer {
    #[schema(value_type = i64, minimum = 1)]
    id: ObjectJobId,
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
    #[schema(value_type = i64)]
    actor: UserId,
}

/// What a job does
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum JobAction {
    Edit,
    State,
    Delete,
}

impl JobAction {
    /// The action of a job with this body.
    fn of(body: &Value) -> Self {
        if body.get("delete").is_some() {
            Self::Delete
        } else if body.get("state").is_some() {
            Self::State
        } else {
            Self::Edit
        }
    }
}

/// An object that was not changed
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(super) struct RefusedObject {
    #[schema(value_type = i64)]
    pub(super) public_id: ObjectId,
    /// Why
    pub(super) detail: String,
}

pub(super) fn answer(job: &ObjectJob) -> Result<Value, Error> {
    let request: Value = serde_json::from_str(&job.order.request).map_err(Error::internal)?;
    let progress = &job.progress;
    Ok(document(&ObjectJobAnswer {
        id: job.id,
        state: job.state,
        action: JobAction::of(&request["body"]),
        total: job.order.total,
        done: progress.done,
        changed: progress.changed,
        skipped: progress.skipped,
        failed: serde_json::from_str(&progress.problems).map_err(Error::internal)?,
        failed_total: progress.failed,
        error: job.error.clone(),
        started_at: job.started_at.to_iso(),
        ended_at: job.ended_at.map(Timestamp::to_iso),
        request_id: job.order.request_id.clone(),
        actor: job.order.user,
    }))
}
