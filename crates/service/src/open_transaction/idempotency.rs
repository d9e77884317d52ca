//! Writes that a client may repeat: the answer is stored in the same transaction.

use stockroom_auth::request_digest;
use stockroom_model::Timestamp;
use stockroom_store::{IdempotencyKey, StoredAnswer};

use crate::{Caller, Error};

/// How long an answer is kept, in microseconds.
const KEPT: i64 = 24 * 3_600 * 1_000_000;

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
    let kept_from = Timestamp(context.now.0 - KEPT);
    let (reader, key) = (caller.clone(), key.clone());
    let work = move |tx: &mut stockroom_store::WriteTx<'_>| {
        reader.access_in(tx.catalog())?;
        match tx.stored_answer(&key, kept_from)? {
            Some(answer) if answer.fingerprint == key.fingerprint => Ok(KeyState::Answered(answer)),
            Some(_) => Ok(KeyState::Taken),
            None => {
                let limits = reader.service.records();
                let usage = tx.key_usage(key.user, kept_from)?;
                if usage.keys >= limits.idempotency_keys {
                    return Err(Error::TooManyKeys(limits.idempotency_keys));
                }
                tx.take_key(&key)?;
                let room = limits.idempotency_bytes.saturating_sub(usage.bytes);
                Ok(KeyState::New { room })
            }
        }
    };
    transaction.write(context, work).await
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
    let kept_from = Timestamp(context.now.0 - KEPT);
    let key = key.clone();
    let work =
        move |tx: &mut stockroom_store::WriteTx<'_>| Ok(tx.keep_answer(&key, &answer, kept_from)?);
    transaction.write(context, work).await
}
