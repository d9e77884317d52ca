//! Data that nearly every request needs, in memory: types, rights of groups, users, tokens.
//! It is replaced as a whole after a commit that changed it, before that commit is acknowledged.

pub(crate) mod as_of;
pub(crate) mod load;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use stockroom_access::{Acl, RightSet, Scope};
use stockroom_model::r#type::UniqueRule;
use stockroom_model::{ApiToken, GroupId, Revision, TokenId, Type, TypeId, UserId, name};

use crate::engine::driver::versions::Versions;
use crate::records::account::Credentials;
use crate::records::object::index::{FrequentKeys, Layout};
use crate::records::stored::Stored;
use crate::records::unique::{TypeRule, rules_of};

/// A type with its parsed access list and its index columns.
#[derive(Debug)]
pub struct TypeEntry {
    /// The record.
    pub record: Type,
    /// Its revision.
    pub revision: Revision,
    /// Its access list.
    pub acl: Acl,
    /// The index columns of its objects.
    pub(crate) layout: Layout,
    /// The values that no two of its objects may share.
    pub(crate) unique: Vec<TypeRule>,
    /// Keys of these columns that many objects have.
    pub(crate) frequent_keys: FrequentKeys,
}

impl TypeEntry {
    /// `enforced` are its rules about unique values that are enforced.
    pub(crate) fn new(
        stored: Stored<Type>,
        layout: Layout,
        enforced: &[(i64, UniqueRule)],
    ) -> Self {
        Self {
            unique: rules_of(&stored.record, enforced),
            acl: Acl::from_value(&stored.record.acl),
            record: stored.record,
            revision: stored.revision,
            layout,
            frequent_keys: FrequentKeys::default(),
        }
    }
}

/// The parts of a user that logins and displays need.
#[derive(Debug)]
pub struct UserEntry {
    /// Its id.
    pub id: UserId,
    /// Its group.
    pub group_id: GroupId,
    /// Whether it may log in.
    pub active: bool,
    /// Whether it is a service account, which has no password.
    pub is_service: bool,
    /// The name for logins.
    pub user_name: String,
    /// The name that people read.
    pub display_name: String,
    /// Its e-mail address.
    pub email: Option<String>,
    /// Its credentials.
    pub credentials: Credentials,
}

/// The catalog as of one commit.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    pub(crate) versions: Versions,
    types: Arc<BTreeMap<TypeId, Arc<TypeEntry>>>,
    rights: Arc<HashMap<GroupId, RightSet>>,
    scopes: Arc<HashMap<GroupId, Arc<Scope>>>,
    users: Arc<HashMap<UserId, Arc<UserEntry>>>,
    user_names: Arc<HashMap<String, UserId>>,
    tokens: Arc<HashMap<TokenId, Arc<ApiToken>>>,
    token_digests: Arc<HashMap<String, TokenId>>,
    revoked_tokens: Arc<HashSet<String>>,
}

impl Catalog {
    /// The type of that id.
    #[must_use]
    pub fn type_entry(&self, id: TypeId) -> Option<&Arc<TypeEntry>> {
        self.types.get(&id)
    }

    /// All types by id.
    pub fn types(&self) -> impl Iterator<Item = &Arc<TypeEntry>> {
        self.types.values()
    }

    /// Whether a type visible in `scope` has a field of this name.
    #[must_use]
    pub fn has_field(&self, scope: &Scope, name: &str) -> bool {
        let mut types = self.types.values();
        types.any(|entry| entry.record.field(name).is_some() && scope.sees(entry.record.public_id))
    }

    /// The rights of a group; a group that does not exist has none.
    #[must_use]
    pub fn rights(&self, group: GroupId) -> RightSet {
        self.rights.get(&group).copied().unwrap_or_default()
    }

    /// The user of that id.
    #[must_use]
    pub fn user(&self, id: UserId) -> Option<&Arc<UserEntry>> {
        self.users.get(&id)
    }

    /// All users.
    pub fn users(&self) -> impl Iterator<Item = &Arc<UserEntry>> {
        self.users.values()
    }

    /// The user of that name, or else of a name with the same key.
    #[must_use]
    pub fn user_by_name(&self, user_name: &str) -> Option<&Arc<UserEntry>> {
        let exact = self.user_names.get(user_name);
        let id = exact.or_else(|| self.user_names.get(&name::key(user_name)))?;
        self.users.get(id)
    }

    /// The API token of that id.
    #[must_use]
    pub fn token(&self, id: TokenId) -> Option<&Arc<ApiToken>> {
        self.tokens.get(&id)
    }

    /// The API token whose secret has this digest.
    #[must_use]
    pub fn token_by_digest(&self, digest: &str) -> Option<&Arc<ApiToken>> {
        self.tokens.get(self.token_digests.get(digest)?)
    }

    /// Whether a token was logged out.
    #[must_use]
    pub fn is_revoked(&self, jti: &str) -> bool {
        self.revoked_tokens.contains(jti)
    }

    /// The scope of a group.
    #[must_use]
    pub fn scope(&self, group: GroupId) -> Arc<Scope> {
        self.scopes
            .get(&group)
            .map_or_else(|| Arc::new(self.make_scope(group)), Arc::clone)
    }

    fn make_scope(&self, group: GroupId) -> Scope {
        Scope::new(
            group,
            self.types
                .values()
                .map(|entry| (entry.record.public_id, &entry.acl)),
        )
    }
}
