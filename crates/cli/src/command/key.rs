//! `stockroom key …`

use anyhow::Context as _;
use stockroom_auth::SystemEntropy;
use stockroom_service::Error;
use stockroom_service::rotation::rotate_master_key;

use crate::config::{Config, new_secret_key};
use crate::logging::say;

pub(crate) fn rotate(config: &Config) -> anyhow::Result<()> {
    let location = config.database.location()?;
    let old = config.secrets()?.master_key;
    let rotated = rotate_master_key(&location, old, new_secret_key()?, &SystemEntropy)
        .map_err(cause)
        .with_context(|| format!("the secret key of {location} was not changed"))?;
    say(&format!(
        "The secrets of {} objects are encrypted with the new key; all sessions have ended.",
        rotated.objects
    ));
    if rotated.is_stored {
        say("The new key is in the database. Old backups still hold the old one.");
    } else {
        say("Start every server with the new key as STOCKROOM_SECRET_KEY.");
    }
    Ok(())
}

/// Administrators see what clients must not.
fn cause(error: Error) -> anyhow::Error {
    match error {
        Error::Internal(cause) => anyhow::anyhow!(cause),
        error => error.into(),
    }
}
