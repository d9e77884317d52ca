//! `GET` and `PUT /objects/{public_id}/state`

use stockroom_access::Operation;
use stockroom_access::permission::ObjectActivation;
use stockroom_model::body::kind;
use stockroom_model::json::Value;
use stockroom_model::{Object, ObjectId, Revision};
use stockroom_store::{Action, NewObject, ObjectRow, Resource, WriteTx};

use super::secrets::masked;
use super::{WrittenObject, check_acl, type_of, visible};
use crate::core::access::Access;
use crate::core::change::{Precondition, Subject};
use crate::{Error, Permit};

/// Whether an object is active.
pub async fn read_state(
    permit: &Permit<ObjectActivation>,
    id: ObjectId,
) -> Result<(bool, Revision), Error> {
    let reader = permit.clone();
    permit
        .read(move |tx| {
            let scope = reader.access(tx)?.scope;
            let row = visible(tx, &scope, id)?;
            Ok((row.object()?.active(), row.revision))
        })
        .await
}

/// Activates or deactivates an object. The body is a bare boolean, `{"active": b}` or `{"state":
/// b}`.
pub async fn update(
    permit: &Permit<ObjectActivation>,
    id: ObjectId,
    body: &Value,
    precondition: Precondition,
) -> Result<WrittenObject, Error> {
    let active = requested(body)?;
    let writer = permit.clone();
    permit
        .write(move |tx| {
            let access = writer.access(tx)?;
            let row = visible(tx, &access.scope, id)?;
            check_updatable(tx, &access, &row)?;
            precondition.check(tx, Subject::of(Resource::Object, id), row.revision)?;
            let written = write(tx, &row, with_state(&row, active)?)?;
            Ok(WrittenObject {
                row: masked(written)?,
                warnings: Vec::new(),
            })
        })
        .await
}

/// Sets the state of an object that was read in the transaction, as one of many. A refusal writes
/// nothing.
pub(crate) fn set(
    tx: &mut WriteTx<'_>,
    access: &Access,
    row: &ObjectRow,
    active: bool,
) -> Result<ObjectRow, Error> {
    check_updatable(tx, access, row)?;
    let object = with_state(row, active)?;
    let claimed = tx.claim_edited_values(row, &object);
    claimed.map_err(|error| Error::from(error).shown_in(&access.scope))?;
    write(tx, row, object)
}

fn check_updatable(tx: &mut WriteTx<'_>, access: &Access, row: &ObjectRow) -> Result<(), Error> {
    let entry = type_of(tx, row)?;
    check_acl(&entry, access, Operation::Update)
}

fn with_state(row: &ObjectRow, active: bool) -> Result<Object, Error> {
    let mut object = row.object()?;
    // Old documents may store the state in another form.
    if object.active() != active {
        object.set("active", Value::Bool(active));
    }
    Ok(object)
}

fn write(tx: &mut WriteTx<'_>, row: &ObjectRow, object: Object) -> Result<ObjectRow, Error> {
    let secrets = row.secrets.clone();
    Ok(tx.update_object(row, &NewObject { object, secrets }, Action::State)?)
}

fn requested(body: &Value) -> Result<bool, Error> {
    let given = ["active", "state"].iter().find_map(|key| body.get(key));
    match given.unwrap_or(body) {
        Value::Bool(active) => Ok(*active),
        other => Err(Error::invalid(
            "",
            format!(
                "must be true, false, {{\"active\": …}} or {{\"state\": …}}, not {}",
                kind(other)
            ),
        )),
    }
}
