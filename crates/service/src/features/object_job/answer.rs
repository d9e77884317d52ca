//! A job as answers show it.

use serde_json::json;
use stockroom_model::Timestamp;
use stockroom_model::json::Value;
use stockroom_store::ObjectJob;

use super::request::action_of;
use crate::Error;

pub(super) fn answer(job: &ObjectJob) -> Result<Value, Error> {
    let request: Value = serde_json::from_str(&job.order.request).map_err(Error::internal)?;
    let progress = &job.progress;
    let failed: Value = serde_json::from_str(&progress.problems).map_err(Error::internal)?;
    Ok(json!({
        "id": job.id,
        "state": job.state.as_str(),
        "action": action_of(&request["body"]),
        "total": job.order.total,
        "done": progress.done,
        "changed": progress.changed,
        "skipped": progress.skipped,
        "failed": failed,
        "failed_total": progress.failed,
        "error": job.error,
        "started_at": job.started_at.to_iso(),
        "ended_at": job.ended_at.map(Timestamp::to_iso),
        "request_id": job.order.request_id,
        "actor": job.order.user,
    }))
}
