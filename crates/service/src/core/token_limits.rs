//! The limits of an API token.

use std::net::IpAddr;
use std::sync::Arc;

use stockroom_access::{Ceiling, Operation, RightSet, Scope};
use stockroom_auth::Network;
use stockroom_model::{ApiToken, Timestamp, TypeId};
use stockroom_store::{Catalog, TypeEntry};

/// What an API token may do of all that its user may do.
pub(crate) struct TokenLimits {
    /// `None` for all.
    rights: Option<RightSet>,
    /// In ascending order; `None` for all.
    types: Option<Vec<TypeId>>,
    /// What its maker held.
    ceiling: Ceiling,
    is_read_only: bool,
    /// `None` for all.
    networks: Option<Vec<Network>>,
    end: Option<Timestamp>,
}

impl TokenLimits {
    /// What cannot be read, because a newer release wrote it, allows nothing.
    pub(crate) fn new(token: &ApiToken) -> Self {
        let types = token.types.clone().map(|mut types| {
            types.sort_unstable();
            types
        });
        let networks = token.networks.as_ref();
        Self {
            rights: token.rights.as_ref().map(RightSet::from_known_names),
            types,
            ceiling: Ceiling::new(&token.ceiling),
            is_read_only: token.read_only,
            networks: networks.map(|all| all.iter().filter_map(|one| one.parse().ok()).collect()),
            end: token.end(),
        }
    }

    /// The rights of a user who holds `held`, by this token.
    pub(crate) fn rights(&self, held: &RightSet) -> RightSet {
        let mut rights = held.intersection(self.ceiling.rights());
        if let Some(named) = &self.rights {
            rights = rights.intersection(named);
        }
        if self.has_types() {
            rights = rights.only_for_types();
        }
        if self.is_read_only {
            rights = rights.only_views();
        }
        rights
    }

    /// The scope of a user, by this token.
    pub(crate) fn scope(&self, catalog: &Catalog, scope: &Arc<Scope>) -> Arc<Scope> {
        if !self.limits_types() {
            return Arc::clone(scope);
        }
        let hidden = catalog.types().filter(|entry| {
            let id = entry.record.public_id;
            !self.covers(id) || !self.allows(entry, Operation::Read)
        });
        let hidden: Vec<TypeId> = hidden.map(|entry| entry.record.public_id).collect();
        Arc::new(scope.without(&hidden))
    }

    /// Whether it may do less with objects of some types than its user.
    pub(crate) const fn limits_types(&self) -> bool {
        self.has_types() || self.ceiling.has_lists()
    }

    /// Whether the maker could do this with objects of a type.
    pub(crate) fn allows(&self, entry: &TypeEntry, operation: Operation) -> bool {
        let id = entry.record.public_id;
        self.ceiling.allows(id, &entry.acl, operation)
    }

    pub(crate) fn covers(&self, type_id: TypeId) -> bool {
        let types = self.types.as_ref();
        types.is_none_or(|types| types.binary_search(&type_id).is_ok())
    }

    pub(crate) const fn has_rights(&self) -> bool {
        self.rights.is_some()
    }

    pub(crate) const fn has_types(&self) -> bool {
        self.types.is_some()
    }

    pub(crate) const fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// Whether there are addresses from which it does not work.
    pub(crate) const fn has_networks(&self) -> bool {
        self.networks.is_some()
    }

    pub(crate) fn is_over(&self, now: Timestamp) -> bool {
        self.end.is_some_and(|end| end <= now)
    }

    /// Whether the token works from an address.
    pub(crate) fn accepts(&self, address: IpAddr) -> bool {
        let networks = self.networks.as_ref();
        networks.is_none_or(|networks| networks.iter().any(|network| network.contains(address)))
    }
}
