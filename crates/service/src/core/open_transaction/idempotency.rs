//! Writes that a client may repeat: the answer is stored in the same transaction.

use stockroom_auth::request_digest;
use stockroom_model::RecordLimits;
use stockroom_model::Timestamp;
use stockroom_store::{IdempotencyKey, KeyUsage, StoredAnswer, WriteTx};

use crate::core::access::Access;
use crate::{Caller, Error};

/// How long an answer is kept, in microseconds.
const KEPT: i64 = 24 * 3_600 * 1_000_000;

/// How much all API tokens of a user may use together, in shares of one: a user can make new ones.
const SHARES_OF_TOKENS: usize = 4;

/// What is known of a key.
#[derive(Debug)]
pub enum KeyState {
    /// The request is new.
    New {
        /// How many bytes of its answer may be kept.
        room: usize,
    },
    /// The request was answered.
    Answered(StoredAnswer),
    /// Another request was sent under this key.
    Taken,
}

/// The digest of the parts of a request, by which it is known again.
#[must_use]
pub fn digest(caller: &Caller, parts: &[&[u8]]) -> String {
    request_digest::digest(&caller.service.keys, parts)
}

/// Looks up a key in the transaction of the request, and takes it if it is free.
///
/// # Errors
///
/// [`Error::Unauthenticated`]; [`Error::TooManyKeys`]; the store failed.
pub async fn take_key(caller: &Caller, key: &IdempotencyKey) -> Result<KeyState, Error> {
    let Some(transaction) = &caller.request.transaction else {
        return Ok(KeyState::New { room: 0 });
    };
    let context = caller.write_context();
    let kept_from = Timestamp(caller.service.certain_now().0 - KEPT);
    let (reader, mut key) = (caller.clone(), key.clone());
    let work = move |tx: &mut WriteTx<'_>| {
        let access = reader.access_in(tx.catalog())?;
        let request = key.fingerprint.clone();
        key.fingerprint = format!("{request}.{}", rights_of(&reader, &access));
        match tx.stored_answer(&key, kept_from)? {
            Some(answer) if answer.fingerprint == key.fingerprint => Ok(KeyState::Answered(answer)),
            Some(answer) if answer.fingerprint.split('.').next() == Some(&request) => {
                let detail = "your rights have changed since the request was answered, so its answer is not given again";
                Err(Error::Forbidden(detail.to_owned()))
            }
            Some(_) => Ok(KeyState::Taken),
            None => {
                let room = room(tx, &key, kept_from, reader.service.records())?;
                tx.take_key(&key)?;
                Ok(KeyState::New { room })
            }
        }
    };
    transaction.write(context, work).await
}

/// The digest of what the caller may do and see: an answer is given again only as long as that is
/// the same.
fn rights_of(caller: &Caller, access: &Access) -> String {
    let rights = format!("{} {:?} {:?}", access.group_id, access.rights, access.scope);
    digest(caller, &[rights.as_bytes()])
}

/// How many bytes of an answer may be kept. A stolen API token uses up neither what the sessions of
/// its user have, nor what another token has.
fn room(
    tx: &mut WriteTx<'_>,
    key: &IdempotencyKey,
    kept_from: Timestamp,
    limits: &RecordLimits,
) -> Result<usize, Error> {
    let own = left(tx.key_usage(key, kept_from)?, limits, 1)?;
    if key.token.is_none() {
        return Ok(own);
    }
    let of_tokens = tx.key_usage_of_tokens(key.user, kept_from)?;
    Ok(own.min(left(of_tokens, limits, SHARES_OF_TOKENS)?))
}

/// The bytes that are left of some shares.
fn left(usage: KeyUsage, limits: &RecordLimits, shares: usize) -> Result<usize, Error> {
    let keys = limits.idempotency_keys.saturating_mul(shares);
    if usage.keys >= keys {
        return Err(Error::TooManyKeys(keys));
    }
    let bytes = limits.idempotency_bytes.saturating_mul(shares);
    Ok(bytes.saturating_sub(usage.bytes))
}

/// Stores the answer under a key that was taken.
///
/// # Errors
///
/// The store failed.
pub async fn keep_answer(
    caller: &Caller,
    key: &IdempotencyKey,
    answer: StoredAnswer,
) -> Result<(), Error> {
    let Some(transaction) = &caller.request.transaction else {
        return Ok(());
    };
    let context = caller.write_context();
    let kept_from = Timestamp(caller.service.certain_now().0 - KEPT);
    let key = key.clone();
    let work = move |tx: &mut WriteTx<'_>| Ok(tx.keep_answer(&key, &answer, kept_from)?);
    transaction.write(context, work).await
}
