//! Sessions: logins that have not ended.

use stockroom_model::UserId;

use crate::Error;
use crate::engine::driver::Row;
use crate::resource::Resource;
use crate::transaction::{ReadTx, WriteTx};

/// A login and its current token. Times are in epoch seconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginSession {
    /// Its id, which stays the same when the token is refreshed.
    pub id: String,
    /// The user who logged in.
    pub user: UserId,
    /// The user's token generation that it belongs to.
    pub generation: i64,
    /// The id of its token.
    pub jti: String,
    /// When the user logged in.
    pub started_at: i64,
    /// When the token was issued.
    pub refreshed_at: i64,
    /// When the token expires.
    pub expires_at: i64,
    /// The address that the user logged in from.
    pub address: String,
    /// The name that the client gives itself; empty if it gives none.
    pub user_agent: String,
}

const SELECT_OF_USER: &str = "SELECT id, user_id, generation, jti, started_at, refreshed_at, expires_at, address, user_agent FROM login_session \
     WHERE user_id = ?1 AND generation = ?2 AND expires_at > ?3 ORDER BY refreshed_at, id";
const SELECT_BY_TOKEN: &str = "SELECT id, user_id, generation, jti, started_at, refreshed_at, expires_at, address, user_agent FROM login_session WHERE jti = ?1";
const INSERT: &str = "INSERT INTO login_session (id, user_id, generation, jti, started_at, refreshed_at, expires_at, address, user_agent) \
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
const RENEW: &str = "UPDATE login_session SET refreshed_at = ?2, expires_at = ?3 WHERE jti = ?1";
const DELETE: &str = "DELETE FROM login_session WHERE jti = ?1";
const DELETE_OF_OTHER_GENERATIONS: &str =
    "DELETE FROM login_session WHERE user_id = ?1 AND generation <> ?2";
const SELECT_EXPIRED: &str = "SELECT 1 WHERE EXISTS (SELECT 1 FROM login_session WHERE expires_at < ?1) OR EXISTS (SELECT 1 FROM revoked_token WHERE expires_at < ?1)";
const DELETE_EXPIRED: &str = "DELETE FROM login_session WHERE id IN (SELECT id FROM login_session WHERE expires_at < ?1 ORDER BY id LIMIT ?2)";
const DELETE_EXPIRED_TOKENS: &str = "DELETE FROM revoked_token WHERE jti IN (SELECT jti FROM revoked_token WHERE expires_at < ?1 ORDER BY jti LIMIT ?2)";
const DELETE_OF_USER: &str = "DELETE FROM login_session WHERE user_id = ?1";
const END_TOKENS: &str =
    "UPDATE user_account SET token_generation = token_generation + 1 WHERE public_id = ?1";

fn session(row: &dyn Row) -> Result<LoginSession, Error> {
    Ok(LoginSession {
        id: row.text(0)?.to_owned(),
        user: UserId::new(row.int(1)?)
            .ok_or_else(|| Error::Damaged("a session of no user".to_owned()))?,
        generation: row.int(2)?,
        jti: row.text(3)?.to_owned(),
        started_at: row.int(4)?,
        refreshed_at: row.int(5)?,
        expires_at: row.int(6)?,
        address: row.text(7)?.to_owned(),
        user_agent: row.text(8)?.to_owned(),
    })
}

impl ReadTx<'_> {
    /// The sessions of a user that are alive at `now`, in epoch seconds; least recently refreshed
    /// first.
    pub fn login_sessions(
        &mut self,
        user: UserId,
        generation: i64,
        now: i64,
    ) -> Result<Vec<LoginSession>, Error> {
        let params = [user.get().into(), generation.into(), now.into()];
        self.all(SELECT_OF_USER, &params, session)
    }

    /// Whether a session or a revoked token expired before a time, in epoch seconds.
    pub fn has_expired_logins(&mut self, before: i64) -> Result<bool, Error> {
        let found = self.first(SELECT_EXPIRED, &[before.into()], |_| Ok(()))?;
        Ok(found.is_some())
    }

    /// The session of this token.
    pub fn login_session(&mut self, jti: &str) -> Result<Option<LoginSession>, Error> {
        self.first(SELECT_BY_TOKEN, &[jti.into()], session)
    }
}

impl WriteTx<'_> {
    /// Stores a session, and deletes those of earlier token generations of its user.
    pub fn insert_login_session(&mut self, session: &LoginSession) -> Result<(), Error> {
        let (user, generation) = (session.user.get(), session.generation);
        self.run(
            DELETE_OF_OTHER_GENERATIONS,
            &[user.into(), generation.into()],
        )?;
        let params = [
            session.id.as_str().into(),
            user.into(),
            generation.into(),
            session.jti.as_str().into(),
            session.started_at.into(),
            session.refreshed_at.into(),
            session.expires_at.into(),
            session.address.as_str().into(),
            session.user_agent.as_str().into(),
        ];
        self.run_one(INSERT, &params)
    }

    /// Sets when the token of a session was renewed and expires, in epoch seconds. Returns false if
    /// there is no such session.
    pub fn renew_login_session(
        &mut self,
        jti: &str,
        refreshed_at: i64,
        expires_at: i64,
    ) -> Result<bool, Error> {
        let params = [jti.into(), refreshed_at.into(), expires_at.into()];
        Ok(self.run(RENEW, &params)? > 0)
    }

    /// Revokes a token and deletes its session. Returns false if the token was already revoked.
    pub fn end_login_session(&mut self, jti: &str, expires_at: i64) -> Result<bool, Error> {
        // A renewed token has the same id and expires later.
        let renewed = self.login_session(jti)?.map(|session| session.expires_at);
        let expires_at = renewed.map_or(expires_at, |renewed| renewed.max(expires_at));
        self.run(DELETE, &[jti.into()])?;
        self.revoke_token(jti, expires_at)
    }

    /// Deletes so many sessions, and so many revoked tokens, that expired before a time, in epoch
    /// seconds.
    pub fn delete_expired_logins(&mut self, before: i64, most: i64) -> Result<(), Error> {
        let params = [before.into(), most.into()];
        self.run(DELETE_EXPIRED, &params)?;
        if self.run(DELETE_EXPIRED_TOKENS, &params)? > 0 {
            self.touch(Resource::RevokedToken)?;
        }
        Ok(())
    }

    /// Revokes all tokens of a user, including those without a session.
    pub fn end_all_tokens(&mut self, user: UserId) -> Result<(), Error> {
        self.delete_login_sessions(user)?;
        self.run_one(END_TOKENS, &[user.get().into()])?;
        self.touch(Resource::User)
    }

    pub(crate) fn delete_login_sessions(&mut self, user: UserId) -> Result<(), Error> {
        self.run(DELETE_OF_USER, &[user.get().into()]).map(drop)
    }
}
