//! The user of a token and its rights, by one state of the catalog.

use std::sync::{Arc, Weak};

use stockroom_access::{Permission, RightSet, Scope};
use stockroom_auth::Claims;
use stockroom_model::{GroupId, UserId};
use stockroom_store::{Catalog, UserEntry};

use crate::Error;

/// The rights of a user.
#[derive(Clone)]
pub(crate) struct Access {
    pub(crate) user_id: UserId,
    pub(crate) group_id: GroupId,
    pub(crate) rights: RightSet,
    /// The types that it may see.
    pub(crate) scope: Arc<Scope>,
}

impl Access {
    fn of(catalog: &Catalog, user: &UserEntry) -> Self {
        Self {
            user_id: user.id,
            group_id: user.group_id,
            rights: catalog.rights(user.group_id),
            scope: catalog.scope(user.group_id),
        }
    }

    /// Whether the user holds the right of `P`.
    pub(crate) fn holds<P: Permission>(&self) -> bool {
        self.rights.permits::<P>()
    }

    /// Requires the right of `P`.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] names the right.
    pub(crate) fn check<P: Permission>(&self) -> Result<(), Error> {
        if self.holds::<P>() {
            Ok(())
        } else {
            Err(Error::missing_right(P::RIGHT))
        }
    }
}

/// The user of a token with its rights, looked up once per catalog.
pub(crate) struct Identity {
    pub(crate) claims: Arc<Claims>,
    /// Whether the token must still be valid. Work that goes on after its request needs only the
    /// user.
    needs_token: bool,
    access: Access,
    /// Weak, so that a token that is not used again keeps no old catalog alive. Its address is not
    /// reused while this exists.
    catalog: Weak<Catalog>,
}

impl Identity {
    /// Looks up the user of a token with these claims.
    ///
    /// # Errors
    ///
    /// [`Error::Unauthenticated`]: the user is gone or inactive, its token generation has changed,
    /// or the token was logged out.
    pub(crate) fn new(catalog: &Arc<Catalog>, claims: Arc<Claims>) -> Result<Self, Error> {
        Self::with(catalog, claims, true)
    }

    /// Looks up a user for work that goes on after its request.
    ///
    /// # Errors
    ///
    /// [`Error::Unauthenticated`]: the user is gone or inactive.
    pub(crate) fn of_user(catalog: &Arc<Catalog>, user: UserId) -> Result<Self, Error> {
        let claims = Claims {
            user_id: user.get(),
            generation: 0,
            jti: String::new(),
            issued_at: 0,
            expires_at: i64::MAX,
        };
        Self::with(catalog, Arc::new(claims), false)
    }

    fn with(catalog: &Arc<Catalog>, claims: Arc<Claims>, needs_token: bool) -> Result<Self, Error> {
        let access = Access::of(catalog, user_of(catalog, &claims, needs_token)?);
        Ok(Self {
            claims,
            needs_token,
            access,
            catalog: Arc::downgrade(catalog),
        })
    }

    pub(crate) const fn user_id(&self) -> UserId {
        self.access.user_id
    }

    /// The rights of the user in a view of the store with `catalog`.
    pub(crate) fn access_in(&self, catalog: &Catalog) -> Result<Access, Error> {
        if std::ptr::eq(self.catalog.as_ptr(), catalog) {
            return Ok(self.access.clone());
        }
        let user = user_of(catalog, &self.claims, self.needs_token)?;
        Ok(Access::of(catalog, user))
    }

    /// Whether this was looked up in that very catalog instance.
    pub(crate) fn is_of(&self, catalog: &Arc<Catalog>) -> bool {
        std::ptr::eq(self.catalog.as_ptr(), Arc::as_ptr(catalog))
    }
}

fn user_of<'c>(
    catalog: &'c Catalog,
    claims: &Claims,
    needs_token: bool,
) -> Result<&'c UserEntry, Error> {
    let is_valid = |user: &UserEntry| {
        user.credentials.token_generation == claims.generation && !catalog.is_revoked(&claims.jti)
    };
    UserId::new(claims.user_id)
        .and_then(|id| catalog.user(id))
        .filter(|user| user.active && (!needs_token || is_valid(user)))
        .map(AsRef::as_ref)
        .ok_or(Error::Unauthenticated)
}
