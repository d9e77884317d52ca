//! Whose a token is, and what its user may do, as one state of the catalog says.

use std::sync::{Arc, Weak};

use stockroom_access::{Permission, RightSet, Scope};
use stockroom_auth::Claims;
use stockroom_model::{GroupId, UserId};
use stockroom_store::{Catalog, UserEntry};

use crate::Error;

/// What a user may do.
#[derive(Clone)]
pub(crate) struct Access {
    pub(crate) user_id: UserId,
    pub(crate) group_id: GroupId,
    pub(crate) rights: RightSet,
    /// What it may see.
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

    /// The user must hold the right of `P`.
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

/// A user with what it may do, looked up once for each token and catalog.
pub(crate) struct Identity {
    pub(crate) claims: Arc<Claims>,
    access: Access,
    /// Weak, so that a token that is not shown again keeps no old catalog. Its address is not
    /// reused as long as this exists.
    catalog: Weak<Catalog>,
}

impl Identity {
    /// Whose the token with these claims is.
    ///
    /// # Errors
    ///
    /// [`Error::Unauthenticated`]: a token dies with its user, its activity and its generation, and
    /// when it is logged out.
    pub(crate) fn new(catalog: &Arc<Catalog>, claims: Arc<Claims>) -> Result<Self, Error> {
        let access = Access::of(catalog, user_of(catalog, &claims)?);
        Ok(Self {
            claims,
            access,
            catalog: Arc::downgrade(catalog),
        })
    }

    /// The user.
    pub(crate) const fn user_id(&self) -> UserId {
        self.access.user_id
    }

    /// What the user may do in a view of the store with `catalog`.
    pub(crate) fn access_in(&self, catalog: &Catalog) -> Result<Access, Error> {
        if std::ptr::eq(self.catalog.as_ptr(), catalog) {
            return Ok(self.access.clone());
        }
        let user = user_of(catalog, &self.claims)?;
        Ok(Access::of(catalog, user))
    }

    /// Whether this was looked up in that very catalog.
    pub(crate) fn is_of(&self, catalog: &Arc<Catalog>) -> bool {
        std::ptr::eq(self.catalog.as_ptr(), Arc::as_ptr(catalog))
    }
}

fn user_of<'c>(catalog: &'c Catalog, claims: &Claims) -> Result<&'c UserEntry, Error> {
    UserId::new(claims.user_id)
        .and_then(|id| catalog.user(id))
        .filter(|user| is_current(user, claims) && !catalog.is_revoked(&claims.jti))
        .map(AsRef::as_ref)
        .ok_or(Error::Unauthenticated)
}

fn is_current(user: &UserEntry, claims: &Claims) -> bool {
    user.active && user.credentials.token_generation == claims.generation
}
