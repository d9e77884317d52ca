//! `GET /objects/{public_id}` and `GET /objects/{public_id}/native`

use stockroom_access::permission::ObjectView;
use stockroom_model::ObjectId;
use stockroom_model::json::Value;
use stockroom_store::ObjectRow;

use super::secrets::{mask, may_reveal};
use super::visible;
use super::world::{self, entry};
use crate::{Error, Permit};

/// The rendered document. Who may edit the object sees its passwords.
///
/// # Errors
///
/// See [`Error`].
pub async fn rendered(permit: &Permit<ObjectView>, id: ObjectId) -> Result<Value, Error> {
    let (scope, catalog, caller, now) = (
        permit.scope(),
        permit.catalog(),
        permit.caller().clone(),
        permit.now(),
    );
    let document = permit
        .read(move |tx| {
            let row = visible(tx, &scope, id)?;
            let mut object = row.object()?;
            let entry = entry(&catalog, &row)?;
            if may_reveal(&caller, entry) {
                caller.service.reveal(&entry.record, &row, &mut object)?;
            } else {
                mask(&row, &mut object)?;
            }
            Ok(world::render(tx, &catalog, &scope, &[(row, object)], now)?.pop())
        })
        .await?;
    document.ok_or_else(|| Error::internal("an object rendered to nothing"))
}

/// Counts that the caller looked at an object which it may see.
pub fn count_view(permit: &Permit<ObjectView>, id: ObjectId) {
    permit.service().views.count(id.get());
}

/// The native document. Who may edit the object sees its passwords.
///
/// # Errors
///
/// See [`Error`].
pub async fn native(permit: &Permit<ObjectView>, id: ObjectId) -> Result<ObjectRow, Error> {
    let (scope, catalog, caller) = (permit.scope(), permit.catalog(), permit.caller().clone());
    permit
        .read_one(move |tx| {
            let mut row = visible(tx, &scope, id)?;
            if row.secrets.is_none() {
                return Ok(row);
            }
            let mut object = row.object()?;
            let entry = entry(&catalog, &row)?;
            if may_reveal(&caller, entry) {
                caller.service.reveal(&entry.record, &row, &mut object)?;
            } else {
                mask(&row, &mut object)?;
            }
            row.document = serde_json::to_string(object.members()).map_err(Error::internal)?;
            Ok(row)
        })
        .await
}
