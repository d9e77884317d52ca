//! An update of an object, as a value: prepared once, applied in a transaction.

use std::sync::Arc;

use stockroom_access::Operation;
use stockroom_access::permission::ObjectEdit;
use stockroom_model::json::Value;
use stockroom_model::object::Merged;
use stockroom_model::{Object, ObjectId, Problem, RecordLimits, Revision};
use stockroom_store::{NewObject, ObjectRow, Resource, TypeEntry, WriteTx};

use super::super::precheck::Precheck;
use super::super::references::Targets;
use super::super::secrets::{mask, masked, take};
use super::super::{WrittenObject, check_acl, type_of, visible};
use crate::core::access::Access;
use crate::core::change::{Change, Precondition, Subject};
use crate::{Error, Permit};

/// An update of an object.
pub(in crate::records::object) struct ObjectUpdate {
    pub(super) permit: Permit<ObjectEdit>,
    pub(super) id: ObjectId,
    pub(super) change: Arc<Change>,
    pub(super) precondition: Precondition,
    /// What a large body makes of the object, by what was stored before the write was queued.
    pub(super) prechecked: Option<UpdatedObject>,
}

impl ObjectUpdate {
    /// A merge patch of the object as it is when it is prepared.
    pub(in crate::records::object) fn patch(
        permit: &Permit<ObjectEdit>,
        id: ObjectId,
        patch: Value,
    ) -> Self {
        Self {
            permit: permit.clone(),
            id,
            change: Change::Merge(patch).into(),
            precondition: Precondition::None,
            prechecked: None,
        }
    }

    /// Applies it to the object as it is in the transaction.
    pub(super) fn apply(&self, tx: &mut WriteTx<'_>) -> Result<WrittenObject, Error> {
        let access = self.permit.access(tx)?;
        let row = visible(tx, &access.scope, self.id)?;
        let (new, warnings) = self.prepare(tx, &access, &row, &mut Targets::default())?;
        Ok(WrittenObject {
            row: masked(tx.edit_object(&row, new)?)?,
            warnings,
        })
    }

    /// What it makes of the object, which was read in the transaction, and warnings. Nothing is
    /// written yet.
    pub(in crate::records::object) fn prepare(
        &self,
        tx: &mut WriteTx<'_>,
        access: &Access,
        row: &ObjectRow,
        targets: &mut Targets,
    ) -> Result<(NewObject, Vec<Problem>), Error> {
        let entry = type_of(tx, row)?;
        check_acl(&entry, access, Operation::Update)?;
        let subject = Subject::of(Resource::Object, self.id);
        self.precondition.check(tx, subject, row.revision)?;
        let updated = self.updated(row, &entry)?;
        let (references, report) = (&updated.precheck.references, &updated.precheck.report);
        targets.read(tx, &access.scope, references)?;
        targets.check(tx.catalog(), &access.scope, references, report);
        self.finish(tx, row, &entry, updated)
    }

    fn updated(&self, row: &ObjectRow, entry: &TypeEntry) -> Result<UpdatedObject, Error> {
        let prechecked = self.prechecked.as_ref();
        match prechecked.filter(|updated| updated.is_of(row, entry)) {
            Some(updated) => Ok(updated.clone()),
            None => UpdatedObject::new(row, entry, &self.change, self.permit.service().records()),
        }
    }

    fn finish(
        &self,
        tx: &mut WriteTx<'_>,
        row: &ObjectRow,
        entry: &TypeEntry,
        updated: UpdatedObject,
    ) -> Result<(NewObject, Vec<Problem>), Error> {
        let UpdatedObject {
            stored,
            merged,
            mut precheck,
            ..
        } = updated;
        if let Some(merged) = merged {
            precheck = precheck.with_pointers(|pointer| merged.pointer_into_patch(pointer));
        }
        let (mut draft, warnings) = precheck.finish()?;
        let warnings = self.permit.warn(warnings)?;
        let taken = take(&entry.record, &mut draft.fields, row)?;
        let secrets = self.permit.service().seal(tx, self.id, &taken, Some(row))?;
        let object = draft.into_replacement(self.id, &stored);
        Ok((NewObject { object, secrets }, warnings))
    }
}

/// The object that a change leads to.
#[derive(Clone)]
pub(super) struct UpdatedObject {
    /// The revisions of the object and of its type that this was made from.
    of: (Revision, Revision),
    /// The stored object as readers see it, so that a mask counts as unchanged.
    stored: Object,
    /// The object after a patch.
    merged: Option<Merged>,
    precheck: Precheck,
}

impl UpdatedObject {
    pub(super) fn new(
        row: &ObjectRow,
        entry: &TypeEntry,
        change: &Change,
        limits: &RecordLimits,
    ) -> Result<Self, Error> {
        let mut stored = row.object()?;
        mask(row, &mut stored)?;
        let merged = match change {
            Change::Replace(_) => None,
            Change::Merge(patch) => Some(Merged::new(&stored, patch)),
        };
        let body = merged
            .as_ref()
            .map_or_else(|| change.body(), |merged| &merged.document);
        Ok(Self {
            of: (row.revision, entry.revision),
            precheck: Precheck::new(&entry.record, body, Some(&stored), limits),
            stored,
            merged,
        })
    }

    /// Whether object and type are still at the revisions that this was made from.
    fn is_of(&self, row: &ObjectRow, entry: &TypeEntry) -> bool {
        self.of == (row.revision, entry.revision)
    }
}
