//! Takes back what the rows of a chunk wrote, if nobody has changed it since.

use std::collections::{BTreeSet, HashMap};

use stockroom_access::permission::{ObjectDelete, ObjectEdit, ObjectImport, ObjectView};
use stockroom_model::{ObjectId, Revision, SourceId};
use stockroom_store::{Import, ImportPhase, ObjectRow, Visibility, WriteTx};

use crate::core::access::Access;
use crate::core::changed_at_once::MOST_CHANGED;
use crate::features::import::answer;
use crate::features::import::row_result::{Revisions, RowProblem, RowResult, RowStatus};
use crate::records::object::delete::References;
use crate::records::object::restore;
use crate::records::object::waiting_writes::WaitingWrites;
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
    let time = permit.service().transaction_time();
    let mut undo = ChunkUndo::new(tx, permit, of)?;
    let all = row_results.len();
    let left = &mut row_results[..all.saturating_sub(done)];
    let mut dealt_with = done;
    for together in left.rchunks_mut(TOGETHER) {
        undo.prepare(tx, together)?;
        for result in together.iter_mut().rev() {
            // What was asked about all of them is not to be asked again.
            let may_end = dealt_with > done && !undo.is_quick;
            if may_end && time.is_over() {
                undo.writes.write(tx)?;
                return Ok(dealt_with);
            }
            undo.take_back(tx, result)?;
            dealt_with += 1;
        }
        undo.writes.write(tx)?;
        if time.is_over() && dealt_with < all {
            return Ok(dealt_with);
        }
    }
    Ok(0)
}

/// Results that are taken back together, if possible.
const TOGETHER: usize = 100;

/// Takes back results of a chunk in one transaction.
struct ChunkUndo<'p> {
    permit: &'p Permit<ObjectDelete>,
    access: Access,
    of: UndoTarget,
    references: References,
    stored: HashMap<ObjectId, ObjectRow>,
    /// Whether the results that it was prepared for are only deletes of small objects.
    is_quick: bool,
    writes: WaitingWrites,
}

impl<'p> ChunkUndo<'p> {
    fn new(
        tx: &mut WriteTx<'_>,
        permit: &'p Permit<ObjectDelete>,
        of: UndoTarget,
    ) -> Result<Self, Error> {
        let access = permit.access(tx)?;
        access.check::<ObjectImport>()?;
        access.check::<ObjectView>()?;
        access.check::<ObjectEdit>()?;
        Ok(Self {
            permit,
            access,
            of,
            references: References::Protect,
            stored: HashMap::new(),
            is_quick: false,
            writes: WaitingWrites::default(),
        })
    }

    /// Reads what the next results need.
    fn prepare(&mut self, tx: &mut WriteTx<'_>, results: &[RowResult]) -> Result<(), Error> {
        self.references = protection(tx, results)?;
        let written = results.iter().filter(|result| result.written.is_some());
        let ids: BTreeSet<ObjectId> = written.filter_map(|result| result.object).collect();
        let ids: Vec<ObjectId> = ids.into_iter().collect();
        // Those that do not fit are read one by one.
        let read = tx.objects(&self.access.scope, &ids, MOST_CHANGED)?;
        self.is_quick = self.references == References::Keep && read.unread.is_empty();
        let rows = read.rows.into_iter();
        self.stored = rows.map(|row| (row.public_id, row)).collect();
        Ok(())
    }

    fn take_back(&mut self, tx: &mut WriteTx<'_>, result: &mut RowResult) -> Result<(), Error> {
        let taken_back = match (result.object, result.written) {
            _ if self.of.must_wait(tx, result)? => Err(Error::invalid("", IMPORTED_SINCE)),
            (Some(id), Some(written)) => self.take_back_object(tx, id, written),
            _ if result.link.is_some() && self.of.is_missing => Ok(()),
            _ => return take_back_link(tx, self.of, result),
        };
        match taken_back {
            Ok(()) => {
                take_back_link(tx, self.of, result)?;
                result.status = RowStatus::Undone;
                result.problems = Vec::new();
                result.written = None;
                Ok(())
            }
            Err(error) if error.is_refusal() => {
                result.status = RowStatus::Kept;
                result.problems = vec![RowProblem::of_row(error.to_string())];
                if self.of.is_first_round {
                    self.take_back_forward_references(tx, result)?;
                }
                Ok(())
            }
            Err(other) => Err(other),
        }
    }

    fn take_back_object(
        &mut self,
        tx: &mut WriteTx<'_>,
        id: ObjectId,
        Revisions(before, after): Revisions,
    ) -> Result<(), Error> {
        if self.writes.is_waiting(id) {
            self.writes.write(tx)?;
        }
        let stored = match self.stored.remove(&id) {
            Some(row) => Visibility::Visible(row),
            None => tx.object(&self.access.scope, id)?,
        };
        let row = match stored {
            Visibility::Visible(row) => row,
            Visibility::Missing if self.of.is_missing => {
                self.writes.write(tx)?;
                return restore::insert_again(tx, &self.access, id, before);
            }
            Visibility::Hidden | Visibility::Missing => {
                return Err(Error::not_found("object", id));
            }
        };
        check_unchanged(tx, &self.access, &row, after)?;
        if before == Revision(0) {
            return self.writes.delete(self.permit, tx, &row, self.references);
        }
        restore::turn_back_to(tx, &self.access, &row, before, &mut self.writes).map(drop)
    }

    /// Makes an object that cannot be deleted yet as it was inserted, without references to rows
    /// further down: rows that refer to one another could never be deleted one after the other.
    fn take_back_forward_references(
        &mut self,
        tx: &mut WriteTx<'_>,
        result: &mut RowResult,
    ) -> Result<(), Error> {
        let (Some(id), Some(Revisions(Revision(0), after))) = (result.object, result.written)
        else {
            return Ok(());
        };
        if result.is_turned_back {
            return Ok(());
        }
        let row = match tx.object(&self.access.scope, id)? {
            Visibility::Visible(row) if row.revision == after && after > Revision(1) => row,
            _ => return Ok(()),
        };
        let before = Revision(after.0 - 1);
        match restore::turn_back_to(tx, &self.access, &row, before, &mut self.writes) {
            Ok(revision) => {
                result.written = Some(Revisions(Revision(0), revision));
                result.is_turned_back = true;
            }
            Err(error) if error.is_refusal() => {}
            Err(other) => return Err(other),
        }
        Ok(())
    }
}

/// Whether references must be looked for before each delete: not if nothing refers to any object
/// of the results that are left. That stays true only while objects are deleted, as turning back
/// another one may set a reference.
fn protection(tx: &mut WriteTx<'_>, left: &[RowResult]) -> Result<References, Error> {
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
