//! Users (`docs/guide/src/users.md`).

pub(crate) mod answer;
mod draft;
mod password;
mod restore;
mod update;

use std::sync::Arc;

use stockroom_access::permission::{Authenticated, UserAdd, UserDelete, UserView};
use stockroom_filter::Paths;
use stockroom_model::body::Report;
use stockroom_model::json::Value;
use stockroom_model::user::{LOCAL_AUTHENTICATOR, MAX_PASSWORD_BYTES, UserDraft};
use stockroom_model::{GroupId, Problem, UserId};
use stockroom_store::{Account, Credentials, ReadTx, Resource};

use answer::answer;

pub use answer::UserAnswer;
pub use password::change_password;
pub use restore::restore;
pub use update::update;

use crate::core::change::{Document, Precondition, Subject, Written};
use crate::core::list::{Collection, ListRequest, Page, TieBreaker, page};
use crate::records::group::grant;
use crate::records::history::restore::time;
use crate::{Error, Permit, Service, view};

/// In the body of a user who is moved in or restored, which must have a password, as long as the
/// operator demands. It is never hashed: the user has none.
pub(crate) fn placeholder() -> Value {
    "-".repeat(MAX_PASSWORD_BYTES).into()
}

/// More than the token generations between two revisions of a user.
const GENERATIONS: i64 = 1 << 32;

const COLLECTION: Collection = Collection {
    paths: Paths {
        timestamps: &["registration_time"],
        secrets: &["password"],
    },
    tie_breaker: TieBreaker::Member("public_id"),
};

/// A page of the list.
pub async fn list(permit: &Permit<UserView>, request: ListRequest) -> Result<Page, Error> {
    let accounts = permit.read(|tx| Ok(tx.accounts()?)).await?;
    let documents = accounts
        .iter()
        .map(|account| answer(permit.service(), account))
        .collect();
    page(permit.caller(), documents, &request, &COLLECTION).await
}

/// One user. Everybody may read their own.
pub async fn read_user(
    permit: &Permit<Authenticated>,
    id: UserId,
) -> Result<Document<String>, Error> {
    let permit = permit.own_or::<UserView>(id).await?;
    let reader = permit.clone();
    permit
        .read(move |tx| Ok(document(reader.service(), &stored(tx, id)?).into_text()))
        .await
}

/// Inserts a user.
pub async fn insert(permit: &Permit<UserAdd>, body: &Value) -> Result<Written, Error> {
    let body = Arc::new(body.clone());
    let (reader, sent) = (permit.clone(), Arc::clone(&body));
    let (draft, warnings) = permit
        .read(move |tx| {
            let (draft, warnings) = new(tx, &reader, &sent)?;
            check_group(tx, &reader, draft.group_id)?;
            if !draft.is_service && !reader.caller().request.moves_in {
                reader.access(tx)?.check_sets_passwords()?;
            }
            Ok((draft, warnings))
        })
        .await?;
    let warnings = permit.warn(warnings)?;
    let request = &permit.caller().request;
    let password_hash = if draft.is_service || request.moves_in || request.restores {
        Credentials::NO_PASSWORD.to_owned()
    } else {
        password::hash_new(permit, draft.password.unwrap_or_default()).await?
    };
    let writer = permit.clone();
    let account = permit
        .write(move |tx| {
            // Check again: the data may have changed while the password was hashed.
            let (draft, _) = new(tx, &writer, &body)?;
            let (id, revision) =
                crate::core::id::allocate(tx, Resource::User, draft.public_id, |tx, id| {
                    Ok(tx.account(id)?.is_some())
                })?;
            let registered = time(&writer, &body, "registration_time");
            let registered = registered.unwrap_or_else(|| tx.context().now.to_spaced());
            let user = draft.into_user(id, registered, LOCAL_AUTHENTICATOR.to_owned());
            check_group(tx, &writer, user.group_id)?;
            let credentials = Credentials {
                password_hash: password_hash.clone(),
                // Above all of an earlier life: tokens of a deleted user must not become valid for
                // the restored one. Ending all sessions raises it without a revision.
                token_generation: revision.0.saturating_mul(GENERATIONS),
            };
            Ok(tx.insert_user(revision, user, credentials)?)
        })
        .await?;
    Ok(Written {
        document: document(permit.service(), &account),
        warnings,
    })
}

/// The draft of a new user, and the warnings about it.
fn new(
    tx: &mut ReadTx<'_>,
    permit: &Permit<UserAdd>,
    body: &Value,
) -> Result<(UserDraft, Vec<Problem>), Error> {
    let report = Report::default();
    let draft = UserDraft::read(body, None, &report);
    draft::check(tx, permit.service(), body, None, &report)?;
    draft::check_id(tx, body, permit.caller().request.restores, &report)?;
    let draft = report.finish(draft)?;
    Ok((draft, report.into_warnings()))
}

/// Removes a user with its settings, API tokens and private views. Records that it wrote stay.
pub async fn delete(
    permit: &Permit<UserDelete>,
    id: UserId,
    precondition: Precondition,
) -> Result<Written, Error> {
    let writer = permit.clone();
    let account = permit
        .write(move |tx| {
            let account = stored(tx, id)?;
            check_group(tx, &writer, account.user.group_id)?;
            precondition.check(tx, Subject::of(Resource::User, id), account.revision)?;
            if id == writer.caller().user_id() {
                return Err(Error::invalid("", "nobody deletes itself"));
            }
            view::forget_user(tx, id)?;
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

fn document(service: &Service, account: &Account) -> Document {
    Document {
        value: answer(service, account),
        revision: account.revision,
    }
}

pub(crate) fn stored(tx: &mut ReadTx<'_>, id: UserId) -> Result<Account, Error> {
    tx.account(id)?.ok_or_else(|| Error::not_found("user", id))
}

/// The caller must hold everything that a group holds to make, change or delete a user of it.
fn check_group<P>(tx: &ReadTx<'_>, permit: &Permit<P>, group: GroupId) -> Result<(), Error> {
    grant::check_holds_all_of(tx.catalog(), &permit.access(tx)?, group)
}
