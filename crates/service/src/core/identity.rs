//! The user of a token, by one state of the catalog.

use std::sync::{Arc, Weak};

use stockroom_auth::Claims;
use stockroom_model::{Timestamp, TokenId, UserId};
use stockroom_store::{Catalog, UserEntry, Via};

use super::access::Access;
use super::token_limits::TokenLimits;
use crate::Error;

/// What says who the caller is.
#[derive(Clone)]
enum Proof {
    /// The token of a session.
    Session(Arc<Claims>),
    /// An API token.
    Token(TokenId),
    /// Nothing: work that goes on after its request needs only the user.
    Absent(UserId),
}

/// The user of a token with its rights, looked up once per catalog.
pub(crate) struct Identity {
    proof: Proof,
    access: Access,
    /// Weak, so that a token that is not used again keeps no old catalog alive. Its address is not
    /// reused while this exists.
    catalog: Weak<Catalog>,
}

impl Identity {
    /// Looks up the user of a session token with these claims.
    ///
    /// # Errors
    ///
    /// [`Error::Unauthenticated`]: the user is gone or inactive, its token generation has changed,
    /// or the token was logged out.
    pub(crate) fn new(catalog: &Arc<Catalog>, claims: Arc<Claims>) -> Result<Self, Error> {
        Self::with(catalog, Proof::Session(claims))
    }

    /// Looks up the user of an API token.
    ///
    /// # Errors
    ///
    /// [`Error::Unauthenticated`]: the token was revoked, or the user is gone or inactive.
    pub(crate) fn of_token(catalog: &Arc<Catalog>, token: TokenId) -> Result<Self, Error> {
        Self::with(catalog, Proof::Token(token))
    }

    /// Looks up a user for work that goes on after its request. If that had an API token, the work
    /// has its limits, and ends with it.
    ///
    /// # Errors
    ///
    /// [`Error::Unauthenticated`]: the user or the API token is gone, or the user is inactive.
    pub(crate) fn of_absent(catalog: &Arc<Catalog>, user: UserId, via: Via) -> Result<Self, Error> {
        match via.token() {
            Some(token) => Self::of_token(catalog, token),
            None => Self::with(catalog, Proof::Absent(user)),
        }
    }

    fn with(catalog: &Arc<Catalog>, proof: Proof) -> Result<Self, Error> {
        Ok(Self {
            access: access_of(catalog, &proof)?,
            proof,
            catalog: Arc::downgrade(catalog),
        })
    }

    pub(crate) const fn user_id(&self) -> UserId {
        self.access.user_id
    }

    /// The claims of the session token.
    pub(crate) const fn claims(&self) -> Option<&Arc<Claims>> {
        match &self.proof {
            Proof::Session(claims) => Some(claims),
            Proof::Token(_) | Proof::Absent(_) => None,
        }
    }

    /// The id of the API token.
    pub(crate) const fn token_id(&self) -> Option<TokenId> {
        match self.proof {
            Proof::Token(id) => Some(id),
            Proof::Session(_) | Proof::Absent(_) => None,
        }
    }

    /// The limits of the API token.
    pub(crate) fn limits(&self) -> Option<&TokenLimits> {
        self.access.token()
    }

    /// Whether the token has expired at `now`.
    pub(crate) fn is_expired(&self, now: Timestamp) -> bool {
        self.claims().is_some_and(|claims| claims.is_expired(now))
            || self.limits().is_some_and(|limits| limits.is_over(now))
    }

    /// The rights of the user in a view of the store with `catalog`.
    pub(crate) fn access_in(&self, catalog: &Catalog) -> Result<Access, Error> {
        if std::ptr::eq(self.catalog.as_ptr(), catalog) {
            return Ok(self.access.clone());
        }
        access_of(catalog, &self.proof)
    }

    /// Whether this was looked up in that very catalog instance.
    pub(crate) fn is_of(&self, catalog: &Arc<Catalog>) -> bool {
        std::ptr::eq(self.catalog.as_ptr(), Arc::as_ptr(catalog))
    }
}

fn access_of(catalog: &Catalog, proof: &Proof) -> Result<Access, Error> {
    match proof {
        Proof::Session(claims) => {
            let user = UserId::new(claims.user_id).and_then(|id| active(catalog, id));
            let user = user.filter(|user| {
                user.credentials.token_generation == claims.generation
                    && !catalog.is_revoked(&claims.jti)
            });
            Ok(Access::of(
                catalog,
                user.ok_or(Error::Unauthenticated)?,
                None,
            ))
        }
        Proof::Token(id) => {
            let token = catalog.token(*id).ok_or(Error::Unauthenticated)?;
            let user = active(catalog, token.user_id).ok_or(Error::Unauthenticated)?;
            let limits = Arc::new(TokenLimits::new(token));
            Ok(Access::of(catalog, user, Some(limits)))
        }
        Proof::Absent(id) => {
            let user = active(catalog, *id).ok_or(Error::Unauthenticated)?;
            Ok(Access::of(catalog, user, None))
        }
    }
}

fn active(catalog: &Catalog, id: UserId) -> Option<&UserEntry> {
    let user = catalog.user(id).filter(|user| user.active);
    user.map(AsRef::as_ref)
}
