//! Edits that are written together.

use std::collections::HashSet;

use stockroom_access::permission::ObjectEdit;
use stockroom_model::json::Value;
use stockroom_model::{ObjectId, Revision, TypeId};
use stockroom_store::{NewObject, ObjectRow, WriteTx};

use super::super::references::Targets;
use super::super::visible;
use super::apply::ObjectUpdate;
use crate::core::access::Access;
use crate::core::change::{Change, Precondition};
use crate::{Error, Permit};

/// The most edits that wait: with more, no statement gets cheaper, and the end of a transaction
/// must not come late.
const MOST_WAITING: usize = 100;

/// Edits of a transaction that are written together.
#[derive(Default)]
pub(crate) struct Edits {
    targets: Targets,
    ids: HashSet<ObjectId>,
    ready: Vec<stockroom_store::ObjectEdit>,
}

impl Edits {
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
        let update = ObjectUpdate {
            permit: permit.clone(),
            id: row.public_id,
            change: Change::Merge(patch).into(),
            precondition: Precondition::None,
            prechecked: None,
        };
        let written;
        let row = if self.is_waiting(row.public_id) {
            self.write(tx)?;
            written = visible(tx, &access.scope, row.public_id)?;
            &written
        } else {
            row
        };
        let (new, _) = update.prepare(tx, access, row, &mut self.targets)?;
        self.add(tx, row, new)
    }

    /// Adds an edit that was checked, or that needs no check.
    pub(crate) fn add(
        &mut self,
        tx: &mut WriteTx<'_>,
        row: &ObjectRow,
        new: NewObject,
    ) -> Result<Revision, Error> {
        let Some(edit) = tx.object_edit(row, new)? else {
            return Ok(row.revision);
        };
        let revision = edit.revision();
        self.ids.insert(edit.id());
        self.ready.push(edit);
        if self.ready.len() >= MOST_WAITING {
            self.write(tx)?;
        }
        Ok(revision)
    }

    /// Whether an edit of the object is not written yet.
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

    /// Writes the edits that were added.
    pub(crate) fn write(&mut self, tx: &mut WriteTx<'_>) -> Result<(), Error> {
        self.ids.clear();
        tx.write_object_edits(std::mem::take(&mut self.ready))?;
        Ok(())
    }
}
