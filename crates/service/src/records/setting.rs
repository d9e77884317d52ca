//! Settings of users (`docs/guide/src/users.md`). Users need no right for their own.

mod restore;

use stockroom_access::permission::{Authenticated, UserEdit, UserView};
use stockroom_filter::Paths;
use stockroom_model::body::Report;
use stockroom_model::json::{self, Value};
use stockroom_model::{RecordLimits, Setting, UserId};
use stockroom_store::{ReadTx, Resource, Stored};

use crate::core::change::{Change, Document, Precondition, Subject, Written};
use crate::core::list::{Collection, ListRequest, Page, TieBreaker, Total, page};
use crate::{Error, Permit, user};

const COLLECTION: Collection = Collection {
    paths: Paths {
        timestamps: &[],
        secrets: &[],
    },
    tie_breaker: TieBreaker::Member("identifier"),
};

/// The bytes of settings that are read without a thread of their own.
const SMALL: usize = 64 * 1_024;

pub use restore::restore;

/// A page of the settings of a user.
pub async fn list(
    permit: &Permit<Authenticated>,
    user: UserId,
    request: ListRequest,
) -> Result<Page, Error> {
    let permit = permit.own_or::<UserView>(user).await?;
    if request.total == Total::Only
        && !request.is_by_cursor()
        && request.checked(&COLLECTION.paths)?.is_everything()
    {
        let count = move |tx: &mut ReadTx<'_>| {
            user::stored(tx, user)?;
            Ok(tx.setting_usage(user)?.count)
        };
        return Ok(Page {
            results: Vec::new(),
            total: Some(permit.read(count).await?),
            next: None,
        });
    }
    let documents = permit
        .read(move |tx| {
            user::stored(tx, user)?;
            let bytes = tx.setting_usage(user)?.bytes;
            tx.leave_inline_if(bytes > SMALL)?;
            let settings = tx.settings(user)?;
            Ok(settings
                .iter()
                .map(|stored| document(stored).value)
                .collect())
        })
        .await?;
    page(permit.caller(), documents, &request, &COLLECTION).await
}

/// One setting.
pub async fn read_setting(
    permit: &Permit<Authenticated>,
    user: UserId,
    identifier: String,
) -> Result<Document<String>, Error> {
    let permit = permit.own_or::<UserView>(user).await?;
    permit
        .read(move |tx| Ok(document(&stored(tx, user, &identifier)?).into_text()))
        .await
}

/// Inserts a setting.
pub async fn insert(
    permit: &Permit<Authenticated>,
    user: UserId,
    body: Value,
) -> Result<Written, Error> {
    let permit = permit.own_or::<UserEdit>(user).await?;
    let writer = permit.clone();
    permit
        .write(move |tx| {
            user::stored(tx, user)?;
            let report = Report::default();
            let setting = Setting::read(&body, user, None, &report);
            check_unused(tx, user, &body, &report)?;
            let setting = report.finish(setting)?;
            let warnings = writer.warn(report.into_warnings())?;
            let written = tx.insert_setting(setting)?;
            check_count(tx, user, writer.service().records())?;
            check_bytes(tx, user, writer.service().records())?;
            Ok(Written {
                document: document(&written),
                warnings,
            })
        })
        .await
}

/// Replaces or patches a setting.
pub async fn update(
    permit: &Permit<Authenticated>,
    user: UserId,
    identifier: String,
    change: Change,
    precondition: Precondition,
) -> Result<Written, Error> {
    let permit = permit.own_or::<UserEdit>(user).await?;
    let writer = permit.clone();
    permit
        .write(move |tx| {
            let stored = stored(tx, user, &identifier)?;
            precondition.check(tx, subject(user, &identifier), stored.revision)?;
            let body = change.target(|| document(&stored).value);
            let report = Report::default();
            let setting = Setting::read(&body, user, Some(&identifier), &report);
            let setting = report.finish(setting)?;
            let warnings = writer.warn(report.into_warnings())?;
            let before = json::length(&stored.record);
            let written = tx.update_setting(stored, setting)?;
            // Settings that exceed the limit already may stay and shrink.
            if json::length(&written.record) > before {
                check_bytes(tx, user, writer.service().records())?;
            }
            Ok(Written {
                document: document(&written),
                warnings,
            })
        })
        .await
}

/// Removes a setting.
pub async fn delete(
    permit: &Permit<Authenticated>,
    user: UserId,
    identifier: String,
    precondition: Precondition,
) -> Result<Written, Error> {
    let permit = permit.own_or::<UserEdit>(user).await?;
    permit
        .write(move |tx| {
            let stored = stored(tx, user, &identifier)?;
            precondition.check(tx, subject(user, &identifier), stored.revision)?;
            tx.delete_setting(&stored)?;
            Ok(Written {
                document: document(&stored),
                warnings: Vec::new(),
            })
        })
        .await
}

/// Refuses a new setting beyond the limit.
fn check_count(tx: &mut ReadTx<'_>, user: UserId, limits: &RecordLimits) -> Result<(), Error> {
    let (count, limit) = (tx.setting_usage(user)?.count, limits.settings);
    if count > limit {
        let detail = format!(
            "user {user} would have {count} settings; the limit is {limit}, delete one first"
        );
        return Err(Error::invalid("", detail));
    }
    Ok(())
}

/// Refuses settings that exceed the limit in bytes.
fn check_bytes(tx: &mut ReadTx<'_>, user: UserId, limits: &RecordLimits) -> Result<(), Error> {
    let (bytes, limit) = (tx.setting_usage(user)?.bytes, limits.setting_bytes);
    if bytes > limit {
        let detail = format!(
            "all settings of user {user} would have {bytes} bytes as JSON; the limit is {limit}"
        );
        return Err(Error::invalid("/payload", detail));
    }
    Ok(())
}

/// Reports an identifier that another setting of the user has.
fn check_unused(
    tx: &mut ReadTx<'_>,
    user: UserId,
    body: &Value,
    report: &Report,
) -> Result<(), Error> {
    if let Some(identifier) = body.get("identifier").and_then(Value::as_str)
        && tx.setting(user, identifier)?.is_some()
    {
        let detail = format!("user {user} has a setting {identifier:?} already");
        report.problem("/identifier", detail);
    }
    Ok(())
}

fn stored(tx: &mut ReadTx<'_>, user: UserId, identifier: &str) -> Result<Stored<Setting>, Error> {
    user::stored(tx, user)?;
    tx.setting(user, identifier)?
        .ok_or_else(|| Error::NotFound(format!("user {user} has no setting {identifier:?}")))
}

fn document(stored: &Stored<Setting>) -> Document {
    Document {
        value: serde_json::to_value(&stored.record).unwrap_or_default(),
        revision: stored.revision,
    }
}

fn subject(user: UserId, identifier: &str) -> Subject<'_> {
    Subject {
        resource: Resource::Setting,
        id: user.get(),
        name: identifier,
    }
}
