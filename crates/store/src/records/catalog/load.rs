//! Loads the catalog.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use stockroom_access::RightSet;
use stockroom_model::{Group, GroupId, Type, TypeId, UserId, name};

use super::{Catalog, TypeEntry, UserEntry};
use crate::Error;
use crate::engine::driver::Driver;
use crate::engine::driver::versions::Versions;
use crate::records::account::Account;
use crate::records::object::index::Layout;
use crate::records::stored::Stored;
use crate::records::unique::{EnforcedRules, rules_of};
use crate::resource::Resource;
use crate::transaction::ReadTx;

impl Catalog {
    /// Loads everything.
    pub(crate) fn load(driver: &mut dyn Driver) -> Result<Self, Error> {
        Self::default().reloaded(driver, &Resource::ALL)
    }

    /// This catalog with the `touched` resources loaded anew.
    pub(crate) fn reloaded(
        &self,
        driver: &mut dyn Driver,
        touched: &[Resource],
    ) -> Result<Self, Error> {
        let mut catalog = self.clone();
        catalog.versions = Versions::read(driver)?;
        let mut tx = ReadTx::new(driver, self);
        for resource in touched {
            catalog.reload(&mut tx, *resource)?;
        }
        let groups = catalog.rights.keys();
        let scopes = groups.map(|group| (*group, Arc::new(catalog.make_scope(*group))));
        catalog.scopes = Arc::new(scopes.collect());
        Ok(catalog)
    }

    fn reload(&mut self, tx: &mut ReadTx<'_>, resource: Resource) -> Result<(), Error> {
        match resource {
            Resource::Type => {
                let (layouts, rules) = (tx.layouts()?, tx.enforced_rules()?);
                let types = types(tx.types()?, layouts, &rules, &self.types);
                // The write of a type has compiled its expressions before, so they are in the
                // cache.
                for entry in types.values() {
                    entry.record.compile();
                }
                self.types = Arc::new(types);
            }
            Resource::Group => self.rights = Arc::new(rights(&tx.groups()?)),
            Resource::User => {
                let accounts = tx.accounts()?;
                self.user_names = Arc::new(user_names(&accounts));
                let users = accounts.into_iter();
                let users = users.map(|account| (account.user.public_id, user_entry(account)));
                self.users = Arc::new(users.map(|(id, user)| (id, Arc::new(user))).collect());
            }
            Resource::Token => {
                let (mut tokens, mut digests) = (HashMap::new(), HashMap::new());
                for (token, digest) in tx.tokens_by_digest()? {
                    digests.insert(digest, token.public_id);
                    tokens.insert(token.public_id, Arc::new(token));
                }
                self.tokens = Arc::new(tokens);
                self.token_digests = Arc::new(digests);
            }
            Resource::RevokedToken => {
                self.revoked_tokens = Arc::new(tx.revoked_tokens()?.into_iter().collect());
            }
            Resource::Object
            | Resource::Category
            | Resource::Setting
            | Resource::View
            | Resource::Source => {}
        }
        Ok(())
    }
}

/// The types with their columns and rules, by id. Entries in `known` of the same revision are
/// reused, because they are already compiled, unless a rule has begun to be enforced.
pub(crate) fn types(
    types: Vec<Stored<Type>>,
    mut layouts: HashMap<TypeId, Layout>,
    enforced: &EnforcedRules,
    known: &BTreeMap<TypeId, Arc<TypeEntry>>,
) -> BTreeMap<TypeId, Arc<TypeEntry>> {
    types
        .into_iter()
        .map(|stored| {
            let id = stored.record.public_id;
            let enforced = enforced.get(&id).map(Vec::as_slice).unwrap_or_default();
            let is_same = |entry: &&Arc<TypeEntry>| {
                entry.revision == stored.revision
                    && entry.unique == rules_of(&stored.record, enforced)
            };
            if let Some(entry) = known.get(&id).filter(is_same) {
                return (id, Arc::clone(entry));
            }
            let layout = layouts.remove(&id).unwrap_or_default();
            (id, Arc::new(TypeEntry::new(stored, layout, enforced)))
        })
        .collect()
}

/// Users by the keys of their names and by the exact names: in old data, several names may share
/// one key.
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

/// Rights that this release does not know grant nothing.
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
        is_service: account.user.is_service,
        user_name: account.user.user_name,
        display_name,
        email: account.user.email,
        credentials: account.credentials,
    }
}
