//! `PUT` and `PATCH /objects/{public_id}`

use std::sync::Arc;

use stockroom_access::Operation;
use stockroom_access::permission::ObjectEdit;
use stockroom_model::object::Merged;
use stockroom_model::{Object, ObjectId, RecordLimits, Revision};
use stockroom_store::{NewObject, ObjectRow, TypeEntry, WriteTx};

use super::precheck::{Precheck, is_large};
use super::secrets::{mask, masked, take};
use super::{WrittenObject, check_acl, check_references, entry, type_of, visible};
use crate::change::{Change, Precondition};
use crate::{Error, Permit};

/// Replaces or patches an object; needs READ and UPDATE of the ACL.
pub async fn update(
    permit: &Permit<ObjectEdit>,
    id: ObjectId,
    change: Change,
    precondition: Precondition,
) -> Result<WrittenObject, Error> {
    let change = Arc::new(change);
    let early = if is_large(change.body()) {
        Some(precheck(permit, id, &change).await?)
    } else {
        None
    };
    let writer = permit.clone();
    permit
        .write(move |tx| {
            let access = writer.access(tx)?;
            let row = visible(tx, &access.scope, id)?;
            let entry = type_of(tx, &row)?;
            check_acl(&entry, access.group_id, Operation::Update)?;
            precondition.check(row.revision)?;
            let target = match early.as_ref().filter(|early| early.is_of(&row, &entry)) {
                Some(early) => early.clone(),
                None => Target::new(&row, &entry, &change, writer.service().records())?,
            };
            write(&writer, tx, &row, &entry, target)
        })
        .await
}

/// Checks a body by what is stored now, before it waits for the writer.
async fn precheck(
    permit: &Permit<ObjectEdit>,
    id: ObjectId,
    change: &Arc<Change>,
) -> Result<Target, Error> {
    let reader = permit.clone();
    let (row, entry) = permit
        .read(move |tx| {
            let row = visible(tx, &reader.access(tx)?.scope, id)?;
            let entry = Arc::clone(entry(tx.catalog(), &row)?);
            Ok((row, entry))
        })
        .await?;
    let (change, limits) = (Arc::clone(change), permit.service().records().clone());
    let precheck = move || Target::new(&row, &entry, &change, &limits);
    permit.service().compute(precheck).await?
}

/// What a change makes of an object.
#[derive(Clone)]
struct Target {
    /// The revisions of the object and of its type.
    of: (Revision, Revision),
    /// What a reader sees of the object, so that a mask counts as unchanged.
    stored: Object,
    /// The object after a patch.
    merged: Option<Merged>,
    precheck: Precheck,
}

impl Target {
    fn new(
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

    /// Whether neither the object nor its type has changed since.
    fn is_of(&self, row: &ObjectRow, entry: &TypeEntry) -> bool {
        self.of == (row.revision, entry.revision)
    }
}

fn write(
    permit: &Permit<ObjectEdit>,
    tx: &mut WriteTx<'_>,
    row: &ObjectRow,
    entry: &TypeEntry,
    target: Target,
) -> Result<WrittenObject, Error> {
    let Target {
        stored,
        merged,
        mut precheck,
        ..
    } = target;
    let scope = permit.access(tx)?.scope;
    check_references(tx, &scope, &precheck.references, &precheck.report)?;
    if let Some(merged) = merged {
        precheck = precheck.with_pointers(|pointer| merged.pointer_into_patch(pointer));
    }
    let (mut draft, warnings) = precheck.finish()?;
    let warnings = permit.warn(warnings)?;
    let id = row.public_id;
    let taken = take(&entry.record, &mut draft.fields, row)?;
    let secrets = permit.service().seal(id, &taken, Some(row))?;
    let object = draft.into_replacement(id, &stored);
    let written = tx.edit_object(row, NewObject { object, secrets })?;
    Ok(WrittenObject {
        row: masked(written)?,
        warnings,
    })
}
