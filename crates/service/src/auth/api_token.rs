//! API tokens in requests.

use std::sync::Arc;

use stockroom_auth::api_token;
use stockroom_auth::throttle::Refused;
use stockroom_model::{Timestamp, UserId};
use stockroom_store::{Catalog, LoginResult, LoginVia, Via};

use super::event::{event, log};
use super::session::Client;
use crate::core::identity::Identity;
use crate::{Caller, Error, RequestContext, Service};

const MICROS: i64 = 1_000_000;

impl Service {
    /// The user of an API token that is valid now and from the address of `client`.
    ///
    /// # Errors
    ///
    /// [`Error::Unauthenticated`], whatever the cause.
    pub async fn authenticate_api_token(
        self: &Arc<Self>,
        token: &str,
        client: &Client,
        request: RequestContext,
    ) -> Result<Caller, Error> {
        let now = self.clock.now();
        let identified = match api_token::digest(token) {
            Some(digest) => self.identify_token(&digest, client, now).await,
            None => Err(Error::Unauthenticated),
        };
        let owner = match identified {
            Ok(identity) => {
                let limits = identity.limits();
                let accepts = limits.is_some_and(|limits| limits.accepts(client.address));
                if let Some(id) = identity.token_id()
                    && accepts
                    && !identity.is_expired(now)
                {
                    self.token_uses.note(id, now, client.address);
                    let via = Via::Token(id);
                    return Ok(Caller::new(
                        self,
                        &identity,
                        RequestContext { via, ..request },
                    ));
                }
                Some(identity.user_id())
            }
            Err(Error::Unauthenticated) => None,
            Err(error) => return Err(error),
        };
        self.count_failed_token(owner, client, now).await;
        Err(Error::Unauthenticated)
    }

    /// The user of the token with this digest, looked up once per catalog.
    async fn identify_token(
        &self,
        digest: &str,
        client: &Client,
        now: Timestamp,
    ) -> Result<Arc<Identity>, Error> {
        let known = self.api_tokens.get(digest);
        self.count_lookup(known.is_some());
        let identify = |catalog: &Arc<Catalog>| match &known {
            Some(known) if known.is_of(catalog) => Ok(Arc::clone(known)),
            _ => {
                let token = catalog.token_by_digest(digest);
                let token = token.ok_or(Error::Unauthenticated)?;
                let identity = Arc::new(Identity::of_token(catalog, token.public_id)?);
                self.api_tokens.put(digest, Arc::clone(&identity));
                Ok(identity)
            }
        };
        // Whoever guesses tokens causes no queries.
        if self.failed_tokens.is_throttled(client.address, now) {
            return identify(&self.store.catalog());
        }
        self.decide(identify).await
    }

    /// Counts and records that a token was invalid, until there are too many from the same network.
    async fn count_failed_token(&self, owner: Option<UserId>, client: &Client, now: Timestamp) {
        let failed = event(owner, LoginVia::Token, LoginResult::Failure, client);
        log(&failed);
        if self.failed_tokens.is_throttled(client.address, now) {
            return;
        }
        match self.record_failed_token(failed, client, now).await {
            Ok(None | Some(Refused::TooManyAtOnce)) => {}
            Ok(Some(Refused::TooManyFailures(seconds))) => {
                let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
                let until = Timestamp(now.0.saturating_add(seconds.saturating_mul(MICROS)));
                self.failed_tokens.throttle(client.address, until);
            }
            // The answer is the same, and reads go on where writes cannot.
            Err(error) => tracing::debug!(%error, "a failed token was not counted"),
        }
    }
}
