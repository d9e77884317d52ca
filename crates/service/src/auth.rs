//! Logging in and out (contract, "Authentication").

mod hash_pool;
mod identity;
mod request;
mod throttle;

use std::net::IpAddr;
use std::sync::Arc;

use stockroom_access::permission::Authenticated;
use stockroom_auth::fingerprint;
use stockroom_auth::throttle::Failures;
use stockroom_auth::token::{self, Issued};
use stockroom_model::json::Value;
use stockroom_model::user::MAX_PASSWORD_BYTES;
use stockroom_model::{Timestamp, UserId};
use stockroom_store::{Account, UserEntry, WriteContext};

pub(crate) use hash_pool::{HashPool, Lane};
pub(crate) use identity::Identity;
pub use request::LoginRequest;
pub(crate) use throttle::Attempt;

use crate::permit::{Caller, RequestContext};
use crate::{Error, Permit, Service, user};

/// A token and whose it is. Not `Debug`: whoever has the token is the user.
#[derive(Clone)]
pub struct Login {
    /// The user as a read answers it.
    pub user: Value,
    /// The token.
    pub token: String,
    /// Epoch seconds.
    pub issued_at: i64,
    /// Epoch seconds.
    pub expires_at: i64,
}

impl Service {
    /// Who a token belongs to, if it is valid now.
    ///
    /// # Errors
    ///
    /// [`Error::Unauthenticated`], whatever the cause.
    pub fn authenticate(
        self: &Arc<Self>,
        token: &str,
        request: RequestContext,
    ) -> Result<Caller, Error> {
        let catalog = self.store.catalog();
        let now = self.clock.now();
        let known = self.tokens.get(token);
        self.count_lookup(known.is_some());
        let identity = match known {
            Some(known) if known.is_of(&catalog) => known,
            other => {
                let claims = match other {
                    Some(known) => Arc::clone(&known.claims),
                    None => Arc::new(
                        token::verify(token, now, &self.keys)
                            .map_err(|_| Error::Unauthenticated)?,
                    ),
                };
                let identity = Arc::new(Identity::new(&catalog, claims)?);
                self.tokens.put(token, Arc::clone(&identity));
                identity
            }
        };
        if identity.claims.is_expired(now) {
            return Err(Error::Unauthenticated);
        }
        Ok(Caller::new(self, &identity, request))
    }

    /// Counts how often a token was known.
    fn count_lookup(&self, is_known: bool) {
        // Registered once: to look a counter up costs more than to authenticate.
        let [misses, hits] = self.token_lookups.get_or_init(|| {
            ["miss", "hit"]
                .map(|result| metrics::counter!("stockroom_token_cache_total", "result" => result))
        });
        let counter = if is_known { hits } else { misses };
        counter.increment(1);
    }

    /// Checks user name and password and gives a token. Every failure takes the same time and looks the same.
    ///
    /// # Errors
    ///
    /// [`Error::LoginFailed`], [`Error::Throttled`]
    pub async fn login(&self, request: &LoginRequest, address: IpAddr) -> Result<Login, Error> {
        let LoginRequest {
            user_name,
            password,
        } = request;
        let catalog = self.store.catalog();
        let entry = catalog.user_by_name(user_name).filter(|entry| entry.active);
        let hash = entry.map(|entry| entry.credentials.password_hash.clone());
        let (matches, attempt) = self
            .try_password(Lane::Login, user_name, hash, password, address)
            .await?;
        if matches {
            self.end_attempt(&attempt, Failures::succeed).await?;
        }
        match entry {
            Some(entry) if matches => self.first_token(entry).await,
            _ => Err(Error::LoginFailed),
        }
    }

    /// Compares a password with that of an account; without a hash it never matches. The attempt counts as a failed login until
    /// it is ended otherwise.
    ///
    /// # Errors
    ///
    /// [`Error::Throttled`] after too many failures; [`Error::Unavailable`] when the queue is full.
    pub(crate) async fn try_password(
        &self,
        lane: Lane,
        user_name: &str,
        hash: Option<String>,
        password: &str,
        address: IpAddr,
    ) -> Result<(bool, Attempt), Error> {
        let attempt = self.begin_attempt(user_name, address).await?;
        // No account has a longer password, and hashing megabytes would help an attacker.
        let (password, hash) = if password.len() > MAX_PASSWORD_BYTES {
            (String::new(), None)
        } else {
            (password.to_owned(), hash)
        };
        match self.hashing.verify(lane, password, hash).await {
            Ok(matches) => Ok((matches, attempt)),
            Err(error) => {
                self.end_attempt(&attempt, Failures::withdraw).await?;
                Err(error)
            }
        }
    }

    async fn first_token(&self, verified: &UserEntry) -> Result<Login, Error> {
        let id = verified.id;
        let account = self
            .store
            .read(move |tx| tx.account(id)?.ok_or(Error::LoginFailed))
            .await?;
        // What was verified must still be in force: the account may have changed while the password was hashed.
        if !account.user.active || account.credentials != verified.credentials {
            return Err(Error::LoginFailed);
        }
        let issued = self.token(id, account.credentials.token_generation, self.clock.now())?;
        Ok(self.logged_in(&account, issued))
    }

    fn logged_in(&self, account: &Account, issued: Issued) -> Login {
        Login {
            user: user::answer(self, account),
            token: issued.token,
            issued_at: issued.issued_at,
            expires_at: issued.expires_at,
        }
    }

    pub(crate) fn token(
        &self,
        user: UserId,
        generation: i64,
        now: Timestamp,
    ) -> Result<Issued, Error> {
        token::issue(
            user.get(),
            generation,
            now,
            self.config.token_lifetime_seconds,
            &self.keys,
            self.entropy.as_ref(),
        )
        .map_err(Error::internal)
    }

    /// The password as answers show it: never the hash.
    pub(crate) fn encoded_password(&self, user: UserId, password_hash: &str) -> String {
        fingerprint::encode(&self.keys, user.get(), password_hash)
    }
}

/// Ends the token of the request.
///
/// # Errors
///
/// See [`Error`].
pub async fn logout(permit: &Permit<Authenticated>) -> Result<(), Error> {
    let claims = permit.caller().claims();
    permit
        .write(move |tx| {
            tx.revoke_token(&claims.jti, claims.expires_at)?;
            Ok(())
        })
        .await
}

/// Ends the token of the request and gives a new one, both in one write: a token can be exchanged only once.
///
/// # Errors
///
/// [`Error::Unauthenticated`] if the token ended meanwhile.
pub async fn refresh(permit: &Permit<Authenticated>) -> Result<Login, Error> {
    let claims = permit.caller().claims();
    let service = permit.service();
    let id = permit.caller().user_id;
    let issued = service.token(id, claims.generation, permit.now())?;
    let account = permit
        .write(move |tx| {
            let account = tx.account(id)?.ok_or(Error::Unauthenticated)?;
            let is_current = account.user.active
                && account.credentials.token_generation == claims.generation
                && tx.revoke_token(&claims.jti, claims.expires_at)?;
            if is_current {
                Ok(account)
            } else {
                Err(Error::Unauthenticated)
            }
        })
        .await?;
    Ok(service.logged_in(&account, issued))
}

/// A write context for what the service does on its own.
pub(crate) fn own_context(reason: &str, now: Timestamp) -> WriteContext {
    WriteContext {
        actor: 0,
        request_id: reason.to_owned(),
        comment: None,
        now,
        mark: None,
    }
}
