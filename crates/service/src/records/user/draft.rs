//! Checks a user's body against other users, groups and the current password.

use stockroom_auth::fingerprint;
use stockroom_model::body::{Report, integer};
use stockroom_model::json::Value;
use stockroom_model::{GroupId, UserId};
use stockroom_store::{Account, ReadTx, Resource};

use super::password;
use crate::core::id::retired;
use crate::{Error, Service};

/// Reports conflicts of the body with the store. `stored` is the account that the body changes;
/// members that stay unchanged are not checked.
pub(super) fn check(
    tx: &mut ReadTx<'_>,
    service: &Service,
    body: &Value,
    stored: Option<&Account>,
    report: &Report,
) -> Result<(), Error> {
    check_records(tx, body, stored, report)?;
    check_password(service, body, stored, report);
    check_service(body, stored, report);
    Ok(())
}

fn check_records(
    tx: &mut ReadTx<'_>,
    body: &Value,
    stored: Option<&Account>,
    report: &Report,
) -> Result<(), Error> {
    if let Some(name) = body.get("user_name").and_then(Value::as_str)
        && let Some(holder) = tx.user_id_by_name(name)?
        && stored.is_none_or(|Account { user, .. }| {
            user.public_id.get() != holder && user.user_name != name
        })
    {
        report.problem("/user_name", format!("{name:?} is in use by user {holder}"));
    }
    if let Some(group) = id::<GroupId>(body, "group_id")
        && stored.is_none_or(|stored| stored.user.group_id != group)
        && tx.group(group)?.is_none()
    {
        report.problem("/group_id", format!("there is no group {group}"));
    }
    Ok(())
}

/// Reports an id that a new user cannot have.
pub(super) fn check_id(
    tx: &mut ReadTx<'_>,
    body: &Value,
    restores: bool,
    report: &Report,
) -> Result<(), Error> {
    let Some(id) = id::<UserId>(body, "public_id") else {
        return Ok(());
    };
    if tx.account(id)?.is_some() {
        report.problem("/public_id", format!("{id} is in use"));
    } else if let Some(detail) = retired(tx, Resource::User, id.get(), restores)? {
        report.problem("/public_id", detail);
    }
    Ok(())
}

fn id<T: TryFrom<i64>>(body: &Value, key: &str) -> Option<T> {
    T::try_from(body.get(key).and_then(integer)?).ok()
}

/// Reports what can be known without hashing: whether a plain text is the current password takes
/// long to find out.
fn check_password(service: &Service, body: &Value, stored: Option<&Account>, report: &Report) {
    let sent = body.get("password").and_then(Value::as_str);
    let Some(sent) = sent.filter(|sent| !sent.is_empty()) else {
        return;
    };
    if let Some(detail) = refusal(service, sent, stored) {
        report.problem("/password", detail);
    }
    password::check_strength(sent, report);
}

/// Reports a password for a service account.
fn check_service(body: &Value, stored: Option<&Account>, report: &Report) {
    let is_service = match stored {
        Some(account) => account.user.is_service,
        None => body.get("is_service") == Some(&Value::Bool(true)),
    };
    let password = body.get("password").and_then(Value::as_str);
    if is_service && password.is_some_and(|password| !fingerprint::is_encoded(password)) {
        report.problem("/password", password::OF_SERVICE);
    }
}

fn refusal(service: &Service, sent: &str, stored: Option<&Account>) -> Option<String> {
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
