//! What a caller may do, by one state of the catalog.

use std::sync::Arc;

use stockroom_access::permission::ForTypes;
use stockroom_access::{Operation, Permission, RightSet, Scope, ceiling};
use stockroom_model::token::TokenCeiling;
use stockroom_model::{GroupId, TypeId, UserId};
use stockroom_store::{Catalog, TypeEntry, UserEntry};

use super::token_limits::TokenLimits;
use crate::Error;

/// The rights of a user, within the limits of the API token that acts for it.
#[derive(Clone)]
pub(crate) struct Access {
    pub(crate) user_id: UserId,
    pub(crate) group_id: GroupId,
    pub(crate) rights: RightSet,
    /// The types that it may see.
    pub(crate) scope: Arc<Scope>,
    token: Option<Arc<TokenLimits>>,
}

impl Access {
    pub(crate) fn of(catalog: &Catalog, user: &UserEntry, token: Option<Arc<TokenLimits>>) -> Self {
        let access = Self {
            user_id: user.id,
            group_id: user.group_id,
            rights: catalog.rights(user.group_id),
            scope: catalog.scope(user.group_id),
            token: None,
        };
        match token {
            None => access,
            Some(limits) => Self {
                rights: limits.rights(&access.rights),
                scope: limits.scope(catalog, &access.scope),
                token: Some(limits),
                ..access
            },
        }
    }

    /// The API token of the request, if it has one.
    pub(crate) fn token(&self) -> Option<&TokenLimits> {
        self.token.as_deref()
    }

    /// Whether the caller holds the right of `P`.
    pub(crate) fn holds<P: Permission>(&self) -> bool {
        self.rights.permits::<P>()
    }

    /// Requires what `P` needs.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] names the right.
    pub(crate) fn check<P: Permission>(&self) -> Result<(), Error> {
        if P::NEEDS_LOGIN && self.token.is_some() {
            let detail = "an API token is not enough for this; log in";
            return Err(Error::Forbidden(detail.to_owned()));
        }
        if P::FOR_TYPES == ForTypes::Nothing && !P::NEEDS_LOGIN && !self.covers_all() {
            return Err(Error::Forbidden(format!(
                "the token is only for some types, and this needs {} for all",
                P::RIGHT
            )));
        }
        if self.holds::<P>() {
            Ok(())
        } else {
            Err(Error::missing_right(P::RIGHT))
        }
    }

    /// Requires that the caller may write with `P`. Some changes need no right, so rights alone do
    /// not make a token read-only.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`]
    pub(crate) fn check_writes<P: Permission>(&self) -> Result<(), Error> {
        if self.token().is_some_and(TokenLimits::is_read_only) {
            return Err(Error::Forbidden("the token is read-only".to_owned()));
        }
        if P::FOR_TYPES == ForTypes::Read && !self.covers_all() {
            let detail = "the token is only for some types, and this changes something else";
            return Err(Error::Forbidden(detail.to_owned()));
        }
        Ok(())
    }

    /// Whether the caller needs no right for its own user. A token with `rights` has no others.
    pub(crate) fn owns_itself(&self) -> bool {
        !self.token().is_some_and(TokenLimits::has_rights)
    }

    /// Whether the caller may do this with objects of a type, by its access list and by the token.
    pub(crate) fn allows(&self, entry: &TypeEntry, operation: Operation) -> bool {
        let token = self.token();
        self.covers(entry.record.public_id)
            && entry.acl.allows(self.group_id, operation)
            && token.is_none_or(|limits| limits.allows(entry, operation))
    }

    /// Whether the token, if there is one, is for this type.
    pub(crate) fn covers(&self, type_id: TypeId) -> bool {
        self.token().is_none_or(|limits| limits.covers(type_id))
    }

    /// Requires that the token, if there is one, is for this type.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`]
    pub(crate) fn check_covers(&self, type_id: TypeId) -> Result<(), Error> {
        if self.covers(type_id) {
            return Ok(());
        }
        let detail = format!("the token is not for the type {type_id}");
        Err(Error::Forbidden(detail))
    }

    /// Whether no type is excluded by a token.
    pub(crate) fn covers_all(&self) -> bool {
        !self.token().is_some_and(TokenLimits::has_types)
    }

    /// What `group` may do with objects of a type, and the caller may not.
    pub(crate) fn lacking(&self, entry: &TypeEntry, group: GroupId) -> Vec<Operation> {
        let granted = entry.acl.granted(group);
        granted
            .filter(|operation| !self.allows(entry, *operation))
            .collect()
    }

    /// Requires that the token, if there is one, has no networks: who sets a password can log in with
    /// it from anywhere.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`]
    pub(crate) fn check_sets_passwords(&self) -> Result<(), Error> {
        if self.token().is_some_and(TokenLimits::has_networks) {
            let detail = "a token with networks sets no passwords: a login works from anywhere";
            return Err(Error::Forbidden(detail.to_owned()));
        }
        Ok(())
    }

    /// Whether a token limits what the caller may do with objects of some types.
    pub(crate) fn has_limited_types(&self) -> bool {
        self.token().is_some_and(TokenLimits::limits_types)
    }

    /// The ceiling of a token that the caller makes now.
    pub(crate) fn ceiling(&self, catalog: &Catalog) -> TokenCeiling {
        let types = catalog.types();
        let lists = types.map(|entry| (entry.record.public_id, &entry.acl));
        ceiling::of_maker(Some(self.user_id), self.group_id, &self.rights, lists)
    }
}
