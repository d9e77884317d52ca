//! An import as answers show it.

use serde_json::json;
use stockroom_model::Timestamp;
use stockroom_model::json::Value;
use stockroom_store::{Import, ImportPhase, ImportState};

use super::file::File;
use super::plan::Plan;
use super::verdict::Counts;
use crate::Error;

/// The document of an import, with its columns if asked for.
pub(super) fn answer(import: &Import, with_columns: bool) -> Result<Value, Error> {
    let file = File::read(&import.file)?;
    let step = &import.step;
    let plan = plan(import)?.map(|plan| plan.answer(&file.names()));
    let mut answer = json!({
        "id": import.id,
        "state": step.state.as_str(),
        "file": file.answer(),
        "rows": import.rows,
        "plan": plan,
        "counts": Counts::read(&step.counts)?.answer(),
        "progress": progress(import),
        "error": import.error,
        "created_at": import.created_at.to_iso(),
        "started_at": import.started_at.map(Timestamp::to_iso),
        "ended_at": import.ended_at.map(Timestamp::to_iso),
        "request_id": step.request_id,
        "actor": import.user,
    });
    if with_columns {
        let (columns, proposed_type) = file.columns_answer(import.user);
        answer["columns"] = columns;
        answer["proposed_type"] = proposed_type;
    }
    Ok(answer)
}

/// What to do with the rows; `None` before the first step.
pub(super) fn plan(import: &Import) -> Result<Option<Plan>, Error> {
    if import.step.plan == "{}" {
        return Ok(None);
    }
    serde_json::from_str(&import.step.plan)
        .map(Some)
        .map_err(Error::internal)
}

/// How much of the running step is done, from 0 to 1.
fn progress(import: &Import) -> f64 {
    let step = &import.step;
    let done = match step.state {
        ImportState::Uploading | ImportState::Ready => return 0.0,
        ImportState::Checking | ImportState::Importing => step.next_chunk,
        ImportState::Undoing => import.chunks - 1 - step.next_chunk,
        _ => return 1.0,
    };
    // What comes after it is short, and most imports have nothing of it.
    let is_first = matches!(step.phase, ImportPhase::Rows | ImportPhase::Undo(0));
    if !is_first || import.chunks == 0 {
        return 0.99;
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "a fraction of a few thousand chunks"
    )]
    let fraction = done as f64 / import.chunks as f64;
    (fraction * 100.0).floor() / 100.0
}
