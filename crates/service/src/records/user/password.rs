//! The password in a body (`docs/guide/src/authentication.md`), and `PATCH
//! /users/{public_id}/password`.

use std::sync::Arc;

use stockroom_access::permission::{Authenticated, UserEdit};
use stockroom_auth::fingerprint;
use stockroom_auth::password::weakness;
use stockroom_auth::throttle::Failures;
use stockroom_model::UserId;
use stockroom_model::body::Report;
use stockroom_model::json::Value;
use stockroom_model::user::PasswordChange;
use stockroom_store::{Account, Credentials, LoginVia, ReadTx, Resource};

use super::{check_group, document, stored};
use crate::auth::{Attempt, Client, PasswordCheck};
use crate::core::access::Access;
use crate::core::change::{Precondition, Subject, Written};
use crate::{Error, Permit, Service};

/// Passwords are compared and hashed before the write. If another write changes the password
/// meanwhile, the change is tried again, this many times in all.
pub(super) const ATTEMPTS: usize = 3;

/// Changes a password: another user's with the right to edit users, one's own with the old
/// password.
///
/// # Errors
///
/// [`Error::Throttled`] after too many wrong passwords from the address of `client`,
/// [`Error::TooManyLogins`] while as many are compared;
/// [`Error::Unavailable`] if others keep changing the password meanwhile.
pub async fn change_password(
    permit: &Permit<Authenticated>,
    id: UserId,
    body: &Value,
    precondition: Precondition,
    client: &Client,
) -> Result<Written, Error> {
    let permit = permit.own_or::<UserEdit>(id).await?;
    let report = Report::default();
    let change = report.finish(PasswordChange::read(body, &report))?;
    check_strength(&change.password, &report);
    let warnings = permit.warn(report.into_warnings())?;
    let subject = Arc::new(PasswordAccount {
        permit: permit.clone(),
        id,
        precondition,
        change,
    });
    for _ in 0..ATTEMPTS {
        if let Some(account) = attempt(&subject, client).await? {
            return Ok(Written {
                document: document(permit.service(), &account),
                warnings,
            });
        }
    }
    Err(Error::Unavailable)
}

/// `None` if another write changed the password during the comparison.
async fn attempt(
    subject: &Arc<PasswordAccount>,
    client: &Client,
) -> Result<Option<Account>, Error> {
    let permit = &subject.permit;
    let (reader, writer) = (Arc::clone(subject), Arc::clone(subject));
    let account = permit.read(move |tx| reader.account(tx)).await?;
    let members = PasswordMembers {
        password: Some(&subject.change.password),
        old_password: subject.change.old_password.as_deref(),
    };
    let decision = decide(permit, &account, members, client).await?;
    let decided = Arc::clone(&decision);
    let written = permit
        .write(move |tx| {
            let account = writer.account(tx)?;
            let Some(credentials) = decided.credentials(&account.credentials) else {
                return Ok(None);
            };
            decided.check_allowed(&writer.permit.access(tx)?)?;
            if writer.change.revoke_tokens {
                tx.delete_tokens(writer.id)?;
            }
            let user = account.user.clone();
            Ok(Some(tx.update_user(account, user, credentials)?))
        })
        .await?;
    if written.is_some() {
        decision.withdraw_attempt(permit).await?;
    }
    Ok(written)
}

/// The account whose password changes.
struct PasswordAccount {
    permit: Permit<Authenticated>,
    id: UserId,
    precondition: Precondition,
    change: PasswordChange,
}

impl PasswordAccount {
    /// The account as it is now, if the caller may change its password.
    fn account(&self, tx: &mut ReadTx<'_>) -> Result<Account, Error> {
        let account = stored(tx, self.id)?;
        // Check this before comparing: a refusal only of wrong passwords would confirm a right
        // guess.
        check_group(tx, &self.permit, account.user.group_id)?;
        if account.user.is_service {
            return Err(Error::invalid("/password", OF_SERVICE));
        }
        let subject = Subject::of(Resource::User, self.id);
        self.precondition.check(tx, subject, account.revision)?;
        Ok(account)
    }
}

/// How a write changes the password of an account.
#[derive(Default)]
pub(super) struct Decision {
    /// The hash that must still be stored, because the decision rests on it.
    expected_hash: Option<String>,
    /// The hash of a new password.
    new: Option<String>,
    /// A failed comparison. It stays counted unless the write replaces the password that was
    /// guessed.
    failed_attempt: Option<Attempt>,
}

impl Decision {
    /// The credentials after the write; `None` if the stored password has changed since the
    /// decision.
    pub(super) fn credentials(&self, stored: &Credentials) -> Option<Credentials> {
        let is_current = |expected_hash: &String| *expected_hash == stored.password_hash;
        if !self.expected_hash.as_ref().is_none_or(is_current) {
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

    /// Checks that the caller may set the password, if there is a new one.
    pub(super) fn check_allowed(&self, access: &Access) -> Result<(), Error> {
        match &self.new {
            Some(_) => access.check_sets_passwords(),
            None => Ok(()),
        }
    }

    /// Call this after the write.
    pub(super) async fn withdraw_attempt<P>(&self, permit: &Permit<P>) -> Result<(), Error> {
        match &self.failed_attempt {
            Some(attempt) => attempt.withdraw_after_write(permit).await,
            None => Ok(()),
        }
    }
}

/// The password members of a body.
#[derive(Clone, Copy)]
pub(super) struct PasswordMembers<'a> {
    pub(super) password: Option<&'a str>,
    pub(super) old_password: Option<&'a str>,
}

impl PasswordMembers<'_> {
    fn into_texts(self) -> (Option<String>, Option<String>) {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        (owned(self.password), owned(self.old_password))
    }
}

/// [`decide_outside`] of the open transaction, if there is one.
pub(super) async fn decide(
    permit: &Permit<Authenticated>,
    account: &Account,
    members: PasswordMembers<'_>,
    client: &Client,
) -> Result<Arc<Decision>, Error> {
    if members.password.is_none() {
        return Ok(Arc::default());
    }
    let name = || {
        let (id, hash) = (account.user.public_id, &account.credentials.password_hash);
        format!("{id} {hash} {:?}", members.into_texts())
    };
    let (owner, account, client) = (permit.clone(), account.clone(), client.clone());
    let (password, old_password) = members.into_texts();
    let work = async move {
        let members = PasswordMembers {
            password: password.as_deref(),
            old_password: old_password.as_deref(),
        };
        let decided = decide_outside(&owner, &account, members, &client).await;
        decided.map(Arc::new)
    };
    permit.outside(name, work).await
}

/// No password, the current encoded text and the current password change nothing. Any other text is
/// a new password.
///
/// Every comparison counts as a failed login before it begins, so that neither answer nor timing
/// gives away more than a login does.
///
/// # Errors
///
/// [`Error::Throttled`]; [`Error::Invalid`] if the old password is missing or wrong, or a rule
/// forbids the new one.
async fn decide_outside(
    permit: &Permit<Authenticated>,
    account: &Account,
    members: PasswordMembers<'_>,
    client: &Client,
) -> Result<Decision, Error> {
    let Some(password) = members.password else {
        return Ok(Decision::default());
    };
    if fingerprint::is_encoded(password) {
        return keep_encoded(permit.service(), account, password);
    }
    if permit.caller().user_id() == account.user.public_id {
        decide_own(
            permit.service(),
            account,
            password,
            members.old_password,
            client,
        )
        .await
    } else {
        decide_other(permit.service(), account, password, client).await
    }
}

fn keep_encoded(service: &Service, account: &Account, encoded: &str) -> Result<Decision, Error> {
    let (id, current) = (account.user.public_id, &account.credentials.password_hash);
    if fingerprint::is_current(encoded, &service.keys, id.get(), current) {
        Ok(Decision {
            expected_hash: Some(current.clone()),
            ..Decision::default()
        })
    } else {
        Err(Error::invalid("/password", NOT_IN_FORCE))
    }
}

/// A stolen token must not be enough to take over the account: without the old password, the new
/// one must equal the current one.
async fn decide_own(
    service: &Service,
    account: &Account,
    password: &str,
    old_password: Option<&str>,
    client: &Client,
) -> Result<Decision, Error> {
    let proof = old_password.unwrap_or(password);
    let (matches, attempt) = compare(service, account, proof, client).await?;
    if !matches {
        let user = account.user.public_id;
        service
            .record_failure(Some(user), LoginVia::Password, attempt, client)
            .await?;
        return Err(Error::invalid(
            "/old_password",
            match old_password {
                Some(_) => "is not the password in force",
                None => "is required to change one's own password",
            },
        ));
    }
    service.end_attempt(&attempt, Failures::succeed).await?;
    let new = if password == proof {
        None
    } else {
        Some(hash(service, password.to_owned()).await?)
    };
    Ok(Decision {
        expected_hash: Some(account.credentials.password_hash.clone()),
        new,
        failed_attempt: None,
    })
}

async fn decide_other(
    service: &Service,
    account: &Account,
    password: &str,
    client: &Client,
) -> Result<Decision, Error> {
    let (matches, attempt) = compare(service, account, password, client).await?;
    if matches {
        // Not a login, so other failures stay counted.
        service.end_attempt(&attempt, Failures::withdraw).await?;
        return Ok(Decision {
            expected_hash: Some(account.credentials.password_hash.clone()),
            ..Decision::default()
        });
    }
    service.end_attempt(&attempt, Failures::fail).await?;
    Ok(Decision {
        expected_hash: None,
        new: Some(hash(service, password.to_owned()).await?),
        failed_attempt: Some(attempt),
    })
}

async fn compare(
    service: &Service,
    account: &Account,
    password: &str,
    client: &Client,
) -> Result<(bool, Attempt), Error> {
    let check = PasswordCheck {
        user: Some(account.user.public_id),
        user_name: &account.user.user_name,
        hash: Some(account.credentials.password_hash.clone()),
        password,
    };
    service
        .try_password(LoginVia::Password, check, client)
        .await
}

/// Hashes the password of a new user, outside of an open transaction.
pub(super) async fn hash_new<P>(permit: &Permit<P>, password: String) -> Result<String, Error> {
    let service = Arc::clone(&permit.caller().service);
    let name = format!("hash of {password}");
    let work = async move { hash(&service, password).await };
    permit.outside(|| name, work).await
}

/// Hashes a new password that obeys the rules.
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

/// Warns about a weak password.
pub(super) fn check_strength(password: &str, report: &Report) {
    // An encoded text sets no password.
    if let Some(weakness) = weakness(password).filter(|_| !fingerprint::is_encoded(password)) {
        report.warning("/password", weakness.to_string());
    }
}

/// Why a service account gets no password.
pub(super) const OF_SERVICE: &str =
    "is not for service accounts, which have none: make an API token instead";

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
        for (expected_hash, new, expected) in [
            (None, None, Some(("now", 4))),
            (Some("now"), None, Some(("now", 4))),
            (Some("now"), Some("next"), Some(("next", 5))),
            (Some("before"), None, None),
            (Some("before"), Some("next"), None),
        ] {
            let decision = Decision {
                expected_hash: expected_hash.map(str::to_owned),
                new: new.map(str::to_owned),
                failed_attempt: None,
            };
            let written = decision.credentials(&stored);
            let written = written
                .as_ref()
                .map(|written| (written.password_hash.as_str(), written.token_generation));
            assert_eq!(written, expected, "{expected_hash:?} {new:?}");
        }
    }
}
