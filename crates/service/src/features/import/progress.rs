//! What follows a chunk: the next chunk, the next phase, the next step, or the end.

use stockroom_store::{
    Import, ImportPhase, ImportState, ImportStep, ReadTx, WriteTx, end_of_lease,
};

use super::access::existing;
use super::plan::{Plan, Policy};
use super::row_result::{self, Counts, RowResult, RowStatus};
use super::write::ahead::PreparedChunk;
use super::{answer, sync::missing};
use crate::Error;
use crate::core::worker::Worker;

/// How often an undo goes through all rows: an object can be deleted once those that refer to it
/// are. In the first round, those that must stay lose their references to rows further down.
const UNDO_ROUNDS: i64 = 10;

/// The import, if `worker` may still work on the chunk at which it found it.
pub(super) fn current(
    tx: &mut WriteTx<'_>,
    worker: &Worker,
    found: &Import,
) -> Result<Option<Import>, Error> {
    let import = tx.import(found.id)?.filter(|import| {
        let (now, then) = (&import.step, &found.step);
        let position = |step: &ImportStep| (step.state, step.phase, step.next_chunk, step.next_row);
        position(now) == position(then) && now.request_id == then.request_id
    });
    let Some(import) = import else {
        return Ok(None);
    };
    let step = &import.step;
    let is_ours = worker.may_take(tx, &step.node, step.lease_until)?;
    Ok(is_ours.then_some(import))
}

/// Adds the results of the next rows of a chunk, of which `ready` has the rest, and goes on.
pub(super) fn add(
    tx: &mut WriteTx<'_>,
    worker: &Worker,
    import: Import,
    ready: &PreparedChunk,
    row_results: Vec<RowResult>,
) -> Result<(), Error> {
    let before = if import.step.next_row == 0 {
        ready.before.clone()
    } else {
        let text = tx.import_results(import.id, import.step.next_chunk)?;
        row_result::read_results(&text.unwrap_or_default())?
    };
    let problem = refused(&row_results).map(str::to_owned);
    let from = ready.from - row_results.len();
    let mut after: Vec<RowResult> = before.iter().take(from).cloned().collect();
    after.extend(row_results);
    after.extend(before.iter().skip(ready.from).cloned());
    let next_row = if ready.rows.is_empty() { 0 } else { ready.from };
    // Rows that are left have the results of an earlier run, which stop nothing.
    let problem = problem.as_deref();
    store(tx, worker, import, (&before, &after), next_row, problem)
}

/// Stores the results of a chunk, before and after this transaction, and goes on: with the chunk,
/// if so many of its rows are dealt with and others are left, or 0 if all are.
pub(super) fn advance(
    tx: &mut WriteTx<'_>,
    worker: &Worker,
    import: Import,
    (before, after): (&[RowResult], &[RowResult]),
    next_row: usize,
) -> Result<(), Error> {
    let problem = refused(after);
    store(tx, worker, import, (before, after), next_row, problem)
}

fn store(
    tx: &mut WriteTx<'_>,
    worker: &Worker,
    mut import: Import,
    (before, row_results): (&[RowResult], &[RowResult]),
    next_row: usize,
    problem: Option<&str>,
) -> Result<(), Error> {
    let mut counts = Counts::read(&import.step.counts)?;
    let is_undo = import.step.state == ImportState::Undoing;
    for (index, result) in row_results.iter().enumerate() {
        counts.note(before.get(index), result);
        let before = before.get(index).map(|before| before.status);
        if before == Some(result.status) {
            continue;
        }
        // After an undo, the results of the import are still to be seen.
        if let Some(before) = before.filter(|before| !is_undo || *before == RowStatus::Kept) {
            counts.add(before, -1);
        }
        counts.add(result.status, 1);
    }
    let chunk = import.step.next_chunk;
    tx.set_import_results(import.id, chunk, &row_result::results_text(row_results)?)?;
    import.step.counts = counts.text()?;
    import.step.node.clone_from(&worker.node);
    import.step.lease_until = end_of_lease(tx.context().now);
    import.step.next_row = i64::try_from(next_row).map_err(Error::internal)?;
    if next_row == 0 {
        import.step.next_chunk += if is_undo { -1 } else { 1 };
    }
    tx.advance_import(import.id, &import.step)?;
    follow(tx, &import, &counts, problem)
}

/// The first problem of rows.
fn refused(row_results: &[RowResult]) -> Option<&str> {
    let failed = row_results
        .iter()
        .find(|result| result.status.is_failure())?;
    failed
        .problems
        .first()
        .map(|problem| problem.detail.as_str())
}

/// Goes on, if the chunks are through.
pub(super) fn follow(
    tx: &mut WriteTx<'_>,
    import: &Import,
    counts: &Counts,
    problem: Option<&str>,
) -> Result<(), Error> {
    let Some(plan) = answer::plan(import)? else {
        return Err(Error::internal("an import runs without a plan"));
    };
    let step = &import.step;
    let is_undo = step.state == ImportState::Undoing;
    let is_failed = problem.is_some();
    if step.state == ImportState::Importing && is_failed && plan.policy != Policy::Skip {
        return stop(tx, import, &plan, problem);
    }
    let is_past_end = step.next_chunk < 0 || (step.next_chunk >= import.chunks && !is_undo);
    if !is_past_end {
        return Ok(());
    }
    if step.phase == ImportPhase::Rows && plan.refers_to_itself() {
        let step = ImportStep {
            phase: ImportPhase::ForwardReferences,
            next_chunk: 0,
            ..step.clone()
        };
        return Ok(tx.advance_import(import.id, &step)?);
    }
    if let ImportPhase::Undo(round) = step.phase
        && counts.of(RowStatus::Kept) > 0
        && round + 1 < UNDO_ROUNDS
    {
        let step = ImportStep {
            phase: ImportPhase::Undo(round + 1),
            next_chunk: last_chunk(tx, import)?,
            ..step.clone()
        };
        return Ok(tx.advance_import(import.id, &step)?);
    }
    if !is_undo && plan.tracks() {
        return Ok(tx.advance_import(import.id, &missing::first(step))?);
    }
    finish(tx, import, &plan, counts)
}

/// The chunk that an undo begins with.
pub(super) fn last_chunk(tx: &mut ReadTx<'_>, import: &Import) -> Result<i64, Error> {
    Ok(tx.last_import_results(import.id)?.max(import.chunks - 1))
}

/// Goes on after the last phase: the import of what was checked, or the end.
pub(super) fn finish(
    tx: &mut WriteTx<'_>,
    import: &Import,
    plan: &Plan,
    counts: &Counts,
) -> Result<(), Error> {
    let step = &import.step;
    if step.state == ImportState::Checking && !plan.dry_run && counts.failures() == 0 {
        let step = ImportStep {
            state: ImportState::Importing,
            counts: Counts::default().text()?,
            next_chunk: 0,
            ..step.clone()
        };
        tx.start_import_step(import.id, &step)?;
        return go_on_without_rows(tx, import);
    }
    let error = error_at_end(step, plan, counts);
    tx.end_import_step(import.id, end_of(import, step)?, error.as_deref())?;
    Ok(())
}

/// Goes on with a step of an import that has no chunk to begin with.
pub(super) fn go_on_without_rows(tx: &mut WriteTx<'_>, import: &Import) -> Result<(), Error> {
    if import.chunks > 0 {
        return Ok(());
    }
    let started = existing(tx, import.id)?;
    follow(tx, &started, &Counts::read(&started.step.counts)?, None)
}

/// Ends an import at a refused row. All-or-nothing takes back what it has written.
fn stop(
    tx: &mut WriteTx<'_>,
    import: &Import,
    plan: &Plan,
    problem: Option<&str>,
) -> Result<(), Error> {
    if plan.policy == Policy::All {
        let step = ImportStep {
            state: ImportState::Undoing,
            phase: ImportPhase::Undo(0),
            next_chunk: last_chunk(tx, import)?,
            keeps_results: true,
            ..import.step.clone()
        };
        return Ok(tx.start_import_step(import.id, &step)?);
    }
    let detail = format!(
        "it stopped at a row that is refused: {}",
        problem.unwrap_or("no reason was given")
    );
    tx.end_import_step(import.id, ImportState::Failed, Some(&detail))?;
    Ok(())
}

/// The state that a step ends in.
pub(super) fn end_of(import: &Import, step: &ImportStep) -> Result<ImportState, Error> {
    Ok(match step.state {
        ImportState::Checking => ImportState::Checked,
        ImportState::Importing => ImportState::Done,
        ImportState::Undoing => ImportState::Undone,
        other => {
            let detail = format!("import {} ends while {}", import.id, other.as_str());
            return Err(Error::internal(detail));
        }
    })
}

fn error_at_end(step: &ImportStep, plan: &Plan, counts: &Counts) -> Option<String> {
    let failures = counts.failures();
    match step.state {
        ImportState::Checking if !plan.dry_run => Some(format!(
            "{failures} rows are refused, so nothing was written"
        )),
        ImportState::Undoing if plan.policy == Policy::All && failures > 0 => Some(format!(
            "{failures} rows were refused, so the others were taken back"
        )),
        _ => None,
    }
}
