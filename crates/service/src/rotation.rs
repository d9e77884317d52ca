//! A new master key: all secrets are encrypted again, in one transaction.

use std::collections::BTreeMap;

use stockroom_auth::{Entropy, Keys, keys, secret};
use stockroom_store::{Location, RekeyTx, rekey};

use crate::Error;
use crate::core::master_key::{KEY_ID, MASTER_KEY, refuse_other_key, refused};

/// The result of a rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rotated {
    /// The number of objects with secrets.
    pub objects: u64,
    /// Whether the new key is in the database.
    pub is_stored: bool,
}

/// Encrypts all secrets with another master key. Without a `new` one, a random key replaces the one
/// in the database; a `new` one is not stored. All sessions end; API tokens do not depend on the
/// key.
///
/// # Errors
///
/// The old key is not the one in use, or servers use the database; nothing is then changed.
pub fn rotate_master_key(
    location: &Location,
    old: Option<[u8; 32]>,
    new: Option<[u8; 32]>,
    entropy: &(dyn Entropy + Sync),
) -> Result<Rotated, Error> {
    rekey(location, |tx| {
        let stored = tx.fact(MASTER_KEY)?;
        let old_keys = Keys::derive(&old_key(old, stored.as_deref())?);
        let in_use = tx.fact(KEY_ID)?;
        let given = new.map(|key| Keys::derive(&key));
        if given
            .as_ref()
            .is_some_and(|keys| Some(keys.id()) == in_use.as_deref())
        {
            return Err(refused("the new secret key is in use already"));
        }
        refuse_other_key(in_use.as_deref(), &old_keys)?;
        let (new_keys, text) = match (given, old) {
            (Some(keys), _) => (keys, None),
            (None, None) => generated(entropy)?,
            (None, Some(_)) => {
                return Err(refused(
                    "the secret key is not in the database: give a new one as STOCKROOM_NEW_SECRET_KEY",
                ));
            }
        };
        if new_keys.id() == old_keys.id() {
            return Err(refused("the new secret key is the old one"));
        }
        let objects = tx.rewrite_secrets(|id, secrets| {
            encrypt_again(id, secrets, &old_keys, &new_keys, entropy)
        })?;
        finish(tx, &new_keys, text.as_deref())?;
        Ok(Rotated {
            objects,
            is_stored: text.is_some(),
        })
    })
}

fn old_key(given: Option<[u8; 32]>, stored: Option<&str>) -> Result<[u8; 32], Error> {
    if let Some(given) = given {
        return Ok(given);
    }
    let stored = stored.ok_or_else(|| {
        refused("the secret key is not in the database: set STOCKROOM_SECRET_KEY to the old one")
    })?;
    keys::from_text(stored).ok_or_else(|| refused("the stored master key is damaged"))
}

/// A random key, derived and as text.
fn generated(entropy: &dyn Entropy) -> Result<(Keys, Option<String>), Error> {
    let mut key = [0; 32];
    entropy.fill(&mut key).map_err(Error::internal)?;
    Ok((Keys::derive(&key), Some(keys::to_text(&key))))
}

fn encrypt_again(
    id: i64,
    secrets: &str,
    old: &Keys,
    new: &Keys,
    entropy: &dyn Entropy,
) -> Result<String, Error> {
    let mut all: BTreeMap<String, String> =
        serde_json::from_str(secrets).map_err(Error::internal)?;
    for (field, value) in &mut all {
        let plain = secret::open(old, id, field, value)
            .map_err(|error| refused(format!("object {id}, field {field}: {error}")))?;
        *value = secret::seal(new, id, field, &plain, entropy).map_err(Error::internal)?;
    }
    serde_json::to_string(&all).map_err(Error::internal)
}

fn finish(tx: &mut RekeyTx<'_>, keys: &Keys, stored: Option<&str>) -> Result<(), Error> {
    tx.set_fact(MASTER_KEY, stored)?;
    tx.set_fact(KEY_ID, Some(keys.id()))?;
    tx.forget_request_digests()?;
    Ok(tx.delete_login_sessions()?)
}
