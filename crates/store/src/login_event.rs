//! The audit trail of logins.

use stockroom_model::UserId;

use crate::Error;
use crate::transaction::{ReadTx, WriteTx};

/// What came of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoginResult {
    /// The password was right.
    Success,
    /// It was wrong, or the user may not log in.
    Failure,
    /// It was not compared, after too many failures.
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

/// What the password was for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoginVia {
    /// A login.
    Login,
    /// Setting a password, with a token.
    Password,
}

impl LoginVia {
    /// The word in the table.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Login => "login",
            Self::Password => "password",
        }
    }
}

/// One attempt. Time and request are those of the write.
#[derive(Debug, Clone)]
pub struct LoginEvent {
    /// Whose name it was, if it is one.
    pub user: Option<UserId>,
    /// Where it came from.
    pub address: String,
    /// What came of it.
    pub result: LoginResult,
    /// What it was for.
    pub via: LoginVia,
}

/// Rows that one write forgets at most.
const MAX_FORGOTTEN: i64 = 1_000;

const SELECT_SINCE: &str =
    "SELECT 1 FROM login_event WHERE address = ?1 AND at > ?2 AND result = ?3 LIMIT 1";
const INSERT: &str = "INSERT INTO login_event (at, user_id, address, result, via, request_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const DELETE_OLD: &str = "DELETE FROM login_event WHERE seq IN (SELECT seq FROM login_event ORDER BY seq LIMIT ?3) \
     AND (at < ?1 OR seq <= (SELECT MAX(seq) FROM login_event) - ?2)";

impl ReadTx<'_> {
    /// Whether there was such an event from an address after `since`, in epoch microseconds.
    pub fn has_login_event(
        &mut self,
        address: &str,
        result: LoginResult,
        since: i64,
    ) -> Result<bool, Error> {
        let params = [address.into(), since.into(), result.as_str().into()];
        Ok(self.first(SELECT_SINCE, &params, |_| Ok(()))?.is_some())
    }
}

impl WriteTx<'_> {
    /// Notes an event.
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

    /// Forgets events from before `kept_from`, in epoch microseconds, and all but the last `max`;
    /// some of them at once.
    pub fn forget_login_events(&mut self, kept_from: i64, max: i64) -> Result<(), Error> {
        let params = [kept_from.into(), max.into(), MAX_FORGOTTEN.into()];
        self.run(DELETE_OLD, &params).map(drop)
    }
}
