//! `POST /auth/login`, and every other comparison of a password.

use std::sync::Arc;

use stockroom_auth::throttle::Failures;
use stockroom_fair::Requester;
use stockroom_model::UserId;
use stockroom_model::user::MAX_PASSWORD_BYTES;
use stockroom_store::{Account, LoginResult, LoginVia, UserEntry};

use super::event::{event, log};
use super::session::{Client, end_excess_sessions, session};
use super::throttle::{Attempt, record_login_network};
use super::{Login, LoginRequest};
use crate::core::hash_pool::Lane;
use crate::core::own_context::vital_context;
use crate::{Error, Service};

impl Service {
    /// Checks user name and password and returns a token. All failures take the same time and look
    /// the same.
    ///
    /// # Errors
    ///
    /// [`Error::LoginFailed`], [`Error::Throttled`], [`Error::TooManyLogins`]
    pub async fn login(&self, request: &LoginRequest, client: &Client) -> Result<Login, Error> {
        // Before the password is compared, so that the response time does not tell why a login
        // fails.
        let known = self.store.catalog();
        self.store.refresh_if_behind(&known).await;
        let catalog = self.store.catalog();
        let named = catalog.user_by_name(&request.user_name);
        let entry = named.filter(|entry| entry.active);
        let check = PasswordCheck {
            user: named.map(|entry| entry.id),
            user_name: &request.user_name,
            hash: entry
                .filter(|entry| !entry.is_service)
                .map(|entry| entry.credentials.password_hash.clone()),
            password: &request.password,
        };
        let (matches, attempt) = self.try_password(LoginVia::Login, check, client).await?;
        if let Some(entry) = entry.filter(|_| matches) {
            return self.start_session(entry, attempt, client.clone()).await;
        }
        self.record_failure(
            named.map(|entry| entry.id),
            LoginVia::Login,
            attempt,
            client,
        )
        .await?;
        Err(Error::LoginFailed)
    }

    /// Compares a password with the hash of an account. The caller ends the attempt.
    ///
    /// # Errors
    ///
    /// [`Error::Throttled`] after too many failures; [`Error::TooManyLogins`] while as many are
    /// compared; [`Error::Unavailable`] when the queue is full.
    pub(crate) async fn try_password(
        &self,
        via: LoginVia,
        check: PasswordCheck<'_>,
        client: &Client,
    ) -> Result<(bool, Attempt), Error> {
        let attempt = self
            .begin_attempt(check.user, check.user_name, via, client)
            .await?;
        let lane = match via {
            LoginVia::Login if attempt.is_familiar => Lane::FamiliarLogin,
            LoginVia::Login => Lane::Login,
            LoginVia::Password | LoginVia::Token => Lane::Change,
        };
        // No stored password is longer, and hashing megabytes would help an attacker.
        let (password, hash) = if check.password.len() > MAX_PASSWORD_BYTES {
            (String::new(), None)
        } else {
            (check.password.to_owned(), check.hash)
        };
        let account = check
            .user
            .map_or(Requester::SERVICE, |id| Requester::user(id.get()));
        match self.hashing.verify((lane, account), password, hash).await {
            Ok(matches) => Ok((matches, attempt)),
            Err(error) => {
                self.end_attempt(&attempt, Failures::withdraw).await?;
                Err(error)
            }
        }
    }

    async fn start_session(
        &self,
        verified: &Arc<UserEntry>,
        attempt: Attempt,
        client: Client,
    ) -> Result<Login, Error> {
        let (now, config) = (self.clock.now(), self.config.clone());
        let entry = Arc::clone(verified);
        let generation = entry.credentials.token_generation;
        let lifetime = config
            .token_lifetime_seconds
            .min(config.session_lifetime_seconds);
        let issued = self.token(entry.id, generation, now, lifetime)?;
        let begun = session(entry.id, generation, &issued, &client);
        let (id, trail) = (entry.id, self.trail());
        let event = event(Some(id), LoginVia::Login, LoginResult::Success, &client);
        let noted = event.clone();
        let context = vital_context(&client.request_id, now);
        let account = self
            .store
            .write(context, move |tx| {
                let account = tx.account(entry.id)?.ok_or(Error::LoginFailed)?;
                if !is_unchanged(&entry, &account) {
                    return Err(Error::LoginFailed);
                }
                attempt.end(tx, Failures::succeed, &config.throttle, now)?;
                record_login_network(tx, entry.id, client.address, &config.throttle)?;
                end_excess_sessions(tx, entry.id, generation, config.max_sessions_per_user)?;
                tx.insert_login_session(&begun)?;
                trail.note(tx, &noted)?;
                Ok(account)
            })
            .await?;
        log(&event);
        Ok(self.logged_in(&account, issued))
    }
}

/// A password that a client sent, and the account to compare it with.
pub(crate) struct PasswordCheck<'a> {
    pub(crate) user: Option<UserId>,
    pub(crate) user_name: &'a str,
    /// The stored hash; without one no password matches.
    pub(crate) hash: Option<String>,
    pub(crate) password: &'a str,
}

/// Whether the account is unchanged: it may have changed while the password was hashed.
fn is_unchanged(verified: &UserEntry, account: &Account) -> bool {
    account.user.active && account.credentials == verified.credentials
}
