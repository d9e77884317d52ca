//! Users (spec, "Users").

mod password;
mod update;

use stockroom_access::RightSet;
use stockroom_access::permission::{Authenticated, UserAdd, UserDelete, UserView};
use stockroom_filter::Paths;
use stockroom_model::json::{Map, Value};
use stockroom_model::user::{LOCAL_AUTHENTICATOR, User, UserDraft};
use stockroom_model::{Problems, UserId};
use stockroom_store::{Account, Credentials, ReadTx, Resource};

pub use password::change_password;
pub use update::update;

use crate::change::{Document, Precondition, Written};
use crate::group::grant;
use crate::list::{ListRequest, Page, page};
use crate::{Error, Permit, Service};

const PATHS: Paths = Paths {
    timestamps: &["registration_time"],
    secrets: &["password"],
};

/// A page of the list.
///
/// # Errors
///
/// See [`Error`].
pub async fn list(permit: &Permit<UserView>, request: ListRequest) -> Result<Page, Error> {
    let accounts = permit.read(|tx| Ok(tx.accounts()?)).await?;
    let documents = accounts
        .iter()
        .map(|account| answer(permit.service(), account))
        .collect();
    page(documents, &request, &PATHS)
}

/// One user; everybody may read itself.
///
/// # Errors
///
/// See [`Error`].
pub async fn read(permit: &Permit<Authenticated>, id: UserId) -> Result<Document, Error> {
    permit.own_or::<UserView>(id)?;
    let account = permit.read(move |tx| stored(tx, id)).await?;
    Ok(document(permit.service(), &account))
}

/// Inserts a user.
///
/// # Errors
///
/// See [`Error`].
pub async fn insert(permit: &Permit<UserAdd>, body: &Value) -> Result<Written, Error> {
    let checked = UserDraft::read(body, None)?;
    let warnings = permit.warn(checked.warnings)?;
    let draft = checked.value;
    let password = draft.password.clone().unwrap_or_default();
    let password_hash = password::hash(permit.service(), password).await?;
    let rights = permit.caller().rights;
    let account = permit
        .write(move |tx| {
            let (id, revision) =
                crate::id::settle(tx, Resource::User, draft.public_id, |tx, id| {
                    Ok(tx.account(id)?.is_some())
                })?;
            let registered = tx.context().now.to_spaced();
            let user = draft
                .clone()
                .into_user(id, registered, LOCAL_AUTHENTICATOR.to_owned());
            check(tx, &rights, &user, None)?;
            let credentials = Credentials {
                password_hash: password_hash.clone(),
                // Not 1: tokens of a deleted user must not come to life again for a later one of the same id.
                token_generation: revision.0,
            };
            Ok(tx.insert_user(revision, user, credentials)?)
        })
        .await?;
    Ok(Written {
        document: document(permit.service(), &account),
        warnings,
    })
}

/// Removes a user and its settings; what it wrote stays.
///
/// # Errors
///
/// See [`Error`].
pub async fn delete(
    permit: &Permit<UserDelete>,
    id: UserId,
    precondition: Precondition,
) -> Result<Written, Error> {
    let caller = permit.caller().user_id;
    let account = permit
        .write(move |tx| {
            let account = stored(tx, id)?;
            precondition.check(account.revision)?;
            if id == caller {
                return Err(Error::invalid("", "nobody deletes itself"));
            }
            tx.delete_user(id, account.revision)?;
            grant::check_administrator_remains(tx)?;
            Ok(account)
        })
        .await?;
    Ok(Written {
        document: document(permit.service(), &account),
        warnings: Vec::new(),
    })
}

/// A user as a read answers it: the password in its encoded form, in its place after the e-mail address.
pub(crate) fn answer(service: &Service, account: &Account) -> Value {
    let user = &account.user;
    let password = service.encoded_password(user.public_id, &account.credentials.password_hash);
    let mut answer = Map::new();
    for (key, value) in serde_json::to_value(user)
        .unwrap_or_default()
        .as_object()
        .into_iter()
        .flatten()
    {
        answer.insert(key.clone(), value.clone());
        if key == "email" {
            answer.insert("password".to_owned(), Value::from(password.as_str()));
        }
    }
    Value::Object(answer)
}

fn document(service: &Service, account: &Account) -> Document {
    Document {
        value: answer(service, account),
        revision: account.revision,
    }
}

pub(crate) fn stored(tx: &mut ReadTx<'_>, id: UserId) -> Result<Account, Error> {
    tx.account(id)?.ok_or_else(|| Error::not_found("user", id))
}

/// The name is free, the group exists, and the caller may put somebody into it; only what differs from `before` is looked at.
fn check(
    tx: &mut ReadTx<'_>,
    caller: &RightSet,
    user: &User,
    before: Option<&User>,
) -> Result<(), Error> {
    let mut problems = Problems::default();
    let holder = tx.user_id_by_name(&user.user_name)?;
    if holder.is_some_and(|id| id != user.public_id.get()) {
        let detail = format!(
            "{:?} is in use by user {}",
            user.user_name,
            holder.unwrap_or_default()
        );
        problems.add("/user_name", detail);
    }
    let is_moved = before.is_none_or(|before| before.group_id != user.group_id);
    if is_moved && tx.group(user.group_id)?.is_none() {
        problems.add("/group_id", format!("there is no group {}", user.group_id));
    }
    problems.or(())?;
    if !is_moved {
        return Ok(());
    }
    let held = match before {
        Some(before) => grant::rights_of(tx, before.group_id)?,
        None => RightSet::default(),
    };
    grant::check_grant(caller, &held, &grant::rights_of(tx, user.group_id)?)
}
