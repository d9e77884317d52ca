//! Choosing the id of a new record (`docs/guide/src/objects.md`).

use stockroom_model::Revision;
use stockroom_model::id::RecordId;
use stockroom_store::{ReadTx, Resource, WriteTx};

use crate::Error;

/// The requested id, which must be free, or the next one; and the first revision of the record.
pub(crate) fn allocate<I: RecordId>(
    tx: &mut WriteTx<'_>,
    resource: Resource,
    requested: Option<I>,
    taken: impl FnOnce(&mut WriteTx<'_>, I) -> Result<bool, Error>,
) -> Result<(I, Revision), Error> {
    let Some(id) = requested else {
        let id = tx.next_id(resource)?;
        return Ok((I::try_from(id).map_err(Error::internal)?, Revision::FIRST));
    };
    if taken(tx, id)? {
        return Err(Error::invalid("/public_id", format!("{id} is in use")));
    }
    let restores = tx.context().restores;
    if let Some(detail) = retired(tx, resource, id.into(), restores)? {
        return Err(Error::invalid("/public_id", detail));
    }
    let revision = tx.claim_id(resource, id.into())?;
    Ok((id, revision))
}

/// Why a new record cannot have the id of a deleted one. Whatever still names that id would mean the
/// new record: history, imports, jobs, settings. Only a restoration brings an id back, with the
/// record that had it; not even that for a group, because access lists have forgotten it. The type
/// decides who reads the history of an object, and categories hide nothing, so these take any free
/// id (`docs/guide/src/objects.md`).
pub(crate) fn retired(
    tx: &mut ReadTx<'_>,
    resource: Resource,
    id: i64,
    restores: bool,
) -> Result<Option<String>, Error> {
    let may_come_back = match resource {
        Resource::Object | Resource::Category => true,
        Resource::Group => false,
        _ => restores,
    };
    if may_come_back || !tx.was_given(resource, id)? {
        return Ok(None);
    }
    let name = resource.as_str();
    Ok(Some(format!(
        "{id} was a {name} that is deleted, and its id never comes back; leave public_id out for a new one"
    )))
}
