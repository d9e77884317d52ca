//! Edits and deletes that are written together.

use std::collections::HashSet;

use stockroom_access::permission::{ObjectDelete, ObjectEdit};
use stockroom_model::json::Value;
use stockroom_model::{ObjectId, Revision, TypeId};
use stockroom_store::{NewObject, ObjectRow, WriteTx};

use super::delete::{self, References};
use super::references::Targets;
use super::update::ObjectUpdate;
use super::visible;
use crate::core::access::Access;
use crate::core::changed_at_once::MOST_CHANGED;
use crate::{Error, Permit};

/// The most writes that wait: with more, no statement gets cheaper, and the end of a transaction
/// must not come late.
const MOST_WAITING: usize = 100;

/// Edits and deletes of a transaction that are written together.
#[derive(Default)]
pub(crate) struct WaitingWrites {
    targets: Targets,
    ids: HashSet<ObjectId>,
    edits: Vec<stockroom_store::ObjectEdit>,
    deletes: Vec<ObjectRow>,
    bytes: usize,
}

impl WaitingWrites {
    /// Patches an object that was read in the transaction. Returns the revision that it will have,
    /// which is the same if nothing changes.
    ///
    /// # Errors
    ///
    /// The patch is refused. The others can still be written.
    pub(crate) fn patch(
        &mut self,
        permit: &Permit<ObjectEdit>,
        tx: &mut WriteTx<'_>,
        access: &Access,
        row: &ObjectRow,
        patch: Value,
    ) -> Result<Revision, Error> {
        let update = ObjectUpdate::patch(permit, row.public_id, patch);
        let written;
        let row = if self.is_waiting(row.public_id) {
            self.write(tx)?;
            written = visible(tx, &access.scope, row.public_id)?;
            &written
        } else {
            row
        };
        let (new, _) = update.prepare(tx, access, row, &mut self.targets)?;
        let added = self.add(tx, row, new);
        added.map_err(|error| error.shown_in(&access.scope))
    }

    /// Adds an edit that was checked, or that needs no check.
    pub(crate) fn add(
        &mut self,
        tx: &mut WriteTx<'_>,
        row: &ObjectRow,
        new: NewObject,
    ) -> Result<Revision, Error> {
        self.claim(tx, row, &new)?;
        let Some(edit) = tx.object_edit(row, new)? else {
            return Ok(row.revision);
        };
        let revision = edit.revision();
        self.edits.push(edit);
        self.record(tx, row)?;
        Ok(revision)
    }

    /// Takes the values that only this object may have. An object that waits to be deleted may hold
    /// them still.
    fn claim(
        &mut self,
        tx: &mut WriteTx<'_>,
        row: &ObjectRow,
        new: &NewObject,
    ) -> Result<(), Error> {
        if tx.claim_edited_values(row, &new.object).is_err() {
            self.write(tx)?;
            tx.claim_edited_values(row, &new.object)?;
        }
        Ok(())
    }

    /// Deletes an object that was read in the transaction, at once if references to it matter.
    ///
    /// # Errors
    ///
    /// The delete is refused. The others can still be written.
    pub(crate) fn delete(
        &mut self,
        permit: &Permit<ObjectDelete>,
        tx: &mut WriteTx<'_>,
        row: &ObjectRow,
        references: References,
    ) -> Result<(), Error> {
        if references != References::Keep {
            // They may refer to it, or no longer do.
            self.write(tx)?;
            return delete::remove(permit, tx, row, references);
        }
        if self.is_waiting(row.public_id) {
            self.write(tx)?;
        }
        delete::check_deletable(permit, tx, std::slice::from_ref(row))?;
        self.deletes.push(row.clone());
        self.record(tx, row)
    }

    fn record(&mut self, tx: &mut WriteTx<'_>, row: &ObjectRow) -> Result<(), Error> {
        self.ids.insert(row.public_id);
        self.bytes += row.bytes();
        if self.ids.len() >= MOST_WAITING || self.bytes >= MOST_CHANGED {
            self.write(tx)?;
        }
        Ok(())
    }

    /// Whether a write of the object is not done yet.
    pub(crate) fn is_waiting(&self, id: ObjectId) -> bool {
        self.ids.contains(&id)
    }

    /// Takes an object for granted to which the next edits may refer.
    pub(crate) fn assume(&mut self, access: &Access, id: ObjectId, type_id: TypeId) {
        self.targets.add(&access.scope, id, type_id);
    }

    /// Forgets which objects there are: some were inserted.
    pub(crate) fn forget_targets(&mut self) {
        self.targets = Targets::default();
    }

    /// Does the writes that were added.
    pub(crate) fn write(&mut self, tx: &mut WriteTx<'_>) -> Result<(), Error> {
        self.ids.clear();
        self.bytes = 0;
        tx.write_object_edits(std::mem::take(&mut self.edits))?;
        tx.delete_objects(&std::mem::take(&mut self.deletes))?;
        Ok(())
    }
}
