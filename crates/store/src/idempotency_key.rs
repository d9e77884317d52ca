//! Answers to writes that clients may repeat.

use sha2::{Digest as _, Sha256};
use stockroom_model::{Timestamp, UserId};

use crate::Error;
use crate::migrate::hexadecimal;
use crate::transaction::{ReadTx, WriteTx};

/// How many old answers a write deletes.
const CHUNK: i64 = 100;

const SELECT: &str = "SELECT fingerprint, status, headers, body FROM idempotency_key WHERE user_id = ?1 AND key = ?2 AND at >= ?3";
const INSERT: &str = "INSERT INTO idempotency_key (user_id, key, at, fingerprint, status, headers, body) VALUES (?1, ?2, ?3, ?4, 0, '', NULL)";
const UPDATE: &str = "UPDATE idempotency_key SET status = ?3, headers = ?4, body = ?5 WHERE user_id = ?1 AND key = ?2";
const DELETE: &str = "DELETE FROM idempotency_key WHERE user_id = ?1 AND key = ?2";
const DELETE_OF_USER: &str = "DELETE FROM idempotency_key WHERE user_id = ?1";
const DELETE_OLD: &str = "DELETE FROM idempotency_key WHERE (user_id, key) IN (SELECT user_id, key FROM idempotency_key WHERE at < ?1 ORDER BY at LIMIT ?2)";

/// A key that a client gave to a request.
#[derive(Debug, Clone)]
pub struct IdempotencyKey {
    /// The user who sent it: each user has keys of its own.
    pub user: UserId,
    /// The key.
    pub key: String,
    /// The [`fingerprint`] of the request.
    pub fingerprint: String,
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAnswer {
    /// The fingerprint of the request.
    pub fingerprint: String,
    /// The status.
    pub status: i64,
    /// The headers, as JSON.
    pub headers: String,
    /// The body; `None` if it was too long to keep.
    pub body: Option<String>,
}

/// A digest that tells requests apart.
#[must_use]
pub fn fingerprint(parts: &[&[u8]]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        // With their lengths, so that no two lists of parts are alike.
        digest.update(part.len().to_be_bytes());
        digest.update(part);
    }
    hexadecimal(&digest.finalize())
}

impl ReadTx<'_> {
    /// The answer under a key that is not older than `kept_from`.
    pub fn stored_answer(
        &mut self,
        key: &IdempotencyKey,
        kept_from: Timestamp,
    ) -> Result<Option<StoredAnswer>, Error> {
        let params = [
            key.user.get().into(),
            key.key.as_str().into(),
            kept_from.0.into(),
        ];
        self.first(SELECT, &params, |row| {
            Ok(StoredAnswer {
                fingerprint: row.text(0)?.to_owned(),
                status: row.int(1)?,
                headers: row.text(2)?.to_owned(),
                body: row.opt_text(3)?.map(str::to_owned),
            })
        })
    }
}

impl WriteTx<'_> {
    /// Takes a key before its request is run: a second request under the key waits for the end of
    /// this transaction.
    pub fn take_key(&mut self, key: &IdempotencyKey) -> Result<(), Error> {
        let (user, name) = (key.user.get(), key.key.as_str());
        // It may have an answer that is too old.
        self.run(DELETE, &[user.into(), name.into()])?;
        let now = self.context().now.0;
        let params = [
            user.into(),
            name.into(),
            now.into(),
            key.fingerprint.as_str().into(),
        ];
        self.run_one(INSERT, &params)
    }

    /// Stores the answer under a key that was taken. One of 16 such writes deletes some answers
    /// that are older than `kept_from`: if all did, they would conflict.
    pub fn keep_answer(
        &mut self,
        key: &IdempotencyKey,
        answer: &StoredAnswer,
        kept_from: Timestamp,
    ) -> Result<(), Error> {
        let params = [
            key.user.get().into(),
            key.key.as_str().into(),
            answer.status.into(),
            answer.headers.as_str().into(),
            answer.body.as_deref().into(),
        ];
        self.run_one(UPDATE, &params)?;
        if key.fingerprint.starts_with('0') {
            self.run(DELETE_OLD, &[kept_from.0.into(), CHUNK.into()])?;
        }
        Ok(())
    }

    /// Forgets the keys of a user.
    pub(crate) fn delete_idempotency_keys(&mut self, user: UserId) -> Result<(), Error> {
        self.run(DELETE_OF_USER, &[user.get().into()]).map(drop)
    }
}
