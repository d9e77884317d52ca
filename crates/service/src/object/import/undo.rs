//! Takes back what the rows of a chunk wrote, if nobody has changed it since.

use stockroom_access::permission::{ObjectDelete, ObjectEdit, ObjectImport, ObjectView};
use stockroom_model::{ObjectId, Revision};
use stockroom_store::{ObjectRow, Visibility, WriteTx};

use super::verdict::{Outcome, Revisions, RowProblem, Verdict};
use crate::auth::Access;
use crate::object::delete::{self, References};
use crate::object::restore;
use crate::{Error, Permit};

/// Takes back the rows of a chunk, the last one first.
pub(super) fn undo(
    tx: &mut WriteTx<'_>,
    permit: &Permit<ObjectDelete>,
    verdicts: &mut [Verdict],
) -> Result<(), Error> {
    let access = permit.access(tx)?;
    access.check::<ObjectImport>()?;
    access.check::<ObjectView>()?;
    access.check::<ObjectEdit>()?;
    for verdict in verdicts.iter_mut().rev() {
        let (Some(id), Some(written)) = (verdict.object, verdict.written) else {
            continue;
        };
        match take_back(tx, permit, &access, id, written) {
            Ok(()) => {
                verdict.outcome = Outcome::Undone;
                verdict.problems = Vec::new();
                verdict.written = None;
            }
            Err(
                Error::Invalid { detail, .. } | Error::Forbidden(detail) | Error::NotFound(detail),
            ) => {
                verdict.outcome = Outcome::Kept;
                verdict.problems = vec![RowProblem::of_row(detail)];
            }
            Err(other) => return Err(other),
        }
    }
    Ok(())
}

fn take_back(
    tx: &mut WriteTx<'_>,
    permit: &Permit<ObjectDelete>,
    access: &Access,
    id: ObjectId,
    Revisions(before, after): Revisions,
) -> Result<(), Error> {
    let row = match tx.object(&access.scope, id)? {
        Visibility::Visible(row) => row,
        Visibility::Hidden | Visibility::Missing => {
            return Err(Error::not_found("object", id));
        }
    };
    check_unchanged(&row, after)?;
    if before == Revision(0) {
        return delete::remove(permit, tx, &row, References::Protect);
    }
    restore::turn_back_to(tx, access, &row, before)
}

fn check_unchanged(row: &ObjectRow, after: Revision) -> Result<(), Error> {
    if row.revision == after {
        return Ok(());
    }
    let detail = format!(
        "object {} was changed since the import: it is at revision {}, not {}",
        row.public_id, row.revision.0, after.0
    );
    Err(Error::invalid("", detail))
}
