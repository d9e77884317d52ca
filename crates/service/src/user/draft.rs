//! What a body says of a user. All that is wrong with it is told at once: by itself, and beside other users and groups.

use stockroom_auth::fingerprint;
use stockroom_model::body::{Checked, integer};
use stockroom_model::json::Value;
use stockroom_model::user::UserDraft;
use stockroom_model::{GroupId, Problems, UserId};
use stockroom_store::{Account, ReadTx};

use super::password;
use crate::{Error, Service};

/// Reads a body; `stored` is the account that it changes, and what the body leaves as it is there is not looked at.
pub(super) fn read(
    tx: &mut ReadTx<'_>,
    service: &Service,
    body: &Value,
    stored: Option<&Account>,
) -> Result<Checked<UserDraft>, Error> {
    let mut clashes = clashes(tx, body, stored)?;
    if let Some(detail) = password_refusal(service, body, stored) {
        clashes.add("/password", detail);
    }
    let read = UserDraft::read(body, stored.map(|account| &account.user));
    let mut checked = clashes.after(read)?;
    let sent = checked.value.password.as_deref();
    checked.warnings.extend(sent.and_then(password::warning));
    Ok(checked)
}

fn clashes(tx: &mut ReadTx<'_>, body: &Value, stored: Option<&Account>) -> Result<Problems, Error> {
    let mut problems = Problems::default();
    if let Some(name) = body.get("user_name").and_then(Value::as_str)
        && let Some(holder) = tx.user_id_by_name(name)?
        && stored.is_none_or(|Account { user, .. }| {
            user.public_id.get() != holder && user.user_name != name
        })
    {
        problems.add("/user_name", format!("{name:?} is in use by user {holder}"));
    }
    if let Some(group) = id::<GroupId>(body, "group_id")
        && stored.is_none_or(|stored| stored.user.group_id != group)
        && tx.group(group)?.is_none()
    {
        problems.add("/group_id", format!("there is no group {group}"));
    }
    if let Some(id) = id::<UserId>(body, "public_id")
        && stored.is_none()
        && tx.account(id)?.is_some()
    {
        problems.add("/public_id", format!("{id} is in use"));
    }
    Ok(problems)
}

fn id<T: TryFrom<i64>>(body: &Value, key: &str) -> Option<T> {
    T::try_from(body.get(key).and_then(integer)?).ok()
}

/// What can be said without comparing passwords: whether a plain text is the one in force takes long to find out.
fn password_refusal(service: &Service, body: &Value, stored: Option<&Account>) -> Option<String> {
    let sent = body.get("password")?.as_str().filter(|it| !it.is_empty())?;
    match stored {
        None => password::refusal(service, sent),
        Some(account) => {
            let (user, hash) = (&account.user, &account.credentials.password_hash);
            let is_stale = fingerprint::is_encoded(sent)
                && !fingerprint::is_current(sent, &service.keys, user.public_id.get(), hash);
            is_stale.then(|| password::NOT_IN_FORCE.to_owned())
        }
    }
}
