//! `GET /imports/{public_id}/missing`: the objects whose records are missing from the file, with
//! their results.

use serde::Serialize;
use stockroom_access::permission::ObjectImport;
use stockroom_model::json::Value;
use stockroom_model::{ImportId, ObjectId};
use stockroom_store::{Import, ReadTx};
use utoipa::ToSchema;

use super::access::accessible;
use super::progress;
use super::row_result::{ProblemAnswer, RowResult, RowStatus};
use super::rows::{MAX_ROWS, RowsPage, RowsRequest, read_cursor, row_results};
use super::sync::LinkChange;
use crate::core::answer::document;
use crate::{Error, Permit};

/// Reads a page of missing records.
///
/// # Errors
///
/// [`Error::Invalid`]: the cursor is none.
pub async fn missing(
    permit: &Permit<ObjectImport>,
    id: ImportId,
    request: RowsRequest,
) -> Result<RowsPage, Error> {
    let position = match request.after.as_deref() {
        None | Some("") => (0, 0),
        Some(cursor) => read_cursor(cursor)
            .ok_or_else(|| Error::invalid("after", "is no cursor of a page of missing records"))?,
    };
    let limit = request.limit.clamp(1, MAX_ROWS);
    let reader = permit.clone();
    let read = permit.read_newest(move |tx| {
        let import = accessible(&reader, tx, id)?;
        page(tx, &import, position, limit)
    });
    read.await
}

fn page(
    tx: &mut ReadTx<'_>,
    import: &Import,
    (mut chunk, mut skipped): (i64, usize),
    limit: usize,
) -> Result<RowsPage, Error> {
    let last = progress::last_chunk(tx, import)?;
    chunk = chunk.max(import.chunks);
    let mut results = Vec::new();
    while chunk <= last {
        for (index, result) in row_results(tx, import, chunk)?
            .iter()
            .enumerate()
            .skip(skipped)
        {
            if results.len() == limit {
                let after = Some(format!("{chunk}.{index}"));
                return Ok(RowsPage { results, after });
            }
            results.push(answer(result));
        }
        (chunk, skipped) = (chunk + 1, 0);
    }
    Ok(RowsPage {
        results,
        after: None,
    })
}

/// An object whose record the file lacks
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportMissing)]
pub struct MissingAnswer {
    /// Id of the object
    #[schema(value_type = i64)]
    object: Option<ObjectId>,
    /// The values of the columns that identify the record; null after an undo
    #[schema(value_type = Option<Vec<String>>, required)]
    external_key: Option<Value>,
    status: MissingStatus,
    problems: Vec<ProblemAnswer>,
}

/// What became of it: the source has treated it, has not been able to, or it was taken back
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = ImportMissingStatus)]
#[serde(rename_all = "lowercase")]
enum MissingStatus {
    Missing,
    Kept,
    Undone,
}

fn answer(result: &RowResult) -> Value {
    let problems = result.problems.iter();
    document(&MissingAnswer {
        object: result.object,
        external_key: result.link.as_ref().map(LinkChange::key),
        status: match result.status {
            RowStatus::Missing => MissingStatus::Missing,
            RowStatus::Undone => MissingStatus::Undone,
            _ => MissingStatus::Kept,
        },
        problems: problems.map(|problem| problem.answer(&[])).collect(),
    })
}
