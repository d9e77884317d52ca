//! `POST /objects/`

use stockroom_access::Operation;
use stockroom_access::permission::ObjectAdd;
use stockroom_model::body::{Report, integer};
use stockroom_model::json::Value;
use stockroom_model::object::{ObjectDraft, Reference, check_fields, secret};
use stockroom_model::{Checked, ObjectId, Problem, Problems, Revision, TypeId};
use stockroom_store::{Catalog, NewObject, ReadTx, Resource, TypeEntry, WriteTx};

use super::secrets::masked;
use super::{WrittenObject, check_acl, check_references, check_sent_fields, title_for};
use crate::auth::Access;
use crate::{Error, Permit};

/// Inserts an object.
///
/// # Errors
///
/// See [`Error`].
pub async fn insert(permit: &Permit<ObjectAdd>, body: &Value) -> Result<WrittenObject, Error> {
    let checked = match ObjectDraft::read(body, None, permit.service().records()) {
        Ok(checked) => checked,
        Err(problems) => return Err(with_problems_of_the_type(permit, body, problems).await?),
    };
    let writer = permit.clone();
    let body = Insertion::new(&permit.catalog(), checked);
    permit
        .write(move |tx| {
            let ready = prepare(&writer, tx, &body)?;
            Ok(WrittenObject {
                row: masked(tx.insert_object(ready.revision, ready.views, &ready.new)?)?,
                warnings: ready.warnings,
            })
        })
        .await
}

/// Inserts many objects in one transaction; references may name objects before them. They are not indexed yet.
///
/// # Errors
///
/// The first object that is refused; then none is inserted.
pub(crate) async fn insert_all(
    permit: &Permit<ObjectAdd>,
    objects: Vec<Insertion>,
) -> Result<(), Error> {
    let writer = permit.clone();
    permit
        .write(move |tx| {
            for object in &objects {
                let ready = prepare(&writer, tx, object)?;
                tx.insert_unindexed_object(ready.revision, ready.views, &ready.new)?;
            }
            Ok(())
        })
        .await
}

/// A body with what its type says of it, asked before it waits for the writer.
pub(crate) struct Insertion {
    checked: Checked<ObjectDraft>,
    /// Of that revision of the type; `None` if there were problems, which belong into one answer with those of the store.
    by_type: Option<(Revision, Checked<Vec<Reference>>)>,
}

impl Insertion {
    pub(crate) fn new(catalog: &Catalog, checked: Checked<ObjectDraft>) -> Self {
        let draft = &checked.value;
        let by_type = catalog.type_entry(draft.type_id).and_then(|entry| {
            let report = Report::default();
            let references = check_fields(&entry.record, &draft.fields, None, &report);
            Some((entry.revision, report.finish(Some(references)).ok()?))
        });
        Self { checked, by_type }
    }

    /// The references of the body, and warnings; anew if the type changed meanwhile.
    fn references(&self, entry: &TypeEntry, report: &Report) -> Checked<Vec<Reference>> {
        match &self.by_type {
            Some((revision, checked)) if *revision == entry.revision => checked.clone(),
            _ => Checked {
                value: check_fields(&entry.record, &self.checked.value.fields, None, report),
                warnings: Vec::new(),
            },
        }
    }
}

/// An object that may be inserted.
struct Ready {
    revision: Revision,
    views: i64,
    new: NewObject,
    warnings: Vec<Problem>,
}

/// What the type and the other objects say of a body; and its id.
fn prepare(
    permit: &Permit<ObjectAdd>,
    tx: &mut WriteTx<'_>,
    body: &Insertion,
) -> Result<Ready, Error> {
    let mut draft = body.checked.value.clone();
    let type_id = draft.type_id;
    let entry = tx
        .type_entry(type_id)?
        .ok_or_else(|| Error::not_found("type", type_id))?;
    let access = permit.access(tx)?;
    if !entry.record.active {
        return Err(Error::Forbidden(format!(
            "the type {} is not active and takes no new objects",
            title_for(&entry, access.group_id)
        )));
    }
    check_acl(&entry, access.group_id, Operation::Create)?;
    let report = Report::default();
    let references = body.references(&entry, &report);
    check_references(tx, &access.scope, &references.value, &report)?;
    check_free(tx, draft.public_id, &report)?;
    let mut warnings = body.checked.warnings.clone();
    warnings.extend(references.warnings);
    warnings.extend(report.finish(Some(()))?.warnings);
    let warnings = permit.warn(warnings)?;
    let (id, revision) = crate::id::settle(tx, Resource::Object, draft.public_id, |tx, id| {
        super::exists(tx, id)
    })?;
    let secrets =
        permit
            .service()
            .seal(id, &secret::take(&entry.record, &mut draft.fields), None)?;
    let views = draft.views;
    let new = NewObject {
        object: draft.into_new(id, tx.context().now),
        secrets,
    };
    Ok(Ready {
        revision,
        views,
        new,
        warnings,
    })
}

/// A malformed body hides what the store would say of it; both belong into one answer.
async fn with_problems_of_the_type(
    permit: &Permit<ObjectAdd>,
    body: &Value,
    mut problems: Problems,
) -> Result<Error, Error> {
    let (reader, body) = (permit.clone(), body.clone());
    let more = permit
        .read(move |tx| {
            let report = Report::default();
            let id = body.get("public_id").and_then(integer);
            check_free(tx, id.and_then(ObjectId::new), &report)?;
            let type_id = body.get("type_id").and_then(integer);
            let access = reader.access(tx)?;
            let entry = type_id
                .and_then(TypeId::new)
                .and_then(|id| tx.catalog().type_entry(id))
                .filter(|entry| may_create(&access, entry));
            if let Some(entry) = entry {
                check_sent_fields(tx, &access.scope, &entry.record, &body, None, &report)?;
            }
            Ok::<_, Error>(report.finish(Some(())).err())
        })
        .await?;
    problems.append(more.unwrap_or_default());
    Ok(problems.into())
}

fn may_create(access: &Access, entry: &TypeEntry) -> bool {
    check_acl(entry, access.group_id, Operation::Create).is_ok()
}

fn check_free(tx: &mut ReadTx<'_>, id: Option<ObjectId>, report: &Report) -> Result<(), Error> {
    if let Some(id) = id
        && super::exists(tx, id)?
    {
        report.problem("/public_id", format!("{id} is in use"));
    }
    Ok(())
}
