//! `GET /objects/{public_id}` and `GET /objects/{public_id}/native`

use stockroom_access::permission::ObjectView;
use stockroom_model::{ObjectId, Revision, Timestamp};
use stockroom_store::{Catalog, ObjectRow, Visibility};

use super::loader::Rendering;
use super::past;
use super::secrets::{masked, may_reveal};
use super::{entry, seen, visible};
use crate::core::access::Access;
use crate::{Error, Permit, Service};

/// A rendered object.
#[derive(Debug, Clone)]
pub struct Rendered {
    /// The rendered document, as JSON text.
    pub document: String,
    /// The revision of the object itself; referenced objects have their own.
    pub revision: Revision,
    /// Whether the document shows passwords.
    pub reveals: bool,
}

/// A native object.
#[derive(Debug, Clone)]
pub struct Native {
    /// The object.
    pub row: ObjectRow,
    /// Whether the document shows passwords.
    pub reveals: bool,
}

/// The rendered document, now or at a time. A caller who may edit the object sees its passwords of
/// now.
pub async fn rendered(
    permit: &Permit<ObjectView>,
    id: ObjectId,
    as_of: Option<Timestamp>,
) -> Result<Rendered, Error> {
    if let Some(at) = as_of {
        let (document, revision) = past::rendered(permit, id, at).await?;
        let reveals = false;
        return Ok(Rendered {
            document,
            revision,
            reveals,
        });
    }
    let (reader, now) = (permit.authorization(), permit.now());
    let templates = permit.service().templates(&permit.catalog());
    let (document, revision, reveals) = permit
        .read(move |tx| {
            let (service, access) = (reader.service(), reader.access(tx)?);
            let row = visible(tx, &access.scope, id)?;
            let revision = row.revision;
            let templates = service.templates_for(&templates, std::slice::from_ref(&row));
            let Native { row, reveals } = revealed(service, &access, tx.catalog(), row)?;
            let rendering = Rendering {
                templates: &templates,
                scope: &access.scope,
                as_of: None,
                now,
            };
            let document = rendering.render(tx, vec![row])?.pop();
            Ok((document, revision, reveals))
        })
        .await?;
    let document = document.ok_or_else(|| Error::internal("an object rendered to nothing"))?;
    Ok(Rendered {
        document,
        revision,
        reveals,
    })
}

/// Counts a view of an object that the caller may see.
pub fn count_view(permit: &Permit<ObjectView>, id: ObjectId) {
    permit.service().views.count(id);
}

/// The native document, now or at a time. A caller who may edit the object sees its passwords of
/// now.
pub async fn native(
    permit: &Permit<ObjectView>,
    id: ObjectId,
    as_of: Option<Timestamp>,
) -> Result<Native, Error> {
    if let Some(at) = as_of {
        let row = past::native(permit, id, at).await?;
        let reveals = false;
        return Ok(Native { row, reveals });
    }
    let reader = permit.authorization();
    let native = permit.fetch(
        move |_, _| Ok(Some(ObjectRow::statement(id))),
        move |catalog, access, row| {
            let row = seen(Visibility::of(row, &access.scope), id)?;
            revealed(reader.service(), &access, catalog, row)
        },
    );
    let native = native.await?;
    native.ok_or_else(|| Error::internal("an object is always found by one statement"))
}

/// Reveals the passwords in a row if the caller may see them. Most rows have none and pass
/// unchanged.
fn revealed(
    service: &Service,
    access: &Access,
    catalog: &Catalog,
    row: ObjectRow,
) -> Result<Native, Error> {
    if row.secrets.is_none() {
        let reveals = false;
        return Ok(Native { row, reveals });
    }
    let entry = entry(catalog, &row)?;
    let reveals = may_reveal(access, entry);
    let row = if reveals {
        service.reveal(&entry.record, row)
    } else {
        masked(row)
    };
    Ok(Native { row: row?, reveals })
}
