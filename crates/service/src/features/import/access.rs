//! Who may see an import.

use stockroom_access::permission::{Administration, ObjectImport};
use stockroom_model::ImportId;
use stockroom_store::{Import, ReadTx};

use crate::{Caller, Error, Permit};

pub(super) async fn read_own(permit: &Permit<ObjectImport>, id: ImportId) -> Result<Import, Error> {
    let reader = permit.clone();
    let import = permit.read_newest(move |tx| accessible(&reader, tx, id));
    import.await
}

pub(super) fn accessible(
    permit: &Permit<ObjectImport>,
    tx: &mut ReadTx<'_>,
    id: ImportId,
) -> Result<Import, Error> {
    let access = permit.access(tx)?;
    let import = existing(tx, id)?;
    if !is_own(permit.caller(), &import) {
        access.check::<Administration>()?;
    }
    Ok(import)
}

/// Whether the caller uploaded the file. To an API token, the files of its user are foreign, and to
/// the user those with which an administrator went on, because results may tell of objects that
/// they may not see.
pub(super) fn is_own(caller: &Caller, import: &Import) -> bool {
    let (user, token) = (caller.user_id(), caller.token_id());
    let is_of_user = import.user == user && import.step.user == user;
    is_of_user && (token.is_none() || token == import.step.via.token())
}

pub(super) fn existing(tx: &mut ReadTx<'_>, id: ImportId) -> Result<Import, Error> {
    tx.import(id)?.ok_or_else(|| Error::not_found("import", id))
}
