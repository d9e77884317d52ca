//! A phase of an import: the references to rows that came later.

use stockroom_model::json::Value;
use stockroom_store::{Visibility, WriteTx};

use crate::Error;
use crate::core::access::Access;
use crate::features::import::prepare::{Context, Links};
use crate::features::import::row_result::{Revisions, RowProblem, RowResult, RowStatus};
use crate::features::import::write::chunk::{Permits, refusal};
use crate::records::object::waiting_writes::WaitingWrites;

/// A row of an earlier phase whose references can be set now.
pub(in crate::features::import) struct ForwardReference {
    /// Its index in the chunk.
    pub(in crate::features::import) index: usize,
    pub(in crate::features::import) links: Result<Links, Vec<RowProblem>>,
}

/// Sets the references of the rows of a chunk to rows that came after them. Returns the index of the
/// first one that is left when the time of the transaction is over.
pub(in crate::features::import) fn set_forward_references(
    tx: &mut WriteTx<'_>,
    context: &Context,
    permits: &Permits,
    rows: &[ForwardReference],
    row_results: &mut [RowResult],
) -> Result<Option<usize>, Error> {
    let mut writes = WaitingWrites::default();
    let end = set_all(tx, (context, permits), rows, row_results, &mut writes)?;
    writes.write(tx)?;
    Ok(end)
}

fn set_all(
    tx: &mut WriteTx<'_>,
    (context, permits): (&Context, &Permits),
    rows: &[ForwardReference],
    row_results: &mut [RowResult],
    writes: &mut WaitingWrites,
) -> Result<Option<usize>, Error> {
    let access = permits.access(tx)?;
    let time = permits.add.service().transaction_time();
    for (done, reference) in rows.iter().enumerate() {
        if done > 0 && time.is_over() {
            return Ok(Some(reference.index));
        }
        let Some(result) = row_results.get_mut(reference.index) else {
            continue;
        };
        let failed = match &reference.links {
            Err(problems) => Some(problems.clone()),
            Ok(links) if context.plan.dry_run => {
                check(tx, &access, links, result)?;
                None
            }
            Ok(Links { patch, .. }) => set(tx, (context, permits), &access, patch, result, writes)?,
        };
        let Some(mut problems) = failed else {
            result.later.clear();
            continue;
        };
        if let Some(id) = result.object.filter(|_| !context.plan.dry_run) {
            let detail = format!("the rest of the row is written to object {id}");
            problems.push(RowProblem::of_row(detail));
        }
        result.status = RowStatus::Error;
        result.problems = problems;
    }
    Ok(None)
}

/// What a dry run says of a row whose references can be set: they change its object, or nothing.
fn check(
    tx: &mut WriteTx<'_>,
    access: &Access,
    links: &Links,
    result: &mut RowResult,
) -> Result<(), Error> {
    let object = result
        .object
        .filter(|_| result.status == RowStatus::Unchanged);
    let Some(id) = object else {
        return Ok(());
    };
    if let Visibility::Visible(row) = tx.object(&access.scope, id)?
        && links.change(&row.object()?)
    {
        result.status = RowStatus::Update;
    }
    Ok(())
}

fn set(
    tx: &mut WriteTx<'_>,
    (context, permits): (&Context, &Permits),
    access: &Access,
    patch: &Value,
    result: &mut RowResult,
    writes: &mut WaitingWrites,
) -> Result<Option<Vec<RowProblem>>, Error> {
    let (Some(id), Some(permit)) = (result.object, &permits.edit) else {
        return Ok(None);
    };
    let Visibility::Visible(row) = tx.object(&access.scope, id)? else {
        let detail = format!("object {id} was deleted meanwhile");
        return Ok(Some(vec![RowProblem::of_row(detail)]));
    };
    match writes.patch(permit, tx, access, &row, patch.clone()) {
        Ok(revision) => {
            let (before, after) = match result.written {
                Some(Revisions(before, after)) => (before, after),
                None => (row.revision, row.revision),
            };
            // What others wrote in between must not be taken back with it.
            if revision != row.revision && after == row.revision {
                result.written = Some(Revisions(before, revision));
            }
            if result.status == RowStatus::Unchanged && result.written.is_some() {
                result.status = RowStatus::Update;
            }
            Ok(None)
        }
        Err(error) => refusal(context, error, patch).map(Some),
    }
}
