//! `PUT` and `PATCH /users/{public_id}`

use std::sync::Arc;

use stockroom_access::permission::{Authenticated, UserEdit};
use stockroom_model::body::Report;
use stockroom_model::user::{User, UserDraft};
use stockroom_model::{Problem, UserId};
use stockroom_store::{Account, ReadTx, Resource, WriteTx};

use super::answer::answer;
use super::password::{ATTEMPTS, Decision, PasswordMembers, decide};
use super::{check_group, document, draft, stored};
use crate::auth::Client;
use crate::core::access::Access;
use crate::core::change::{Change, Precondition, Subject, Written};
use crate::records::group::grant;
use crate::{Error, Permit};

/// Replaces or patches a user. Without the right, users change their own names, address, picture and
/// password. Editing another user requires everything that its group holds.
///
/// # Errors
///
/// [`Error::Throttled`] after too many wrong passwords from the address of `client`,
/// [`Error::TooManyLogins`] while as many are compared;
/// [`Error::Unavailable`] if others keep changing the password meanwhile.
pub async fn update(
    permit: &Permit<Authenticated>,
    id: UserId,
    change: Change,
    precondition: Precondition,
    client: &Client,
) -> Result<Written, Error> {
    let mut permit = permit.own_or::<UserEdit>(id).await?;
    if permit.caller().user_id() != id {
        // An account that was taken over must be deactivated even on a full disk.
        permit = permit.vital();
    }
    let edit = Arc::new(Edit {
        permit: permit.clone(),
        id,
        change,
        precondition,
    });
    for _ in 0..ATTEMPTS {
        // Check all other rules first: comparing a password is slow and counts as a login.
        let (reader, writer) = (Arc::clone(&edit), Arc::clone(&edit));
        let updated = permit.read(move |tx| reader.updated(tx)).await?;
        let decision = decide(&permit, &updated.stored, updated.password_members(), client).await?;
        let decided = Arc::clone(&decision);
        let written = permit.write(move |tx| writer.write(tx, &decided)).await?;
        if let Some(account) = written {
            decision.withdraw_attempt(&permit).await?;
            return Ok(Written {
                document: document(permit.service(), &account),
                warnings: updated.warnings,
            });
        }
    }
    Err(Error::Unavailable)
}

/// The request.
struct Edit {
    permit: Permit<Authenticated>,
    id: UserId,
    change: Change,
    precondition: Precondition,
}

/// The user that the request leads to.
struct UpdatedUser {
    stored: Account,
    user: User,
    /// As sent.
    password: Option<String>,
    old_password: Option<String>,
    warnings: Vec<Problem>,
}

impl UpdatedUser {
    fn password_members(&self) -> PasswordMembers<'_> {
        PasswordMembers {
            password: self.password.as_deref(),
            old_password: self.old_password.as_deref(),
        }
    }
}

impl Edit {
    fn updated(&self, tx: &mut ReadTx<'_>) -> Result<UpdatedUser, Error> {
        let stored = stored(tx, self.id)?;
        check_group(tx, &self.permit, stored.user.group_id)?;
        let subject = Subject::of(Resource::User, self.id);
        self.precondition.check(tx, subject, stored.revision)?;
        let service = self.permit.service();
        let body = self.change.target(|| answer(service, &stored));
        let report = Report::default();
        let draft = UserDraft::read(&body, Some(&stored.user), &report);
        draft::check(tx, service, &body, Some(&stored), &report)?;
        let draft = report.finish(draft)?;
        let warnings = self.permit.warn(report.into_warnings())?;
        let password = draft.password.clone();
        let old_password = draft.old_password.clone();
        let user = draft.into_user(
            self.id,
            stored.user.registration_time.clone(),
            stored.user.authenticator.clone(),
        );
        let access = self.permit.access(tx)?;
        check_own(&access, &stored.user, &user)?;
        check_group(tx, &self.permit, user.group_id)?;
        Ok(UpdatedUser {
            stored,
            user,
            password,
            old_password,
            warnings,
        })
    }

    /// `None` if the password has changed since it was compared.
    fn write(&self, tx: &mut WriteTx<'_>, decision: &Decision) -> Result<Option<Account>, Error> {
        let UpdatedUser { stored, user, .. } = self.updated(tx)?;
        let Some(mut credentials) = decision.credentials(&stored.credentials) else {
            return Ok(None);
        };
        decision.check_allowed(&self.permit.access(tx)?)?;
        if stored.user.active && !user.active {
            // Tokens of an inactive user are refused anyway; this keeps them invalid after the user
            // is activated again. API tokens are gone for good.
            credentials.token_generation = stored.credentials.token_generation + 1;
            tx.delete_tokens(self.id)?;
        }
        let account = tx.update_user(stored, user, credentials)?;
        grant::check_administrator_remains(tx)?;
        Ok(Some(account))
    }
}

/// What users may not do to themselves.
fn check_own(access: &Access, stored: &User, user: &User) -> Result<(), Error> {
    if access.user_id != stored.public_id {
        return Ok(());
    }
    let own = User {
        email: user.email.clone(),
        image: user.image.clone(),
        first_name: user.first_name.clone(),
        last_name: user.last_name.clone(),
        ..stored.clone()
    };
    if own != *user {
        access.check::<UserEdit>()?;
    }
    if stored.active && !user.active {
        return Err(Error::invalid("/active", "nobody deactivates itself"));
    }
    Ok(())
}
