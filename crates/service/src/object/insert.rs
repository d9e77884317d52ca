//! `POST /objects/`

mod many;
mod old;

use stockroom_access::Operation;
use stockroom_access::permission::ObjectAdd;
use stockroom_model::body::{Report, integer};
use stockroom_model::json::Value;
use stockroom_model::object::secret;
use stockroom_model::{ObjectId, Problem, RecordLimits, Revision, TypeId};
use stockroom_store::{Catalog, NewObject, ObjectInsert, ReadTx, Resource, TypeEntry, WriteTx};

use super::precheck::{Precheck, is_large};
use super::references::Targets;
use super::secrets::masked;
use super::{WrittenObject, check_acl, title_for};
use crate::auth::Access;
use crate::{Error, Permit};

pub(super) use self::many::Inserts;
pub(crate) use self::many::insert_all;
pub(crate) use self::old::{Old, insert_old};

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
            let access = writer.access(tx)?;
            let ready = prepare(&writer, tx, &access, body.clone(), &mut Targets::default())?;
            Ok(WrittenObject {
                row: masked(tx.insert_object(&ready.insert)?)?,
                warnings: ready.warnings,
            })
        })
        .await
}

/// A body, prechecked before its write is queued.
#[derive(Clone)]
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

    fn asked_id(&self) -> Option<ObjectId> {
        self.precheck.draft().ok()?.public_id
    }

    /// The precheck, repeated if the type has changed since.
    fn checked_by(self, entry: &TypeEntry) -> Precheck {
        let mut precheck = self.precheck;
        if self.by != Some((entry.record.public_id, entry.revision)) {
            precheck.check_by(&entry.record, &self.body, None);
        }
        precheck
    }
}

/// An object that may be inserted.
struct Ready {
    id: ObjectId,
    type_id: TypeId,
    insert: ObjectInsert,
    warnings: Vec<Problem>,
}

/// Checks a body against its type and the other objects, and chooses its id.
fn prepare(
    permit: &Permit<ObjectAdd>,
    tx: &mut WriteTx<'_>,
    access: &Access,
    body: Insertion,
    targets: &mut Targets,
) -> Result<Ready, Error> {
    let draft = body.precheck.draft()?;
    let (type_id, asked_id) = (draft.type_id, draft.public_id);
    let entry = tx
        .type_entry(type_id)?
        .ok_or_else(|| Error::not_found("type", type_id))?;
    if !entry.record.active {
        return Err(Error::Forbidden(format!(
            "the type {} is not active and takes no new objects",
            title_for(&entry, access)
        )));
    }
    check_acl(&entry, access, Operation::Create)?;
    let precheck = body.checked_by(&entry);
    targets.read(tx, &access.scope, &precheck.references)?;
    let (references, report) = (&precheck.references, &precheck.report);
    targets.check(tx.catalog(), &access.scope, references, report);
    check_free(tx, asked_id, &precheck.report)?;
    let (mut draft, warnings) = precheck.finish()?;
    let warnings = permit.warn(warnings)?;
    // Its id was looked for above.
    let (id, revision) = crate::id::allocate(tx, Resource::Object, asked_id, |_, _| Ok(false))?;
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
        id,
        type_id,
        insert: ObjectInsert {
            revision,
            views,
            new,
        },
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
            Some(entry) => body.clone().checked_by(entry),
            None => body.precheck.without_check_by_type(),
        };
        let (references, report) = (&precheck.references, &precheck.report);
        let mut targets = Targets::default();
        targets.read(tx, &access.scope, references)?;
        targets.check(tx.catalog(), &access.scope, references, report);
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
