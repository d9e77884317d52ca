//! Which master key is in use.

use stockroom_auth::Keys;
use stockroom_store::ReadTx;

use crate::Error;

/// The fact that is the master key, if it is in the database.
pub(crate) const MASTER_KEY: &str = "master_key";
/// The fact that identifies the master key, from the first rotation on.
pub(crate) const KEY_ID: &str = "key_id";

/// Refuses keys that are not those of the last rotation: on a server, a node may go on with the old
/// one. Call it before something is encrypted.
///
/// # Errors
///
/// [`Error::Internal`].
pub(crate) fn refuse_rotated(tx: &mut ReadTx<'_>, keys: &Keys) -> Result<(), Error> {
    let in_use = stored_key_id(tx)?;
    refuse_other_key(in_use.as_deref(), keys)
}

/// The id of the key of the last rotation.
pub(crate) fn stored_key_id(tx: &mut ReadTx<'_>) -> Result<Option<String>, Error> {
    Ok(tx.instance_fact(KEY_ID)?)
}

pub(crate) fn refuse_other_key(in_use: Option<&str>, keys: &Keys) -> Result<(), Error> {
    match in_use {
        Some(in_use) if in_use != keys.id() => Err(refused(
            "the secret key is not the one of the last rotation: start with the new STOCKROOM_SECRET_KEY",
        )),
        _ => Ok(()),
    }
}

pub(crate) fn refused(reason: impl Into<String>) -> Error {
    Error::internal(reason.into())
}
