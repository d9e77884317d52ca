//! Takes back what the rows of a chunk wrote, if nobody has changed it since.

use std::collections::BTreeSet;

use stockroom_access::permission::{ObjectDelete, ObjectEdit, ObjectImport, ObjectView};
use stockroom_model::{ObjectId, Revision, SourceId};
use stockroom_store::{Import, ImportPhase, ObjectRow, Visibility, WriteTx};

use crate::core::access::Access;
use crate::features::import::answer;
use crate::features::import::row_result::{Revisions, RowProblem, RowResult, RowStatus};
use crate::records::object::delete::{self, References};
use crate::records::object::restore;
use crate::records::object::update::Edits;
use crate::{Error, Permit};

/// Takes back the results of a chunk, the last one first, and their links to the source. The first
/// `done` of them, in this order, are dealt with. Returns how many are when the time of the
/// transaction is over, or 0 if all are.
pub(in crate::features::import) fn undo(
    tx: &mut WriteTx<'_>,
    permit: &Permit<ObjectDelete>,
    of: UndoTarget,
    row_results: &mut [RowResult],
    done: usize,
) -> Result<usize, Error> {
    let mut edits = Edits::default();
    let left = undo_each(tx, permit, of, row_results, done, &mut edits)?;
    edits.write(tx)?;
    Ok(left)
}

fn undo_each(
    tx: &mut WriteTx<'_>,
    permit: &Permit<ObjectDelete>,
    of: UndoTarget,
    row_results: &mut [RowResult],
    done: usize,
    edits: &mut Edits,
) -> Result<usize, Error> {
    let time = permit.service().transaction_time();
    let access = permit.access(tx)?;
    access.check::<ObjectImport>()?;
    access.check::<ObjectView>()?;
    access.check::<ObjectEdit>()?;
    let references = protection(tx, row_results, done)?;
    for (index, result) in row_results.iter_mut().rev().enumerate().skip(done) {
        if index > done && time.is_over() {
            return Ok(index);
        }
        let taken_back = match (result.object, result.written) {
            _ if of.must_wait(tx, result)? => Err(Error::invalid("", IMPORTED_SINCE)),
            (Some(id), Some(written)) => {
                let permits = (permit, &access, references);
                take_back(tx, permits, of, id, written, edits)
            }
            _ if result.link.is_some() => {
                take_back_link(tx, of, result)?;
                if !of.is_missing {
                    continue;
                }
                Ok(())
            }
            _ => continue,
        };
        match taken_back {
            Ok(()) => {
                take_back_link(tx, of, result)?;
                result.status = RowStatus::Undone;
                result.problems = Vec::new();
                result.written = None;
            }
            Err(
                Error::Invalid { detail, .. } | Error::Forbidden(detail) | Error::NotFound(detail),
            ) => {
                result.status = RowStatus::Kept;
                result.problems = vec![RowProblem::of_row(detail)];
                if of.is_first_round {
                    take_back_forward_references(tx, &access, result, edits)?;
                }
            }
            Err(other) => return Err(other),
        }
    }
    Ok(0)
}

/// Whether references must be looked for before each delete: not if nothing refers to any object
/// of the results that are left. That stays true only while objects are deleted, as turning back
/// another one may set a reference.
fn protection(
    tx: &mut WriteTx<'_>,
    row_results: &[RowResult],
    done: usize,
) -> Result<References, Error> {
    let left = &row_results[..row_results.len().saturating_sub(done)];
    let makes_only = |result: &RowResult| {
        result
            .written
            .is_none_or(|Revisions(before, _)| before == Revision(0))
    };
    let made = left.iter().filter(|result| result.written.is_some());
    let made: BTreeSet<ObjectId> = made.filter_map(|result| result.object).collect();
    if made.is_empty() || !left.iter().all(makes_only) {
        return Ok(References::Protect);
    }
    let referrers = tx.last_referrers(&made, 1)?;
    Ok(if referrers.found.is_empty() && !referrers.may_be_more {
        References::Keep
    } else {
        References::Protect
    })
}

/// What the results of a chunk are about.
#[derive(Clone, Copy)]
pub(in crate::features::import) struct UndoTarget {
    source: Option<SourceId>,
    /// Whether they are on missing records.
    is_missing: bool,
    is_first_round: bool,
}

/// Why a missing record waits for the second round.
const IMPORTED_SINCE: &str = "its record was imported since";

impl UndoTarget {
    /// Whether a row of a second run has found the missing record, and is taken back after it.
    fn must_wait(self, tx: &mut WriteTx<'_>, result: &RowResult) -> Result<bool, Error> {
        match (self.source, &result.link) {
            (Some(source), Some(link)) if self.is_missing && self.is_first_round => {
                Ok(!link.is_last(tx, source)?)
            }
            _ => Ok(false),
        }
    }

    /// The next chunk of an undo.
    pub(in crate::features::import) fn next(import: &Import) -> Result<Self, Error> {
        let source = answer::plan(import)?.and_then(|plan| plan.source);
        Ok(Self {
            source: source.map(|bound| bound.id),
            is_missing: import.step.next_chunk >= import.chunks,
            is_first_round: import.step.phase == ImportPhase::Undo(0),
        })
    }
}

fn take_back_link(
    tx: &mut WriteTx<'_>,
    of: UndoTarget,
    result: &mut RowResult,
) -> Result<(), Error> {
    match (of.source, result.link.take()) {
        (Some(source), Some(link)) => link.take_back(tx, source),
        _ => Ok(()),
    }
}

fn take_back(
    tx: &mut WriteTx<'_>,
    (permit, access, references): (&Permit<ObjectDelete>, &Access, References),
    of: UndoTarget,
    id: ObjectId,
    Revisions(before, after): Revisions,
    edits: &mut Edits,
) -> Result<(), Error> {
    if edits.is_waiting(id) {
        edits.write(tx)?;
    }
    let row = match tx.object(&access.scope, id)? {
        Visibility::Visible(row) => row,
        Visibility::Missing if of.is_missing => {
            edits.write(tx)?;
            return restore::insert_again(tx, access, id, before);
        }
        Visibility::Hidden | Visibility::Missing => {
            return Err(Error::not_found("object", id));
        }
    };
    check_unchanged(tx, access, &row, after)?;
    if before == Revision(0) {
        // They may refer to it.
        edits.write(tx)?;
        return delete::remove(permit, tx, &row, references);
    }
    restore::turn_back_to(tx, access, &row, before, edits)?;
    Ok(())
}

/// Makes an object that cannot be deleted yet as it was inserted, without references to rows further
/// down: rows that refer to one another could never be deleted one after the other.
fn take_back_forward_references(
    tx: &mut WriteTx<'_>,
    access: &Access,
    result: &mut RowResult,
    edits: &mut Edits,
) -> Result<(), Error> {
    let (Some(id), Some(Revisions(Revision(0), after))) = (result.object, result.written) else {
        return Ok(());
    };
    let row = match tx.object(&access.scope, id)? {
        Visibility::Visible(row) if row.revision == after && after > Revision(1) => row,
        _ => return Ok(()),
    };
    match restore::turn_back_to(tx, access, &row, Revision(after.0 - 1), edits) {
        Ok(revision) => result.written = Some(Revisions(Revision(0), revision)),
        Err(Error::Invalid { .. } | Error::Forbidden(_) | Error::NotFound(_)) => {}
        Err(other) => return Err(other),
    }
    Ok(())
}

/// A later change that was undone, as by the undo of a later import, leaves what the import wrote.
fn check_unchanged(
    tx: &mut WriteTx<'_>,
    access: &Access,
    row: &ObjectRow,
    after: Revision,
) -> Result<(), Error> {
    if row.revision == after || restore::is_as_at(tx, access, row, after)? {
        return Ok(());
    }
    let detail = format!(
        "object {} was changed since the import: it is at revision {}, not {}",
        row.public_id, row.revision.0, after.0
    );
    Err(Error::invalid("", detail))
}
