//! The caller's own user, group, rights and object access.

use serde::Serialize;
use stockroom_access::permission::{
    Authenticated, ObjectAdd, ObjectDelete, ObjectEdit, ObjectView,
};
use stockroom_access::{Operation, Permission, RightSet, rights};
use stockroom_auth::password::GOOD_CHARACTERS;
use stockroom_model::json::Value;
use stockroom_model::user::MAX_PASSWORD_BYTES;
use stockroom_model::{Timestamp, TokenId};
use stockroom_store::{Catalog, TypeEntry};
use utoipa::ToSchema;

use crate::core::access::Access;
use crate::records::group::GroupAnswer;
use crate::records::user::answer::{UserAnswer, answer};
use crate::{Caller, Error, Permit, group, user};

/// The caller and its permissions
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Caller)]
pub struct Me {
    /// The user as a read answers it
    #[schema(value_type = UserAnswer)]
    pub user: Value,
    /// Its group as a read answers it
    #[schema(value_type = GroupAnswer)]
    pub group: Value,
    /// The names of all rights held, including those that a master covers
    #[schema(example = json!(["base.framework.object.view"]))]
    pub rights: Vec<&'static str>,
    /// What it may do with the objects of each type
    pub types: ObjectAccess,
    /// The rules for passwords
    pub password_rule: PasswordRule,
    /// Seconds since 1970-01-01 UTC
    pub token_issued_at: i64,
    /// Seconds since 1970-01-01 UTC; null for an API token that does not expire
    #[schema(required)]
    pub token_expire: Option<i64>,
    /// Only with an API token: its id
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    pub token_id: Option<TokenId>,
}

/// Ids of the types whose objects the caller may create, read, update or delete, by rights and
/// access lists
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ObjectAccess {
    #[schema(example = json!([1, 2]))]
    create: Vec<i64>,
    #[schema(example = json!([1, 2, 3]))]
    read: Vec<i64>,
    #[schema(example = json!([1, 2]))]
    update: Vec<i64>,
    #[schema(example = json!([1]))]
    delete: Vec<i64>,
}

/// The rules for passwords
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PasswordRule {
    /// Shorter passwords are refused
    #[schema(value_type = u64, example = 1)]
    minimum_bytes: usize,
    /// Longer passwords are refused
    #[schema(value_type = u64, example = 1024)]
    maximum_bytes: usize,
    /// Shorter and common passwords get a warning
    #[schema(value_type = u64, example = 8)]
    good_characters: usize,
}

/// The caller by the newest data.
pub async fn me(permit: &Permit<Authenticated>) -> Result<Me, Error> {
    let reader = permit.clone();
    permit
        .read(move |tx| {
            let caller = reader.caller();
            let account = user::stored(tx, caller.user_id())?;
            let group = group::stored(tx, account.user.group_id)?;
            let access = reader.access(tx)?;
            let (issued_at, expires_at) = lifetime(caller, tx.catalog())?;
            Ok(Me {
                user: answer(reader.service(), &account),
                group: group::answer(&group.record),
                rights: names(&access.rights),
                types: ObjectAccess::of(tx.catalog(), &access),
                password_rule: PasswordRule {
                    minimum_bytes: reader.service().config.minimum_password_bytes,
                    maximum_bytes: MAX_PASSWORD_BYTES,
                    good_characters: GOOD_CHARACTERS,
                },
                token_issued_at: issued_at,
                token_expire: expires_at,
                token_id: caller.token_id(),
            })
        })
        .await
}

/// When the token of the request was made and when it ends, in epoch seconds.
fn lifetime(caller: &Caller, catalog: &Catalog) -> Result<(i64, Option<i64>), Error> {
    let Some(id) = caller.token_id() else {
        let claims = caller.claims()?;
        return Ok((claims.issued_at, Some(claims.expires_at)));
    };
    let token = catalog.token(id).ok_or(Error::Unauthenticated)?;
    let made = Timestamp::from_text(&token.created_at).unwrap_or(Timestamp(0));
    Ok((made.seconds(), token.end().map(Timestamp::seconds)))
}

/// The names of all rights in a set, including those that a master right implies.
pub(crate) fn names(held: &RightSet) -> Vec<&'static str> {
    let all = rights::all().iter().map(|right| right.name);
    all.filter(|name| held.covers(name)).collect()
}

impl ObjectAccess {
    fn of(catalog: &Catalog, access: &Access) -> Self {
        let active = |entry: &TypeEntry| entry.record.active;
        let any = |_: &TypeEntry| true;
        Self {
            create: types::<ObjectAdd>(catalog, access, Operation::Create, active),
            read: types::<ObjectView>(catalog, access, Operation::Read, any),
            update: types::<ObjectEdit>(catalog, access, Operation::Update, any),
            delete: types::<ObjectDelete>(catalog, access, Operation::Delete, any),
        }
    }
}

fn types<P: Permission>(
    catalog: &Catalog,
    access: &Access,
    operation: Operation,
    is_open: impl Fn(&TypeEntry) -> bool,
) -> Vec<i64> {
    if !access.holds::<P>() {
        return Vec::new();
    }
    let open = catalog
        .types()
        .filter(|entry| is_open(entry) && access.allows(entry, operation));
    open.map(|entry| entry.record.public_id.get()).collect()
}
