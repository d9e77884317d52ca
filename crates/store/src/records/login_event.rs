//! The audit trail of logins.

use stockroom_model::{Timestamp, UserId};
use utoipa::ToSchema;

use crate::Error;
use crate::transaction::{ReadTx, WriteTx};

/// `throttled`: after too many failures, the password was not compared
#[derive(Debug, Clone, Copy, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum LoginResult {
    /// The password was right.
    Success,
    /// The password was wrong, or the user may not log in.
    Failure,
    /// The password was not compared, after too many failures.
    Throttled,
}

impl LoginResult {
    /// The word in the table.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Throttled => "throttled",
        }
    }
}

/// What the password was for: a login, or setting a password. `token` is an API token that was
/// refused
#[derive(Debug, Clone, Copy, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum LoginVia {
    /// A login.
    Login,
    /// Setting a password, with a token.
    Password,
    /// None: an API token.
    Token,
}

impl LoginVia {
    /// The word in the table.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Login => "login",
            Self::Password => "password",
            Self::Token => "token",
        }
    }
}

/// One attempt to log in. Time and request are those of the write.
#[derive(Debug, Clone)]
pub struct LoginEvent {
    /// The user with the given name, if there is one.
    pub user: Option<UserId>,
    /// The client's address.
    pub address: String,
    /// The outcome.
    pub result: LoginResult,
    /// The purpose of the password.
    pub via: LoginVia,
}

/// A stored attempt, with the words of the table.
#[derive(Debug, Clone)]
pub struct StoredLoginEvent {
    /// Its number; a later event has a higher one.
    pub seq: i64,
    /// When.
    pub at: Timestamp,
    /// The user with the given name, if there was one.
    pub user_id: Option<i64>,
    /// The client's address.
    pub address: String,
    /// A [`LoginResult`].
    pub result: String,
    /// A [`LoginVia`].
    pub via: String,
    /// The id of the request.
    pub request_id: String,
}

/// Rows that one write deletes at most.
const MAX_FORGOTTEN: i64 = 1_000;

const SELECT_SINCE: &str =
    "SELECT 1 FROM login_event WHERE address = ?1 AND at > ?2 AND result = ?3 LIMIT 1";
const SELECT_BEFORE: &str = "SELECT seq, at, user_id, address, result, via, request_id FROM login_event WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2";
const INSERT: &str = "INSERT INTO login_event (at, user_id, address, result, via, request_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const DELETE_OLD: &str = "DELETE FROM login_event WHERE seq IN (SELECT seq FROM login_event ORDER BY seq LIMIT ?3) \
     AND (at < ?1 OR seq <= (SELECT MAX(seq) FROM login_event) - ?2)";

impl ReadTx<'_> {
    /// Whether an address had such an event after `since`, in epoch microseconds.
    pub fn has_login_event(
        &mut self,
        address: &str,
        result: LoginResult,
        since: i64,
    ) -> Result<bool, Error> {
        let params = [address.into(), since.into(), result.as_str().into()];
        Ok(self.first(SELECT_SINCE, &params, |_| Ok(()))?.is_some())
    }

    /// The events with numbers below `before`, the newest first.
    pub fn login_events(
        &mut self,
        before: i64,
        limit: usize,
    ) -> Result<Vec<StoredLoginEvent>, Error> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.all(SELECT_BEFORE, &[before.into(), limit.into()], |row| {
            Ok(StoredLoginEvent {
                seq: row.int(0)?,
                at: Timestamp(row.int(1)?),
                user_id: row.opt_int(2)?,
                address: row.text(3)?.to_owned(),
                result: row.text(4)?.to_owned(),
                via: row.text(5)?.to_owned(),
                request_id: row.text(6)?.to_owned(),
            })
        })
    }
}

impl WriteTx<'_> {
    /// Stores an event.
    pub fn add_login_event(&mut self, event: &LoginEvent) -> Result<(), Error> {
        let context = self.context();
        let params = [
            context.now.0.into(),
            event.user.map(UserId::get).into(),
            event.address.as_str().into(),
            event.result.as_str().into(),
            event.via.as_str().into(),
            context.request_id.as_str().into(),
        ];
        self.run_one(INSERT, &params)
    }

    /// Deletes events from before `kept_from`, in epoch microseconds, and all but the last `max`;
    /// only some of them at a time.
    pub fn forget_login_events(&mut self, kept_from: i64, max: i64) -> Result<(), Error> {
        let params = [kept_from.into(), max.into(), MAX_FORGOTTEN.into()];
        self.run(DELETE_OLD, &params).map(drop)
    }
}
