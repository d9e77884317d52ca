//! An import as answers show it.

use std::collections::BTreeMap;

use serde::Serialize;
use stockroom_model::json::Value;
use stockroom_model::{ImportId, Timestamp, UserId};
use stockroom_store::{Import, ImportPhase, ImportState};
use utoipa::ToSchema;

use super::file::{ColumnAnswer, File, FileAnswer};
use super::plan::suggestion;
use super::plan::{Plan, PlanAnswer};
use super::row_result::Counts;
use crate::Error;
use crate::core::answer::document;

/// An import of a file
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Import)]
pub struct ImportAnswer {
    #[schema(value_type = i64, minimum = 1)]
    id: ImportId,
    state: ImportState,
    file: FileAnswer,
    /// Number of rows with a value
    #[schema(minimum = 0)]
    rows: i64,
    /// What the last step was asked to do
    #[schema(required)]
    plan: Option<PlanAnswer>,
    /// Number of rows with each status
    counts: BTreeMap<&'static str, i64>,
    /// How much of the step is done, from 0 to 1
    progress: f64,
    /// Why the step failed
    #[schema(required)]
    error: Option<String>,
    #[schema(example = "2026-01-31T12:00:00.000000")]
    created_at: String,
    /// When the last step began
    #[schema(required)]
    started_at: Option<String>,
    #[schema(required)]
    ended_at: Option<String>,
    /// The request id of all changes of the last step
    request_id: String,
    /// Id of the user
    #[schema(value_type = i64)]
    actor: UserId,
    /// What each column holds; not in lists and after steps
    #[serde(skip_serializing_if = "Option::is_none")]
    columns: Option<Vec<ColumnAnswer>>,
    /// The body of a type with a field for each column; where `columns` are
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<serde_json::Map<String, serde_json::Value>>)]
    proposed_type: Option<Value>,
    /// With `type_id`: what a run without columns would do
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) suggested: Option<PlanAnswer>,
}

/// The document of an import, with its columns if asked for.
pub(super) fn answer(import: &Import, with_columns: bool) -> Result<Value, Error> {
    Ok(document(&answer_of(import, with_columns)?))
}

/// An import, with its columns if asked for.
pub(super) fn answer_of(import: &Import, with_columns: bool) -> Result<ImportAnswer, Error> {
    let file = File::read(&import.file)?;
    let step = &import.step;
    Ok(ImportAnswer {
        id: import.id,
        state: step.state,
        rows: import.rows,
        plan: plan(import)?.map(|plan| plan.answer(&file.names())),
        counts: Counts::read(&step.counts)?.answer(),
        progress: progress(import),
        error: import.error.clone(),
        created_at: import.created_at.to_iso(),
        started_at: import.started_at.map(Timestamp::to_iso),
        ended_at: import.ended_at.map(Timestamp::to_iso),
        request_id: step.request_id.clone(),
        actor: import.user,
        columns: with_columns.then(|| file.columns_answer()),
        proposed_type: with_columns.then(|| suggestion::proposed_type(&file, import.user)),
        suggested: None,
        file: file.answer(),
    })
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
        // Missing records come after the last chunk.
        ImportState::Undoing => (import.chunks - 1 - step.next_chunk).max(0),
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
