//! `GET /imports/{public_id}/missing`: the objects whose records are missing from the file, with
//! their verdicts.

use serde_json::json;
use stockroom_access::permission::ObjectImport;
use stockroom_model::ImportId;
use stockroom_model::json::Value;
use stockroom_store::{Import, ReadTx};

use super::access::accessible;
use super::progress;
use super::rows::{MAX_ROWS, RowsPage, RowsRequest, place, verdicts};
use super::sync::LinkChange;
use super::verdict::Verdict;
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
    let place = match request.after.as_deref() {
        None | Some("") => (0, 0),
        Some(cursor) => place(cursor)
            .ok_or_else(|| Error::invalid("after", "is no cursor of a page of missing records"))?,
    };
    let limit = request.limit.unwrap_or(100).clamp(1, MAX_ROWS);
    let reader = permit.clone();
    let read = permit.read_newest(move |tx| {
        let import = accessible(&reader, tx, id)?;
        page(tx, &import, place, limit)
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
        for (place, verdict) in verdicts(tx, import, chunk)?
            .iter()
            .enumerate()
            .skip(skipped)
        {
            if results.len() == limit {
                let after = Some(format!("{chunk}.{place}"));
                return Ok(RowsPage { results, after });
            }
            results.push(answer(verdict));
        }
        (chunk, skipped) = (chunk + 1, 0);
    }
    Ok(RowsPage {
        results,
        after: None,
    })
}

fn answer(verdict: &Verdict) -> Value {
    let problems = verdict.problems.iter();
    json!({
        "object": verdict.object,
        "external_key": verdict.link.as_ref().map(LinkChange::key),
        "verdict": verdict.outcome.as_str(),
        "problems": problems.map(|problem| problem.answer(&[])).collect::<Vec<_>>(),
    })
}
