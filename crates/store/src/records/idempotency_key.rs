//! Answers to writes that clients may repeat.

use stockroom_model::{Timestamp, TokenId, UserId};

use crate::Error;
use crate::transaction::{ReadTx, WriteTx};

/// How many old answers a write deletes.
const CHUNK: i64 = 100;

const SELECT: &str = "SELECT fingerprint, status, headers, body FROM idempotency_key WHERE user_id = ?1 AND key = ?2 AND at >= ?3";
const INSERT: &str = "INSERT INTO idempotency_key (user_id, key, at, fingerprint, status, headers, body, token_id) VALUES (?1, ?2, ?3, ?4, 0, '', NULL, ?5)";
const UPDATE: &str = "UPDATE idempotency_key SET status = ?3, headers = ?4, body = ?5, bytes = ?6 WHERE user_id = ?1 AND key = ?2";
const DELETE: &str = "DELETE FROM idempotency_key WHERE user_id = ?1 AND key = ?2";
const SELECT_USAGE: &str = "SELECT COUNT(*), CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM idempotency_key \
     WHERE user_id = ?1 AND token_id BETWEEN ?2 AND ?3 AND at >= ?4";
/// No digest is empty, so that the keys stay taken.
pub(crate) const FORGET_DIGESTS: &str = "UPDATE idempotency_key SET fingerprint = ''";
const FORGET_BODIES: &str = "UPDATE idempotency_key SET body = NULL WHERE body IS NOT NULL";
const DELETE_OF_USER: &str = "DELETE FROM idempotency_key WHERE user_id = ?1";
const DELETE_OLD: &str = "DELETE FROM idempotency_key WHERE (user_id, key) IN (SELECT user_id, key FROM idempotency_key WHERE at < ?1 ORDER BY at LIMIT ?2)";

/// A key that a client gave to a request.
#[derive(Debug, Clone)]
pub struct IdempotencyKey {
    /// The user who sent it: each user has keys of its own.
    pub user: UserId,
    /// The API token by which it was sent; `None` for a session.
    pub token: Option<TokenId>,
    /// The key.
    pub key: String,
    /// A keyed digest of the request.
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
    /// The body; `None` if it is not kept.
    pub body: Option<String>,
}

impl IdempotencyKey {
    /// What the table has for its token.
    fn token_id(&self) -> i64 {
        self.token.map_or(0, TokenId::get)
    }
}

/// How many keys were used, and the bytes of their answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KeyUsage {
    /// The number of keys.
    pub keys: usize,
    /// The bytes of all answers.
    pub bytes: usize,
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

impl ReadTx<'_> {
    /// The keys of the same token, or else of all sessions of the user, that are not older than
    /// `kept_from`.
    pub fn key_usage(
        &mut self,
        key: &IdempotencyKey,
        kept_from: Timestamp,
    ) -> Result<KeyUsage, Error> {
        let token = key.token_id();
        self.usage(key.user, (token, token), kept_from)
    }

    /// The keys of all API tokens of a user, also of those that are gone.
    pub fn key_usage_of_tokens(
        &mut self,
        user: UserId,
        kept_from: Timestamp,
    ) -> Result<KeyUsage, Error> {
        self.usage(user, (1, i64::MAX), kept_from)
    }

    fn usage(
        &mut self,
        user: UserId,
        (first, last): (i64, i64),
        kept_from: Timestamp,
    ) -> Result<KeyUsage, Error> {
        let number = |number: i64| usize::try_from(number).unwrap_or_default();
        let params = [
            user.get().into(),
            first.into(),
            last.into(),
            kept_from.0.into(),
        ];
        let usage = self.first(SELECT_USAGE, &params, |row| {
            Ok(KeyUsage {
                keys: number(row.int(0)?),
                bytes: number(row.int(1)?),
            })
        })?;
        Ok(usage.unwrap_or_default())
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
            key.token_id().into(),
        ];
        self.run_one(INSERT, &params)
    }

    /// Stores the answer under a key that was taken, without its body if the write has removed
    /// secrets: it may hold what they were before. One of 16 such writes deletes some answers
    /// that are older than `kept_from`: if all did, they would conflict.
    pub fn keep_answer(
        &mut self,
        key: &IdempotencyKey,
        answer: &StoredAnswer,
        kept_from: Timestamp,
    ) -> Result<(), Error> {
        let body = answer.body.as_deref().filter(|_| !self.commit.erases);
        let bytes = answer.headers.len() + body.map_or(0, str::len);
        let params = [
            key.user.get().into(),
            key.key.as_str().into(),
            answer.status.into(),
            answer.headers.as_str().into(),
            body.into(),
            i64::try_from(bytes).unwrap_or(i64::MAX).into(),
        ];
        self.run_one(UPDATE, &params)?;
        if key.fingerprint.starts_with('0') {
            self.run(DELETE_OLD, &[kept_from.0.into(), CHUNK.into()])?;
        }
        Ok(())
    }

    /// Forgets the bodies of all answers: they may hold values that became secrets. Returns whether
    /// there were any.
    pub fn forget_answers(&mut self) -> Result<bool, Error> {
        Ok(self.run(FORGET_BODIES, &[])? > 0)
    }

    /// Forgets the keys of a user.
    pub(crate) fn delete_idempotency_keys(&mut self, user: UserId) -> Result<(), Error> {
        self.run(DELETE_OF_USER, &[user.get().into()]).map(drop)
    }
}
