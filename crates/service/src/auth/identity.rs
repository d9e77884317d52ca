//! Whose a token is, as one state of the catalog says.

use std::sync::{Arc, Weak};

use stockroom_access::{Permission, RightSet, Scope};
use stockroom_auth::Claims;
use stockroom_model::{GroupId, UserId};
use stockroom_store::{Catalog, UserEntry};

use crate::Error;

/// A user with what its group may do, looked up once for each token and catalog.
pub(crate) struct Identity {
    pub(crate) user_id: UserId,
    pub(crate) group_id: GroupId,
    pub(crate) rights: RightSet,
    pub(crate) scope: Arc<Scope>,
    pub(crate) claims: Arc<Claims>,
    /// Weak, so that a token that is not shown again keeps no old catalog; its place is not given away as long as this is there.
    catalog: Weak<Catalog>,
}

impl Identity {
    /// Whose the token with these claims is.
    ///
    /// # Errors
    ///
    /// [`Error::Unauthenticated`]: a token dies with its user, its activity and its generation, and when it is logged out.
    pub(crate) fn new(catalog: &Arc<Catalog>, claims: Arc<Claims>) -> Result<Self, Error> {
        let user = user_of(catalog, &claims)?;
        Ok(Self::of(catalog, user, claims))
    }

    /// What the user may see of what is read with `catalog`, which may be newer than the one that it was looked up in: another node may
    /// have changed since what types show, or who the user is.
    ///
    /// # Errors
    ///
    /// Those of [`Identity::new`]; [`Error::Forbidden`] if the user holds the right no more.
    pub(crate) fn scope_in<P: Permission>(&self, catalog: &Catalog) -> Result<Arc<Scope>, Error> {
        if std::ptr::eq(self.catalog.as_ptr(), catalog) {
            return Ok(Arc::clone(&self.scope));
        }
        let user = user_of(catalog, &self.claims)?;
        if catalog.rights(user.group_id).permits::<P>() {
            Ok(catalog.scope(user.group_id))
        } else {
            Err(Error::missing_right(P::RIGHT))
        }
    }

    /// The user, whatever the claims say.
    pub(crate) fn of(catalog: &Arc<Catalog>, user: &UserEntry, claims: Arc<Claims>) -> Self {
        Self {
            user_id: user.id,
            group_id: user.group_id,
            rights: catalog.rights(user.group_id),
            scope: catalog.scope(user.group_id),
            claims,
            catalog: Arc::downgrade(catalog),
        }
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
