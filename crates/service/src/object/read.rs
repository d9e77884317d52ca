//! `GET /objects/{public_id}` and `GET /objects/{public_id}/native`

use stockroom_access::permission::ObjectView;
use stockroom_model::ObjectId;
use stockroom_store::{Catalog, ObjectRow};

use super::secrets::{masked, may_reveal};
use super::visible;
use super::world::{self, entry};
use crate::auth::Access;
use crate::{Error, Permit, Service};

/// The rendered document as JSON text. Who may edit the object sees its passwords.
///
/// # Errors
///
/// See [`Error`].
pub async fn rendered(permit: &Permit<ObjectView>, id: ObjectId) -> Result<String, Error> {
    let (reader, now) = (permit.authorization(), permit.now());
    let shapes = permit.service().shapes.of(&permit.catalog());
    let document = permit
        .read(move |tx| {
            let (service, access) = (reader.service(), reader.access(tx)?);
            let rows = vec![visible(tx, &access.scope, id)?];
            let shapes = service.shapes_of(&shapes, &rows);
            let rows = rows
                .into_iter()
                .map(|row| revealed(service, &access, tx.catalog(), row))
                .collect::<Result<_, Error>>()?;
            Ok(world::render(tx, &shapes, &access.scope, rows, now)?.pop())
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
    let reader = permit.authorization();
    permit
        .read_one(move |tx| {
            let access = reader.access(tx)?;
            let row = visible(tx, &access.scope, id)?;
            revealed(reader.service(), &access, tx.catalog(), row)
        })
        .await
}

/// A row whose document shows the passwords, if the caller may see them; most rows have none and pass untouched.
fn revealed(
    service: &Service,
    access: &Access,
    catalog: &Catalog,
    row: ObjectRow,
) -> Result<ObjectRow, Error> {
    if row.secrets.is_none() {
        return Ok(row);
    }
    let entry = entry(catalog, &row)?;
    if may_reveal(access, entry) {
        service.reveal(&entry.record, row)
    } else {
        masked(row)
    }
}
