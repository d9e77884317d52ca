//! `POST /objects/`

mod many;
pub(crate) mod old;

use std::sync::Arc;

use stockroom_access::Operation;
use stockroom_access::permission::ObjectAdd;
use stockroom_model::body::{Report, integer};
use stockroom_model::json::Value;
use stockroom_model::object::ObjectDraft;
use stockroom_model::object::secret::{self, SecretChange};
use stockroom_model::{ObjectId, Problem, RecordLimits, Revision, TypeId};
use stockroom_store::{
    Catalog, ObjectInsert, PreparedObject, ReadTx, Resource, TypeEntry, WriteTx,
};

use super::precheck::{Precheck, is_large};
use super::references::Targets;
use super::secrets::masked;
use super::{WrittenObject, check_acl, title_for};
use crate::core::access::Access;
use crate::{Error, Permit};

pub(crate) use self::many::Inserts;
pub(crate) use self::many::insert_all;
pub(crate) use self::old::{Old, insert_old};

/// Inserts an object.
pub async fn insert(permit: &Permit<ObjectAdd>, body: Value) -> Result<WrittenObject, Error> {
    let (catalog, service) = (permit.catalog(), permit.service());
    let body = if is_large(&body) {
        let limits = service.records().clone();
        let precheck = move || Insertion::new(&catalog, body, &limits, Indexing::AtOnce);
        permit.caller().run_blocking(precheck).await??
    } else {
        Insertion::new(&catalog, body, service.records(), Indexing::AtOnce)?
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
                row: masked(tx.insert_object(ready.insert)?)?,
                warnings: ready.warnings,
            })
        })
        .await
}

/// A body, prechecked and made ready before its write is queued.
#[derive(Clone)]
pub(crate) struct Insertion {
    /// The body as sent, to be read again if the type changes.
    body: Option<Arc<Value>>,
    indexing: Indexing,
    precheck: Precheck<Parts>,
    /// The type that the body names, at the revision of the precheck.
    by: Option<(TypeId, Revision)>,
}

/// When an object gets its index rows.
#[derive(Clone, Copy)]
pub(crate) enum Indexing {
    /// With its insert.
    AtOnce,
    /// When all objects are inserted, in batches.
    Later,
}

/// What becomes of a body.
#[derive(Clone)]
struct Parts {
    asked_id: Option<ObjectId>,
    type_id: TypeId,
    views: i64,
    secrets: Vec<(String, SecretChange)>,
    object: PreparedObject,
}

impl Insertion {
    pub(crate) fn new(
        catalog: &Catalog,
        body: Value,
        limits: &RecordLimits,
        indexing: Indexing,
    ) -> Result<Self, Error> {
        let type_id = body.get("type_id").and_then(integer).and_then(TypeId::new);
        let entry = type_id.and_then(|id| catalog.type_entry(id));
        Self::by_type(entry.map(Arc::as_ref), Arc::new(body), limits, indexing)
    }

    fn by_type(
        entry: Option<&TypeEntry>,
        body: Arc<Value>,
        limits: &RecordLimits,
        indexing: Indexing,
    ) -> Result<Self, Error> {
        let precheck = match entry {
            Some(entry) => Precheck::new(&entry.record, &body, None, limits),
            None => Precheck::without_type(&body, None, limits),
        };
        Ok(Self {
            precheck: precheck.try_map(|draft| Parts::new(draft, entry, indexing))?,
            body: Some(body),
            indexing,
            by: entry.map(|entry| (entry.record.public_id, entry.revision)),
        })
    }

    /// Forgets the body: whoever writes it makes sure that the type has not changed.
    pub(crate) fn without_body(self) -> Self {
        Self { body: None, ..self }
    }

    fn asked_id(&self) -> Option<ObjectId> {
        self.precheck.draft().ok()?.asked_id
    }

    /// The precheck, repeated if the type has changed since.
    fn checked_by(
        self,
        entry: &TypeEntry,
        limits: &RecordLimits,
    ) -> Result<Precheck<Parts>, Error> {
        if self.by == Some((entry.record.public_id, entry.revision)) {
            return Ok(self.precheck);
        }
        let body = self
            .body
            .ok_or_else(|| Error::internal("the type has changed"))?;
        Ok(Self::by_type(Some(entry), body, limits, self.indexing)?.precheck)
    }
}

impl Parts {
    /// Without a type, the body is not written.
    fn new(
        mut draft: ObjectDraft,
        entry: Option<&TypeEntry>,
        indexing: Indexing,
    ) -> Result<Self, Error> {
        let secrets = entry.map(|entry| secret::take(&entry.record, &mut draft.fields));
        let (asked_id, type_id, views) = (draft.public_id, draft.type_id, draft.views);
        let unsaved = draft.into_unsaved();
        Ok(Self {
            asked_id,
            type_id,
            views,
            secrets: secrets.unwrap_or_default(),
            object: match (entry, indexing) {
                (Some(entry), Indexing::AtOnce) => PreparedObject::new(&unsaved, entry)?,
                (Some(entry), Indexing::Later) => PreparedObject::unindexed(&unsaved, entry)?,
                (None, _) => PreparedObject::without_type(&unsaved)?,
            },
        })
    }
}

/// An object that may be inserted.
struct PreparedInsert {
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
) -> Result<PreparedInsert, Error> {
    let parts = body.precheck.draft()?;
    let (type_id, asked_id) = (parts.type_id, parts.asked_id);
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
    let precheck = body.checked_by(&entry, permit.service().records())?;
    targets.read(tx, &access.scope, &precheck.references)?;
    let (references, report) = (&precheck.references, &precheck.report);
    targets.check(tx.catalog(), &access.scope, references, report);
    check_free(tx, asked_id, &precheck.report)?;
    let (parts, warnings) = precheck.finish()?;
    let warnings = permit.warn(warnings)?;
    // Its id was looked for above.
    let (id, revision) =
        crate::core::id::allocate(tx, Resource::Object, asked_id, |_, _| Ok(false))?;
    let secrets = permit.service().seal(tx, id, &parts.secrets, None)?;
    Ok(PreparedInsert {
        type_id,
        insert: ObjectInsert {
            id,
            revision,
            views: Some(parts.views),
            secrets,
            object: parts.object,
        },
        warnings,
    })
}

/// Why a malformed body is refused: its own problems, then conflicts with stored records.
async fn refused(permit: &Permit<ObjectAdd>, body: Insertion) -> Result<Error, Error> {
    let reader = permit.clone();
    let limits = permit.service().records().clone();
    let refused = permit.read(move |tx| {
        let access = reader.access(tx)?;
        let entry = body.by.and_then(|(id, _)| tx.catalog().type_entry(id));
        let precheck = match entry.filter(|entry| may_create(&access, entry)) {
            Some(entry) => body.clone().checked_by(entry, &limits)?,
            None => body.precheck.clone().without_check_by_type(),
        };
        let (references, report) = (&precheck.references, &precheck.report);
        let targets = Targets::of_refused(tx, &access.scope, references)?;
        targets.check(tx.catalog(), &access.scope, references, report);
        let id = body.body.as_ref().and_then(|body| body.get("public_id"));
        let id = id.and_then(integer);
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
