//! Choosing the id of a new record (`docs/guide/src/objects.md`).

use stockroom_model::Revision;
use stockroom_model::id::RecordId;
use stockroom_store::{Resource, WriteTx};

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
    let revision = tx.claim_id(resource, id.into())?;
    Ok((id, revision))
}
