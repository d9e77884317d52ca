//! What nearly every request needs, kept in memory: types, rights of groups, who may log in. Replaced as a whole after a commit
//! that changed any of it, before that commit is acknowledged.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use stockroom_access::{Acl, RightSet, Scope};
use stockroom_model::{Group, GroupId, Revision, Type, TypeId, UserId, name};

use crate::Error;
use crate::counters::Counters;
use crate::driver::{Driver, Row};
use crate::object::index::Layout;
use crate::object::memo::ListMemo;
use crate::record::Stored;
use crate::transaction::{ReadTx, Resource};
use crate::user::{Account, Credentials};

/// A type with what its rules were compiled to.
#[derive(Debug)]
pub struct TypeEntry {
    /// The record.
    pub record: Type,
    /// Its revision.
    pub revision: Revision,
    /// Who may do what with its objects.
    pub acl: Acl,
    /// Where the index has the fields of its objects.
    pub(crate) layout: Layout,
}

impl TypeEntry {
    pub(crate) fn new(stored: Stored<Type>, layout: Layout) -> Self {
        Self {
            acl: Acl::from_value(&stored.record.acl),
            record: stored.record,
            revision: stored.revision,
            layout,
        }
    }
}

/// A user as far as logging in and naming it goes.
#[derive(Debug)]
pub struct UserEntry {
    /// Its id.
    pub id: UserId,
    /// Its group.
    pub group_id: GroupId,
    /// Whether it may log in.
    pub active: bool,
    /// What people read.
    pub display_name: String,
    /// What proves that it is the user.
    pub credentials: Credentials,
}

/// When each part of the catalog was changed: in microseconds, and always later than before. In the order of [`Resource::ALL`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Versions([i64; Resource::ALL.len()]);

pub(crate) const SELECT_VERSIONS: &str = "SELECT resource, version FROM catalog_version";
// The time makes versions differ from those of changes that a server took with it.
const RAISE_VERSION: &str = "INSERT INTO catalog_version (resource, version) VALUES (?1, ?2) ON CONFLICT (resource) DO UPDATE SET version = \
     CASE WHEN excluded.version > catalog_version.version THEN excluded.version ELSE catalog_version.version + 1 END";

impl Versions {
    pub(crate) fn read(tx: &mut ReadTx<'_>) -> Result<Self, Error> {
        let mut versions = Self::default();
        tx.each(SELECT_VERSIONS, &[], |row| versions.add(row))?;
        Ok(versions)
    }

    /// Notes a row of [`SELECT_VERSIONS`].
    pub(crate) fn add(&mut self, row: &dyn Row) -> Result<(), Error> {
        let name = row.text(0)?;
        let mut parts = Resource::ALL.iter().zip(&mut self.0);
        // What only newer releases keep in memory is not known here.
        if let Some((_, version)) = parts.find(|(resource, _)| resource.as_str() == name) {
            *version = row.int(1)?;
        }
        Ok(())
    }

    /// Notes a change of each of the resources that is in the catalog.
    pub(crate) fn raise(
        driver: &mut dyn Driver,
        touched: &[Resource],
        now_micros: i64,
    ) -> Result<(), Error> {
        for resource in touched.iter().filter(|resource| Catalog::holds(**resource)) {
            driver.execute(
                RAISE_VERSION,
                &[resource.as_str().into(), now_micros.into()],
            )?;
        }
        Ok(())
    }

    /// The resources that `other` has in another version.
    pub(crate) fn changed(&self, other: &Self) -> Vec<Resource> {
        let versions = self.0.iter().zip(&other.0);
        let parts = Resource::ALL.into_iter().zip(versions);
        parts
            .filter(|(_, (own, other))| own != other)
            .map(|(resource, _)| resource)
            .collect()
    }

    /// Whether this is of a later commit than `other`: one commit comes after the other, so that no part is older.
    pub(crate) fn is_after(&self, other: &Self) -> bool {
        self.0.iter().sum::<i64>() > other.0.iter().sum::<i64>()
    }
}

/// The state of a commit.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    pub(crate) versions: Versions,
    types: Arc<BTreeMap<TypeId, Arc<TypeEntry>>>,
    rights: Arc<HashMap<GroupId, RightSet>>,
    scopes: Arc<HashMap<GroupId, Arc<Scope>>>,
    users: Arc<HashMap<UserId, Arc<UserEntry>>>,
    user_names: Arc<HashMap<String, UserId>>,
    revoked_tokens: Arc<HashSet<String>>,
    /// What was learned about lists; shared by all commits.
    pub(crate) lists: Arc<ListMemo>,
    /// How many objects there are; shared by all commits.
    pub(crate) counters: Arc<Counters>,
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

    /// Whether a type whose objects the scope sees has a field of this name.
    #[must_use]
    pub fn has_field(&self, scope: &Scope, name: &str) -> bool {
        let mut types = self.types.values();
        types.any(|entry| {
            entry.layout.field(name).is_some()
                && scope.sees(entry.record.public_id.get())
                && entry.record.field(name).is_some()
        })
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

    /// The user of that name, or of one with the same key.
    #[must_use]
    pub fn user_by_name(&self, user_name: &str) -> Option<&Arc<UserEntry>> {
        let exact = self.user_names.get(user_name);
        let id = exact.or_else(|| self.user_names.get(&name::key(user_name)))?;
        self.users.get(id)
    }

    /// Whether a token was logged out.
    #[must_use]
    pub fn is_revoked(&self, jti: &str) -> bool {
        self.revoked_tokens.contains(jti)
    }

    /// What a group may see.
    #[must_use]
    pub fn scope(&self, group: GroupId) -> Arc<Scope> {
        self.scopes
            .get(&group)
            .map_or_else(|| Arc::new(self.make_scope(group)), Arc::clone)
    }

    fn make_scope(&self, group: GroupId) -> Scope {
        Scope::new(
            group.get(),
            self.types
                .values()
                .map(|entry| (entry.record.public_id.get(), &entry.acl)),
        )
    }

    /// Whether a change of this resource changes the catalog.
    pub(crate) const fn holds(resource: Resource) -> bool {
        matches!(
            resource,
            Resource::Type | Resource::Group | Resource::User | Resource::RevokedToken
        )
    }

    /// Loads everything.
    pub(crate) fn load(tx: &mut ReadTx<'_>) -> Result<Self, Error> {
        let mut catalog = Self::default();
        catalog.reload(tx, &Resource::ALL)?;
        Ok(catalog)
    }

    /// Loads what a commit touched.
    pub(crate) fn reload(
        &mut self,
        tx: &mut ReadTx<'_>,
        touched: &[Resource],
    ) -> Result<(), Error> {
        self.versions = Versions::read(tx)?;
        for resource in touched {
            match resource {
                Resource::Type => {
                    let types = types(tx.types()?, tx.layouts()?, &self.types);
                    // Whoever writes a type has compiled its expressions before, so that this finds them.
                    for entry in types.values() {
                        entry.record.compile();
                    }
                    self.types = Arc::new(types);
                }
                Resource::Group => self.rights = Arc::new(rights(&tx.groups()?)),
                Resource::User => {
                    let accounts = tx.accounts()?;
                    self.user_names = Arc::new(user_names(&accounts));
                    self.users = Arc::new(
                        accounts
                            .into_iter()
                            .map(|account| (account.user.public_id, Arc::new(user_entry(account))))
                            .collect(),
                    );
                }
                Resource::RevokedToken => {
                    self.revoked_tokens = Arc::new(tx.revoked_tokens()?.into_iter().collect());
                }
                Resource::Object | Resource::Category | Resource::Setting => {}
            }
        }
        self.scopes = Arc::new(
            self.rights
                .keys()
                .map(|group| (*group, Arc::new(self.make_scope(*group))))
                .collect(),
        );
        Ok(())
    }
}

/// The types with their columns, by id. What is `known` of a revision stays: it is compiled already.
pub(crate) fn types(
    types: Vec<Stored<Type>>,
    mut layouts: HashMap<i64, Layout>,
    known: &BTreeMap<TypeId, Arc<TypeEntry>>,
) -> BTreeMap<TypeId, Arc<TypeEntry>> {
    types
        .into_iter()
        .map(|stored| {
            let id = stored.record.public_id;
            if let Some(entry) = known
                .get(&id)
                .filter(|entry| entry.revision == stored.revision)
            {
                return (id, Arc::clone(entry));
            }
            let layout = layouts.remove(&id.get()).unwrap_or_default();
            (id, Arc::new(TypeEntry::new(stored, layout)))
        })
        .collect()
}

/// Users by the keys of their names and by the names themselves: in old data several names may have one key.
fn user_names(accounts: &[Account]) -> HashMap<String, UserId> {
    let mut names = HashMap::new();
    for Account { user, .. } in accounts {
        let key = name::key(&user.user_name);
        names.entry(key).or_insert(user.public_id);
    }
    let exact = accounts.iter().map(|account| &account.user);
    names.extend(exact.map(|user| (user.user_name.clone(), user.public_id)));
    names
}

/// Names that this release does not know grant nothing.
fn rights(groups: &[Stored<Group>]) -> HashMap<GroupId, RightSet> {
    groups
        .iter()
        .map(|group| {
            (
                group.record.public_id,
                RightSet::from_known_names(&group.record.rights),
            )
        })
        .collect()
}

fn user_entry(account: Account) -> UserEntry {
    let display_name = account.user.display_name();
    UserEntry {
        id: account.user.public_id,
        group_id: account.user.group_id,
        active: account.user.active,
        display_name,
        credentials: account.credentials,
    }
}
