//! Logging in and out (`docs/guide/src/authentication.md`).

mod api_token;
mod event;
mod login;
mod me;
mod request;
mod session;
mod throttle;

use std::sync::Arc;

use stockroom_auth::token::{self, Issued};
use stockroom_model::json::Value;
use stockroom_model::{Timestamp, UserId};
use stockroom_store::Account;

pub(crate) use login::PasswordCheck;
pub(crate) use me::names;
pub use me::{Me, ObjectAccess, PasswordRule, me};
pub use request::LoginRequest;
pub use session::{Client, Session, end_session, end_sessions, logout, refresh, renew, sessions};
pub(crate) use throttle::Attempt;

use crate::core::identity::Identity;
use crate::records::user::answer::answer;
use crate::{Caller, Error, RequestContext, Service};

/// A token and its user. Not `Debug`, because the token is a credential.
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
    /// The user of a session token that is valid now.
    ///
    /// # Errors
    ///
    /// [`Error::Unauthenticated`], whatever the cause.
    pub async fn authenticate(
        self: &Arc<Self>,
        token: &str,
        request: RequestContext,
    ) -> Result<Caller, Error> {
        let now = self.clock.now();
        let known = self.tokens.get(token);
        self.count_lookup(known.is_some());
        let claims = match known.as_ref().and_then(|known| known.claims()) {
            Some(claims) => Arc::clone(claims),
            None => {
                Arc::new(token::verify(token, now, &self.keys).map_err(|_| Error::Unauthenticated)?)
            }
        };
        if claims.is_expired(now) {
            return Err(Error::Unauthenticated);
        }
        // Only genuine tokens get here, so forged ones never cause a query.
        let identified = self.decide(|catalog| match &known {
            Some(known) if known.is_of(catalog) => Ok(Arc::clone(known)),
            _ => {
                let identity = Arc::new(Identity::new(catalog, Arc::clone(&claims))?);
                self.tokens.put(token, Arc::clone(&identity));
                Ok(identity)
            }
        });
        Ok(Caller::new(self, &identified.await?, request))
    }

    fn count_lookup(&self, is_known: bool) {
        // Registered once, because looking up a counter costs more than authenticating.
        let [misses, hits] = self.token_lookups.get_or_init(|| {
            ["miss", "hit"]
                .map(|result| metrics::counter!("stockroom_token_cache_total", "result" => result))
        });
        let counter = if is_known { hits } else { misses };
        counter.increment(1);
    }

    fn logged_in(&self, account: &Account, issued: Issued) -> Login {
        Login {
            user: answer(self, account),
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
        lifetime_seconds: i64,
    ) -> Result<Issued, Error> {
        token::issue(
            user.get(),
            generation,
            now,
            lifetime_seconds,
            &self.keys,
            self.entropy.as_ref(),
        )
        .map_err(Error::internal)
    }
}
