//! Objects as they were (`docs/guide/src/history.md`): at a revision, or at a time (`as_of`).

use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_access::permission::{LogView, ObjectView};
use stockroom_model::{ObjectId, Revision, Timestamp, TypeId};
use stockroom_store::{
    Catalog, HistoryPosition, HistoryRange, ObjectAsOf, PastObject, ReadTx, RecordKey, Resource,
    Visibility,
};

use super::list::View;
use super::loader::Rendering;
use super::{ObjectRow, seen};
use crate::core::access::Access;
use crate::core::caller::Authorization;
use crate::core::type_templates::TypeTemplates;
use crate::records::history::{HistoryScope, check_revision, deleted, unknown};
use crate::{Error, Permit};

/// The types and the visibility at a time.
pub(crate) struct PastView {
    pub(crate) at: Timestamp,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) templates: Arc<TypeTemplates>,
    /// Types in the catalog that do not exist now.
    deleted: Vec<TypeId>,
}

impl PastView {
    /// The view at a time, which must lie in the history.
    pub(crate) fn new(
        authorization: &Authorization,
        tx: &mut ReadTx<'_>,
        at: Timestamp,
    ) -> Result<Self, Error> {
        check_time(authorization, tx, at)?;
        let past = tx.catalog_as_of(at)?;
        Ok(Self {
            at,
            templates: authorization.service().templates_as_of(&past.catalog),
            catalog: past.catalog,
            deleted: past.deleted,
        })
    }

    /// The types whose objects the caller may see.
    pub(crate) fn scope(&self, access: &Access) -> Arc<Scope> {
        let history = HistoryScope::new(access.clone());
        if self.deleted.is_empty() || history.sees_deleted_types() {
            return Arc::clone(&access.scope);
        }
        Arc::new(access.scope.without(&self.deleted))
    }
}

/// The object right after the change that led to a revision, as JSON text.
pub async fn at_revision(
    permit: &Permit<LogView>,
    id: ObjectId,
    revision: Revision,
    view: View,
) -> Result<String, Error> {
    let reader = permit.clone();
    permit
        .read(move |tx| {
            let access = reader.access(tx)?;
            let record = RecordKey::new(Resource::Object, id.get());
            check_revision(tx, &record, revision)?;
            let found = match tx.object_at_revision(&access.scope, id, revision)? {
                PastObject::Missing => return Err(deleted(&record, revision)),
                PastObject::Unknown => return Err(unknown(&record, revision)),
                found => found,
            };
            let row = visible(tx.catalog(), &access, id, found)?;
            if view == View::Native {
                return Ok(row.into_native());
            }
            let after = HistoryPosition(0, revision.0 + 1);
            let change = tx.history(&HistoryRange::Record(record), after, 1)?.pop();
            let at = change.map_or(reader.now(), |change| change.at);
            render(&reader, tx, &access, row, at)
        })
        .await
}

/// The rendered object at a time.
pub(crate) async fn rendered(
    permit: &Permit<ObjectView>,
    id: ObjectId,
    at: Timestamp,
) -> Result<(String, Revision), Error> {
    let reader = permit.clone();
    permit
        .read(move |tx| {
            let access = reader.access(tx)?;
            let row = as_of(&reader, tx, &access, id, at)?;
            let revision = row.revision;
            Ok((render(&reader, tx, &access, row, at)?, revision))
        })
        .await
}

/// The object at a time.
pub(crate) async fn native(
    permit: &Permit<ObjectView>,
    id: ObjectId,
    at: Timestamp,
) -> Result<ObjectRow, Error> {
    check_not_future(permit, at)?;
    let row = permit.fetch(
        move |_, _| Ok(Some(ObjectAsOf::statement(id, at))),
        move |catalog, access, past| {
            let found = past.visible_to(catalog, &access.scope)?;
            visible_at_a_time(catalog, &access, id, found)
        },
    );
    let row = row.await?;
    row.ok_or_else(|| Error::internal("an object of the past is always found by one statement"))
}

fn as_of(
    authorization: &Authorization,
    tx: &mut ReadTx<'_>,
    access: &Access,
    id: ObjectId,
    at: Timestamp,
) -> Result<ObjectRow, Error> {
    check_not_future(authorization, at)?;
    let found = tx.object_as_of(&access.scope, id, at)?;
    visible_at_a_time(tx.catalog(), access, id, found)
}

/// Like [`visible`], but an object of a deleted type looks the same before and after it was there.
fn visible_at_a_time(
    catalog: &Catalog,
    access: &Access,
    id: ObjectId,
    found: PastObject,
) -> Result<ObjectRow, Error> {
    match found {
        PastObject::Visible(row) if !sees_type(catalog, access, &row) => Err(not_there(id)),
        found => visible(catalog, access, id, found),
    }
}

/// Whether the caller may see objects of the type of a past one, which may be deleted.
fn sees_type(catalog: &Catalog, access: &Access, row: &ObjectRow) -> bool {
    HistoryScope::new(access.clone()).sees_type(catalog, Some(row.type_id))
}

fn not_there(id: ObjectId) -> Error {
    Error::NotFound(format!("there was no object {id} then"))
}

/// The object, if the caller may see objects of the type that it had.
fn visible(
    catalog: &Catalog,
    access: &Access,
    id: ObjectId,
    found: PastObject,
) -> Result<ObjectRow, Error> {
    let found = match found {
        PastObject::Visible(row) if sees_type(catalog, access, &row) => Visibility::Visible(row),
        PastObject::Visible(_) | PastObject::Hidden => Visibility::Hidden,
        PastObject::Missing => return Err(not_there(id)),
        PastObject::Unknown => return Err(lost(id)),
    };
    seen(found, id)
}

fn render(
    authorization: &Authorization,
    tx: &mut ReadTx<'_>,
    access: &Access,
    row: ObjectRow,
    at: Timestamp,
) -> Result<String, Error> {
    let past = PastView::new(authorization, tx, at)?;
    let rendering = Rendering {
        templates: &past.templates,
        scope: &past.scope(access),
        as_of: Some(at),
        now: authorization.now(),
    };
    let document = rendering.render(tx, vec![row])?.pop();
    document.ok_or_else(|| Error::internal("an object rendered to nothing"))
}

fn check_not_future(authorization: &Authorization, at: Timestamp) -> Result<(), Error> {
    if at > authorization.now() {
        return Err(Error::invalid("as_of", "lies in the future"));
    }
    Ok(())
}

/// Refuses times for which types or deleted objects may not be known.
fn check_time(
    authorization: &Authorization,
    tx: &mut ReadTx<'_>,
    at: Timestamp,
) -> Result<(), Error> {
    check_not_future(authorization, at)?;
    match tx.history_since()? {
        Some(since) if at < since => Err(Error::invalid(
            "as_of",
            format!("lies before {}, when the history begins", since.to_iso()),
        )),
        _ => Ok(()),
    }
}

/// The state of an object at a time is not kept.
pub(crate) fn lost(id: ObjectId) -> Error {
    Error::invalid(
        "as_of",
        format!("the state of object {id} at that time is no longer kept"),
    )
}
