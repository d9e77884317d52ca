//! `POST /objects/`

use stockroom_access::Operation;
use stockroom_access::permission::ObjectAdd;
use stockroom_model::body::{Report, integer};
use stockroom_model::json::Value;
use stockroom_model::object::{ObjectDraft, secret};
use stockroom_model::{ObjectId, Problem, Problems, RecordLimits, Revision, TypeId};
use stockroom_store::{Catalog, NewObject, ObjectRow, ReadTx, Resource, TypeEntry, WriteTx};

use super::precheck::{Precheck, is_large};
use super::secrets::masked;
use super::{WrittenObject, check_acl, check_references, title_for};
use crate::auth::Access;
use crate::move_in::RefusedObject;
use crate::{Error, Permit};

/// Inserts an object.
pub async fn insert(permit: &Permit<ObjectAdd>, body: Value) -> Result<WrittenObject, Error> {
    let (catalog, service) = (permit.catalog(), permit.service());
    let body = if is_large(&body) {
        let limits = service.records().clone();
        let precheck = move || Insertion::new(&catalog, body, &limits);
        service.run_blocking(precheck).await?
    } else {
        Insertion::new(&catalog, body, service.records())
    };
    if body.precheck.draft().is_err() {
        return Err(refused(permit, body).await?);
    }
    let writer = permit.clone();
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

/// Inserts many objects in one transaction; references may name earlier objects. The objects are
/// not indexed yet.
///
/// # Errors
///
/// The first object that is refused. Then none is inserted.
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

/// Inserts objects of another system in one transaction, without the rules of their types. The
/// objects are not indexed yet. Returns those that are not inserted.
pub(crate) async fn insert_old(
    permit: &Permit<ObjectAdd>,
    objects: Vec<Old>,
) -> Result<Vec<RefusedObject>, Error> {
    let writer = permit.clone();
    permit
        .write(move |tx| {
            let mut refused = Vec::new();
            for (place, object) in objects.iter().enumerate() {
                match prepare_old(&writer, tx, object)? {
                    Ok(ready) => {
                        tx.insert_unindexed_object(ready.revision, ready.views, &ready.new)?;
                    }
                    Err(problems) => refused.push(RefusedObject { place, problems }),
                }
            }
            Ok(refused)
        })
        .await
}

/// Inserts an object in a transaction with other writes. A refusal writes nothing.
pub(super) fn insert_one(
    permit: &Permit<ObjectAdd>,
    tx: &mut WriteTx<'_>,
    body: &Insertion,
) -> Result<ObjectRow, Error> {
    let ready = prepare(permit, tx, body)?;
    Ok(tx.insert_object(ready.revision, ready.views, &ready.new)?)
}

/// A body, prechecked before its write is queued.
pub(crate) struct Insertion {
    /// The body as sent if it is malformed, else null.
    body: Value,
    precheck: Precheck,
    /// The type that the body names, at the revision of the precheck.
    by: Option<(TypeId, Revision)>,
}

impl Insertion {
    pub(crate) fn new(catalog: &Catalog, body: Value, limits: &RecordLimits) -> Self {
        let entry = body
            .get("type_id")
            .and_then(integer)
            .and_then(TypeId::new)
            .and_then(|id| catalog.type_entry(id));
        let precheck = match entry {
            Some(entry) => Precheck::new(&entry.record, &body, None, limits),
            None => Precheck::without_type(&body, None, limits),
        };
        Self {
            by: entry.map(|entry| (entry.record.public_id, entry.revision)),
            body: precheck.draft().map_or(body, |_| Value::Null),
            precheck,
        }
    }

    /// The precheck, repeated if the type has changed since.
    fn checked_by(&self, entry: &TypeEntry) -> Precheck {
        let mut precheck = self.precheck.clone();
        if self.by != Some((entry.record.public_id, entry.revision)) {
            precheck.check_by(&entry.record, &self.body, None);
        }
        precheck
    }
}

/// An object that may be inserted.
struct Ready {
    revision: Revision,
    views: i64,
    new: NewObject,
    warnings: Vec<Problem>,
}

/// The body of an object of another system.
pub(crate) struct Old(Result<ObjectDraft, Problems>);

impl Old {
    pub(crate) fn new(body: &Value, limits: &RecordLimits) -> Self {
        let report = Report::default();
        let draft = ObjectDraft::read(body, None, limits, &report);
        Self(report.finish(draft))
    }
}

/// Checks what storing the object needs: a type, and a free id.
fn prepare_old(
    permit: &Permit<ObjectAdd>,
    tx: &mut WriteTx<'_>,
    old: &Old,
) -> Result<Result<Ready, Problems>, Error> {
    let mut draft = match &old.0 {
        Ok(draft) => draft.clone(),
        Err(problems) => return Ok(Err(problems.clone())),
    };
    let Some(entry) = tx.type_entry(draft.type_id)? else {
        let detail = format!("there is no type {}", draft.type_id);
        return Ok(Err(Problems::one("/type_id", detail)));
    };
    let report = Report::default();
    check_free(tx, draft.public_id, &report)?;
    if let Err(problems) = report.finish(Some(())) {
        return Ok(Err(problems));
    }
    let (id, revision) =
        crate::id::allocate(tx, Resource::Object, draft.public_id, |_, _| Ok(false))?;
    let changes = secret::take(&entry.record, &mut draft.fields);
    let secrets = permit.service().seal(tx, id, &changes, None)?;
    let views = draft.views;
    let object = draft.into_new(id, tx.context().now);
    Ok(Ok(Ready {
        revision,
        views,
        new: NewObject { object, secrets },
        warnings: Vec::new(),
    }))
}

/// Checks a body against its type and the other objects, and chooses its id.
fn prepare(
    permit: &Permit<ObjectAdd>,
    tx: &mut WriteTx<'_>,
    body: &Insertion,
) -> Result<Ready, Error> {
    let draft = body.precheck.draft()?;
    let (type_id, asked_id) = (draft.type_id, draft.public_id);
    let entry = tx
        .type_entry(type_id)?
        .ok_or_else(|| Error::not_found("type", type_id))?;
    let access = permit.access(tx)?;
    if !entry.record.active {
        return Err(Error::Forbidden(format!(
            "the type {} is not active and takes no new objects",
            title_for(&entry, &access)
        )));
    }
    check_acl(&entry, &access, Operation::Create)?;
    let precheck = body.checked_by(&entry);
    check_references(tx, &access.scope, &precheck.references, &precheck.report)?;
    check_free(tx, asked_id, &precheck.report)?;
    let (mut draft, warnings) = precheck.finish()?;
    let warnings = permit.warn(warnings)?;
    let (id, revision) = crate::id::allocate(tx, Resource::Object, asked_id, |tx, id| {
        super::exists(tx, id)
    })?;
    let secrets = permit.service().seal(
        tx,
        id,
        &secret::take(&entry.record, &mut draft.fields),
        None,
    )?;
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

/// Why a malformed body is refused: its own problems, then conflicts with stored records.
async fn refused(permit: &Permit<ObjectAdd>, body: Insertion) -> Result<Error, Error> {
    let reader = permit.clone();
    let refused = permit.read(move |tx| {
        let access = reader.access(tx)?;
        let entry = body.by.and_then(|(id, _)| tx.catalog().type_entry(id));
        let precheck = match entry.filter(|entry| may_create(&access, entry)) {
            Some(entry) => body.checked_by(entry),
            None => body.precheck.without_check_by_type(),
        };
        check_references(tx, &access.scope, &precheck.references, &precheck.report)?;
        let id = body.body.get("public_id").and_then(integer);
        check_free(tx, id.and_then(ObjectId::new), &precheck.report)?;
        Ok(precheck.finish().err())
    });
    Ok(refused.await?.unwrap_or_default().into())
}

fn may_create(access: &Access, entry: &TypeEntry) -> bool {
    check_acl(entry, access, Operation::Create).is_ok()
}

fn check_free(tx: &mut ReadTx<'_>, id: Option<ObjectId>, report: &Report) -> Result<(), Error> {
    if let Some(id) = id
        && super::exists(tx, id)?
    {
        report.problem("/public_id", format!("{id} is in use"));
    }
    Ok(())
}
