//! What a sent password means (contract, "Authentication"), and `PATCH /users/{public_id}/password`.

use std::net::IpAddr;
use std::sync::Arc;

use stockroom_access::permission::{Authenticated, UserEdit};
use stockroom_auth::fingerprint;
use stockroom_model::UserId;
use stockroom_model::json::Value;
use stockroom_model::user::PasswordChange;
use stockroom_store::{Account, Credentials, ReadTx};

use super::{document, stored};
use crate::change::{Precondition, Written};
use crate::group::grant;
use crate::{Error, Permit, Service};

/// Passwords are compared and hashed before the write, which others may overtake. So often it is tried again.
pub(super) const ATTEMPTS: usize = 3;

/// Changes a password: that of another user with the right to edit users, one's own with the old password.
///
/// # Errors
///
/// See [`Error`]; [`Error::Throttled`] after too many wrong old passwords from `address`; [`Error::Unavailable`] if the password is
/// changed by others again and again meanwhile.
pub async fn change_password(
    permit: &Permit<Authenticated>,
    id: UserId,
    body: &Value,
    precondition: Precondition,
    address: IpAddr,
) -> Result<Written, Error> {
    permit.own_or::<UserEdit>(id)?;
    let checked = PasswordChange::read(body)?;
    let warnings = permit.warn(checked.warnings)?;
    let change = checked.value;
    for _ in 0..ATTEMPTS {
        let account = attempt(permit, id, &change, &precondition, address).await?;
        if let Some(account) = account {
            return Ok(Written {
                document: document(permit.service(), &account),
                warnings,
            });
        }
    }
    Err(Error::Unavailable)
}

/// `None` if the password was changed by others while it was compared.
async fn attempt(
    permit: &Permit<Authenticated>,
    id: UserId,
    change: &PasswordChange,
    precondition: &Precondition,
    address: IpAddr,
) -> Result<Option<Account>, Error> {
    let service = permit.service();
    let target = Target {
        permit: permit.clone(),
        id,
        precondition: precondition.clone(),
        password: change.password.clone(),
    };
    let target = Arc::new(target);
    let (reader, writer) = (Arc::clone(&target), target);
    let account = permit.read(move |tx| reader.account(tx)).await?;
    let is_own = permit.caller().user_id == id;
    if is_own {
        check_old(service, &account, change.old_password.as_deref(), address).await?;
    }
    let mut decision = decide(service, &account, Some(&change.password)).await?;
    if is_own {
        decision.seen = Some(account.credentials.password_hash);
    }
    permit
        .write(move |tx| {
            let account = writer.account(tx)?;
            decision
                .credentials(&account.credentials)
                .map(|credentials| {
                    Ok(tx.update_user(account.revision, account.user, credentials)?)
                })
                .transpose()
        })
        .await
}

/// The account that shall get a password.
struct Target {
    permit: Permit<Authenticated>,
    id: UserId,
    precondition: Precondition,
    /// As sent.
    password: String,
}

impl Target {
    /// The account as it is now, if it may get the password.
    fn account(&self, tx: &mut ReadTx<'_>) -> Result<Account, Error> {
        let account = stored(tx, self.id)?;
        self.precondition.check(account.revision)?;
        check_takeover(tx, &self.permit, &account, &self.password)?;
        Ok(account)
    }
}

/// Nobody gets at rights that they lack by way of the password of somebody else. A plain text is refused before it is compared,
/// because a refusal of wrong ones alone would tell whether a guess was right; an encoded one never sets a password.
pub(super) fn check_takeover(
    tx: &mut ReadTx<'_>,
    permit: &Permit<Authenticated>,
    account: &Account,
    sent: &str,
) -> Result<(), Error> {
    let caller = permit.caller();
    if caller.user_id == account.user.public_id || fingerprint::is_encoded(sent) {
        return Ok(());
    }
    grant::check_takeover(
        &caller.rights,
        &grant::rights_of(tx, account.user.group_id)?,
    )
}

/// A stolen token must not be enough to guess at the password, so that wrong tries count like failed logins.
async fn check_old(
    service: &Service,
    account: &Account,
    old: Option<&str>,
    address: IpAddr,
) -> Result<(), Error> {
    let Some(old) = old else {
        return Err(Error::invalid(
            "/old_password",
            "is required to change one's own password",
        ));
    };
    let hash = account.credentials.password_hash.clone();
    let matches = service
        .verify_password(&account.user.user_name, Some(hash), old, address)
        .await?;
    if matches {
        Ok(())
    } else {
        Err(Error::invalid(
            "/old_password",
            "is not the password in force",
        ))
    }
}

/// What a write does with the password of an account.
pub(super) struct Decision {
    /// The hash that must still be in force, because something that was sent belongs to it.
    seen: Option<String>,
    /// The hash of a new password.
    new: Option<String>,
}

impl Decision {
    /// The credentials after the write; `None` if the decision was made for another password than the stored one.
    pub(super) fn credentials(&self, stored: &Credentials) -> Option<Credentials> {
        let is_current = |seen: &String| *seen == stored.password_hash;
        if !self.seen.as_ref().is_none_or(is_current) {
            return None;
        }
        Some(match &self.new {
            None => stored.clone(),
            Some(hash) => Credentials {
                password_hash: hash.clone(),
                token_generation: stored.token_generation + 1,
            },
        })
    }
}

/// Absent, the current encoded text and the current password change nothing; any other text is a new password.
pub(super) async fn decide(
    service: &Service,
    account: &Account,
    sent: Option<&str>,
) -> Result<Decision, Error> {
    let Some(sent) = sent else {
        return Ok(Decision {
            seen: None,
            new: None,
        });
    };
    let current = &account.credentials.password_hash;
    let is_unchanged =
        fingerprint::is_current(sent, &service.keys, account.user.public_id.get(), current)
            || (!fingerprint::is_encoded(sent)
                && service
                    .hashing
                    .verify(sent.to_owned(), Some(current.clone()))
                    .await?);
    let new = if is_unchanged {
        None
    } else {
        Some(hash(service, sent.to_owned()).await?)
    };
    Ok(Decision {
        seen: is_unchanged.then(|| current.clone()),
        new,
    })
}

/// The hash of a new password that obeys the rules.
pub(super) async fn hash(service: &Service, password: String) -> Result<String, Error> {
    match refusal(service, &password) {
        Some(detail) => Err(Error::invalid("/password", detail)),
        None => service.hashing.hash(password).await,
    }
}

/// Why a text cannot become a password.
pub(super) fn refusal(service: &Service, password: &str) -> Option<String> {
    let minimum = service.config.minimum_password_bytes;
    if fingerprint::is_encoded(password) {
        Some(NOT_IN_FORCE.to_owned())
    } else if password.len() < minimum {
        Some(format!("must be at least {minimum} bytes long"))
    } else {
        None
    }
}

/// Why an encoded text is refused.
pub(super) const NOT_IN_FORCE: &str = "is an encoded password, but not the one in force; send a new password as it is typed, or none to keep the old one";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_holds_only_for_the_password_that_it_was_made_for() {
        let stored = Credentials {
            password_hash: "now".to_owned(),
            token_generation: 4,
        };
        for (seen, new, expected) in [
            (None, None, Some(("now", 4))),
            (Some("now"), None, Some(("now", 4))),
            (Some("now"), Some("next"), Some(("next", 5))),
            (Some("before"), None, None),
            (Some("before"), Some("next"), None),
        ] {
            let decision = Decision {
                seen: seen.map(str::to_owned),
                new: new.map(str::to_owned),
            };
            let written = decision.credentials(&stored);
            let written = written
                .as_ref()
                .map(|written| (written.password_hash.as_str(), written.token_generation));
            assert_eq!(written, expected, "{seen:?} {new:?}");
        }
    }
}
