//! `POST /objects/`

use stockroom_access::Operation;
use stockroom_access::permission::ObjectAdd;
use stockroom_model::body::Report;
use stockroom_model::json::Value;
use stockroom_model::object::{ObjectDraft, check_fields, secret};
use stockroom_model::{Checked, Problems, TypeId};
use stockroom_store::{NewObject, Resource, WriteTx};

use super::secrets::masked;
use super::{WrittenObject, check_acl, check_references, reference_targets};
use crate::{Error, Permit};

/// Inserts an object.
///
/// # Errors
///
/// See [`Error`].
pub async fn insert(permit: &Permit<ObjectAdd>, body: &Value) -> Result<WrittenObject, Error> {
    let checked = ObjectDraft::read(body, None)
        .map_err(|problems| with_field_problems(permit, body, problems))?;
    let writer = permit.clone();
    permit.write(move |tx| write(&writer, tx, &checked)).await
}

fn write(
    permit: &Permit<ObjectAdd>,
    tx: &mut WriteTx<'_>,
    checked: &Checked<ObjectDraft>,
) -> Result<WrittenObject, Error> {
    let mut draft = checked.value.clone();
    let type_id = draft.type_id;
    let entry = tx
        .type_entry(type_id)?
        .ok_or_else(|| Error::not_found("type", type_id))?;
    if !entry.record.active {
        return Err(Error::Forbidden(format!(
            "type {type_id} is not active and takes no new objects"
        )));
    }
    check_acl(&entry, permit.caller().group_id, Operation::Create)?;
    let report = Report::default();
    let references = check_fields(&entry.record, &draft.fields, &[], &report);
    check_references(tx, &permit.scope(), &references, &report)?;
    let mut warnings = checked.warnings.clone();
    warnings.extend(report.finish(Some(()))?.warnings);
    let warnings = permit.warn(warnings)?;
    let (id, revision) = crate::id::settle(tx, Resource::Object, draft.public_id, |tx, id| {
        super::exists(tx, id)
    })?;
    let secrets =
        permit
            .service()
            .seal(id, &secret::take(&entry.record, &mut draft.fields), None)?;
    let references = reference_targets(&entry.record, &draft.fields);
    let views = draft.views;
    let new = NewObject {
        object: draft.into_new(id, tx.context().now),
        secrets,
        references,
    };
    let row = tx.insert_object(revision, views, &new)?;
    Ok(WrittenObject {
        row: masked(row)?,
        warnings,
    })
}

/// A malformed body hides what the type would say of its fields; both belong into one answer.
fn with_field_problems(permit: &Permit<ObjectAdd>, body: &Value, mut problems: Problems) -> Error {
    let catalog = permit.catalog();
    let entry = body
        .get("type_id")
        .and_then(stockroom_model::body::integer)
        .and_then(TypeId::new)
        .and_then(|id| catalog.type_entry(id));
    if let (Some(entry), Some(fields)) = (entry, body.get("fields").and_then(Value::as_array))
        && check_acl(entry, permit.caller().group_id, Operation::Create).is_ok()
    {
        let report = Report::default();
        check_fields(&entry.record, fields, &[], &report);
        if let Err(more) = report.finish(Some(())) {
            problems.append(more);
        }
    }
    problems.into()
}
