//! The caller's own user, group, rights and object access.

use serde::Serialize;
use stockroom_access::permission::{
    Authenticated, ObjectAdd, ObjectDelete, ObjectEdit, ObjectView,
};
use stockroom_access::{Operation, Permission, RightSet, rights};
use stockroom_auth::password::GOOD_CHARACTERS;
use stockroom_model::GroupId;
use stockroom_model::json::Value;
use stockroom_model::user::MAX_PASSWORD_BYTES;
use stockroom_store::{Catalog, TypeEntry};

use crate::user::answer::answer;
use crate::{Error, Permit, group, user};

/// The caller and its rights.
#[derive(Debug, Clone, Serialize)]
pub struct Me {
    /// The user as a read answers it.
    pub user: Value,
    /// Its group as a read answers it.
    pub group: Value,
    /// The names of all rights that it holds, including those that a master right implies.
    pub rights: Vec<&'static str>,
    /// The types whose objects it may create, read, update or delete.
    pub types: ObjectAccess,
    /// The rule for new passwords.
    pub password_rule: PasswordRule,
    /// Epoch seconds.
    pub token_issued_at: i64,
    /// Epoch seconds.
    pub token_expire: i64,
}

/// Type ids by the operation that the caller may perform on objects, by rights and access lists.
#[derive(Debug, Clone, Serialize)]
pub struct ObjectAccess {
    create: Vec<i64>,
    read: Vec<i64>,
    update: Vec<i64>,
    delete: Vec<i64>,
}

/// The rule for new passwords.
#[derive(Debug, Clone, Serialize)]
pub struct PasswordRule {
    /// Shorter ones are refused.
    minimum_bytes: usize,
    /// Longer ones are refused.
    maximum_bytes: usize,
    /// Shorter ones are warned about.
    good_characters: usize,
}

/// The caller by the newest data.
pub async fn me(permit: &Permit<Authenticated>) -> Result<Me, Error> {
    let reader = permit.clone();
    permit
        .read(move |tx| {
            let caller = reader.caller();
            let account = user::stored(tx, caller.user_id())?;
            let group_id = account.user.group_id;
            let group = group::stored(tx, group_id)?;
            let held = tx.catalog().rights(group_id);
            let claims = caller.claims();
            Ok(Me {
                user: answer(reader.service(), &account),
                group: group::answer(&group.record),
                rights: names(&held),
                types: ObjectAccess::of(tx.catalog(), group_id, &held),
                password_rule: PasswordRule {
                    minimum_bytes: reader.service().config.minimum_password_bytes,
                    maximum_bytes: MAX_PASSWORD_BYTES,
                    good_characters: GOOD_CHARACTERS,
                },
                token_issued_at: claims.issued_at,
                token_expire: claims.expires_at,
            })
        })
        .await
}

fn names(held: &RightSet) -> Vec<&'static str> {
    let all = rights::all().iter().map(|right| right.name);
    all.filter(|name| held.covers(name)).collect()
}

impl ObjectAccess {
    fn of(catalog: &Catalog, group: GroupId, held: &RightSet) -> Self {
        let active = |entry: &TypeEntry| entry.record.active;
        let any = |_: &TypeEntry| true;
        Self {
            create: types::<ObjectAdd>(catalog, group, held, Operation::Create, active),
            read: types::<ObjectView>(catalog, group, held, Operation::Read, any),
            update: types::<ObjectEdit>(catalog, group, held, Operation::Update, any),
            delete: types::<ObjectDelete>(catalog, group, held, Operation::Delete, any),
        }
    }
}

fn types<P: Permission>(
    catalog: &Catalog,
    group: GroupId,
    held: &RightSet,
    operation: Operation,
    is_open: impl Fn(&TypeEntry) -> bool,
) -> Vec<i64> {
    if !held.permits::<P>() {
        return Vec::new();
    }
    let open = catalog
        .types()
        .filter(|entry| is_open(entry) && entry.acl.allows(group, operation));
    open.map(|entry| entry.record.public_id.get()).collect()
}
