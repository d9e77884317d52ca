//! `PUT` and `PATCH /objects/{public_id}`

use stockroom_access::Operation;
use stockroom_access::permission::ObjectEdit;
use stockroom_model::body::Report;
use stockroom_model::json::Value;
use stockroom_model::object::{Merged, ObjectDraft, check_fields};
use stockroom_model::{Object, ObjectId};
use stockroom_store::{NewObject, ObjectRow, WriteTx};

use super::secrets::{mask, masked, take};
use super::{WrittenObject, check_acl, check_references, check_sent_fields, type_of, visible};
use crate::change::{Change, Precondition};
use crate::{Error, Permit};

/// Replaces or patches an object; needs READ and UPDATE of the ACL.
///
/// # Errors
///
/// See [`Error`].
pub async fn update(
    permit: &Permit<ObjectEdit>,
    id: ObjectId,
    change: Change,
    precondition: Precondition,
) -> Result<WrittenObject, Error> {
    let writer = permit.clone();
    permit
        .write(move |tx| {
            let access = writer.access(tx)?;
            let stored = visible(tx, &access.scope, id)?;
            let entry = type_of(tx, &stored)?;
            check_acl(&entry, access.group_id, Operation::Update)?;
            precondition.check(stored.revision)?;
            write(&writer, tx, &stored, &change)
        })
        .await
}

fn write(
    permit: &Permit<ObjectEdit>,
    tx: &mut WriteTx<'_>,
    row: &ObjectRow,
    change: &Change,
) -> Result<WrittenObject, Error> {
    // What a reader sees, so that a mask counts as unchanged.
    let mut stored = row.object()?;
    mask(row, &mut stored)?;
    match change {
        Change::Replace(body) => replace(permit, tx, row, &stored, body),
        Change::Merge(patch) => {
            let merged = Merged::new(&stored, patch);
            let place = |pointer: &str| merged.pointer_into_patch(pointer);
            let mut written = replace(permit, tx, row, &stored, &merged.document)
                .map_err(|error| error.moved(place))?;
            for warning in &mut written.warnings {
                warning.pointer = place(&warning.pointer);
            }
            Ok(written)
        }
    }
}

fn replace(
    permit: &Permit<ObjectEdit>,
    tx: &mut WriteTx<'_>,
    row: &ObjectRow,
    stored: &Object,
    body: &Value,
) -> Result<WrittenObject, Error> {
    let entry = type_of(tx, row)?;
    let scope = permit.access(tx)?.scope;
    let checked = match ObjectDraft::read(body, Some(stored), permit.service().records()) {
        Ok(checked) => checked,
        Err(mut problems) => {
            let (report, known) = (Report::default(), Some(stored.items()));
            check_sent_fields(tx, &scope, &entry.record, body, known, &report)?;
            problems.append(report.finish(Some(())).err().unwrap_or_default());
            return Err(problems.into());
        }
    };
    let mut draft = checked.value;
    let report = Report::default();
    let references = check_fields(&entry.record, &draft.fields, Some(stored.items()), &report);
    check_references(tx, &scope, &references, &report)?;
    let mut warnings = checked.warnings;
    warnings.extend(report.finish(Some(()))?.warnings);
    let warnings = permit.warn(warnings)?;
    let id = ObjectId::try_from(row.public_id).map_err(Error::internal)?;
    let secrets =
        permit
            .service()
            .seal(id, &take(&entry.record, &mut draft.fields, row)?, Some(row))?;
    let object = draft.into_replacement(id, stored);
    let written = tx.edit_object(row, NewObject { object, secrets })?;
    Ok(WrittenObject {
        row: masked(written)?,
        warnings,
    })
}
