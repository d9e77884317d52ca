//! Views (`docs/guide/src/views.md`). Nobody learns of views that it must not see: they are missing
//! from lists, and a read of one is a 404.

mod audience;
mod cascade;
mod draft;
mod restore;

use stockroom_access::permission::{ObjectView, SavedViewEdit};
use stockroom_filter::Paths;
use stockroom_model::body::Report;
use stockroom_model::json::{self, Value};
use stockroom_model::view::ViewDraft;
use stockroom_model::{RecordLimits, UserId, View, ViewId};
use stockroom_store::{ReadTx, Resource, Stored, ViewUsage, WriteTx};

use self::audience::{check_writable, reader};
use crate::core::access::Access;
use crate::core::change::{Change, Document, Precondition, Subject, Written};
use crate::core::list::{Collection, ListRequest, Page, TieBreaker, page};
use crate::records::history::restore::time;
use crate::{Error, Permit};

pub(crate) use self::audience::is_for;
pub(crate) use self::cascade::{forget_group, forget_type, forget_user};
pub use self::restore::restore;

const COLLECTION: Collection = Collection {
    paths: Paths {
        timestamps: &["creation_time", "last_edit_time"],
        secrets: &[],
    },
    tie_breaker: TieBreaker::Member("public_id"),
};

/// A page of the views that the caller sees.
pub async fn list(permit: &Permit<ObjectView>, request: ListRequest) -> Result<Page, Error> {
    let authorization = permit.authorization();
    let documents = permit
        .read(move |tx| {
            let reader = reader(&authorization.access(tx)?);
            let views = tx.views_seen_by(&reader)?;
            Ok(views.iter().map(|stored| document(stored).value).collect())
        })
        .await?;
    page(permit.caller(), documents, &request, &COLLECTION).await
}

/// One view.
pub async fn read_view(permit: &Permit<ObjectView>, id: ViewId) -> Result<Document, Error> {
    let authorization = permit.authorization();
    permit
        .read(move |tx| {
            let access = authorization.access(tx)?;
            Ok(document(&stored(tx, &access, id)?))
        })
        .await
}

/// Inserts a view of the caller.
pub async fn insert(permit: &Permit<SavedViewEdit>, body: Value) -> Result<Written, Error> {
    draft::compile_filter(permit.caller(), &body).await?;
    let made_at = time(permit, &body, "creation_time");
    let edited_at = time(permit, &body, "last_edit_time");
    let writer = permit.clone();
    permit
        .write(move |tx| {
            let report = Report::default();
            let draft = ViewDraft::read(&body, None, &report);
            let definition = draft.as_ref().map(|draft| &draft.definition);
            draft::check_filter(writer.service(), definition, &report);
            let draft = report.finish(draft)?;
            let access = writer.access(tx)?;
            let (id, revision) =
                crate::core::id::allocate(tx, Resource::View, draft.public_id, |tx, id| {
                    Ok(tx.has_view(id)?)
                })?;
            let owner = draft::owner(tx, &writer, &body, Some(access.user_id))?;
            let group = draft::group(&draft, &access);
            let created = made_at.clone();
            let created = created.unwrap_or_else(|| tx.context().now.to_iso());
            let view = draft.into_view(id, owner, group, (created, edited_at.clone()));
            draft::check(tx, &access, &view, None, &report)?;
            report.finish(Some(()))?;
            let warnings = writer.warn(report.into_warnings())?;
            let stored = tx.insert_view(revision, view)?;
            check_usage(tx, owner, writer.service().records(), true)?;
            Ok(Written {
                document: document(&stored),
                warnings,
            })
        })
        .await
}

/// Replaces or patches a view.
pub async fn update(
    permit: &Permit<SavedViewEdit>,
    id: ViewId,
    change: Change,
    precondition: Precondition,
) -> Result<Written, Error> {
    draft::compile_filter(permit.caller(), change.body()).await?;
    let writer = permit.clone();
    permit
        .write(move |tx| {
            let access = writer.access(tx)?;
            let stored = stored(tx, &access, id)?;
            check_writable(&access, &stored.record)?;
            precondition.check(tx, Subject::of(Resource::View, id), stored.revision)?;
            let body = change.target(|| document(&stored).value);
            let report = Report::default();
            let draft = ViewDraft::read(&body, Some(id), &report);
            let definition = draft.as_ref().map(|draft| &draft.definition);
            let filter = |definition: &json::Map<String, Value>| definition.get("filter").cloned();
            if definition.and_then(filter) != filter(&stored.record.definition) {
                draft::check_filter(writer.service(), definition, &report);
            }
            let draft = report.finish(draft)?;
            let view = target(tx, &writer, &stored.record, draft, &body)?;
            draft::check(tx, &access, &view, Some(&stored.record), &report)?;
            report.finish(Some(()))?;
            let warnings = writer.warn(report.into_warnings())?;
            let (owner, before) = (view.owner_id, json::length(&stored.record));
            let written = tx.update_view(stored, view)?;
            // Views that exceed the limit already may stay and shrink.
            if json::length(&written.record) > before {
                check_usage(tx, owner, writer.service().records(), false)?;
            }
            Ok(Written {
                document: document(&written),
                warnings,
            })
        })
        .await
}

/// The view after a change. Its owner and the time when it was made stay.
fn target(
    tx: &mut WriteTx<'_>,
    permit: &Permit<SavedViewEdit>,
    stored: &View,
    draft: ViewDraft,
    body: &Value,
) -> Result<View, Error> {
    let owner = draft::owner(tx, permit, body, stored.owner_id)?;
    let group = draft::group(&draft, &permit.access(tx)?);
    let times = (stored.creation_time.clone(), stored.last_edit_time.clone());
    Ok(draft.into_view(stored.public_id, owner, group, times))
}

/// Removes a view.
pub async fn delete(
    permit: &Permit<SavedViewEdit>,
    id: ViewId,
    precondition: Precondition,
) -> Result<Written, Error> {
    let writer = permit.clone();
    permit
        .write(move |tx| {
            let access = writer.access(tx)?;
            let stored = stored(tx, &access, id)?;
            check_writable(&access, &stored.record)?;
            precondition.check(tx, Subject::of(Resource::View, id), stored.revision)?;
            tx.delete_view(id, stored.revision)?;
            Ok(Written {
                document: document(&stored),
                warnings: Vec::new(),
            })
        })
        .await
}

/// Refuses a view beyond the limits: a new one by its number, and each by the bytes of all.
fn check_usage(
    tx: &mut ReadTx<'_>,
    owner: Option<UserId>,
    limits: &RecordLimits,
    is_new: bool,
) -> Result<(), Error> {
    let Some(owner) = owner else { return Ok(()) };
    let ViewUsage { count, bytes } = tx.view_usage(owner)?;
    if is_new && count > limits.views {
        let detail = format!(
            "user {owner} would have {count} views; the limit is {}, delete one first",
            limits.views
        );
        return Err(Error::invalid("", detail));
    }
    if bytes > limits.view_bytes {
        let detail = format!(
            "all views of user {owner} would have {bytes} bytes as JSON; the limit is {}",
            limits.view_bytes
        );
        return Err(Error::invalid("/definition", detail));
    }
    Ok(())
}

fn stored(tx: &mut ReadTx<'_>, access: &Access, id: ViewId) -> Result<Stored<View>, Error> {
    tx.view_seen_by(&reader(access), id)?
        .ok_or_else(|| Error::not_found("view", id))
}

fn document(stored: &Stored<View>) -> Document {
    Document {
        value: serde_json::to_value(&stored.record).unwrap_or_default(),
        revision: stored.revision,
    }
}
