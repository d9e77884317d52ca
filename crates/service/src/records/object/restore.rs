//! `POST /objects/{public_id}/restore`

use std::collections::BTreeSet;
use std::sync::Arc;

use stockroom_access::permission::{ObjectAdd, ObjectEdit, ObjectRestore};
use stockroom_access::{Operation, Scope};
use stockroom_model::body::Report;
use stockroom_model::json::Value;
use stockroom_model::{Object, ObjectId, Problem, Revision};
use stockroom_store::{
    NewObject, ObjectInsert, ObjectRow, PastObject, PreparedObject, ReadTx, RecordKey, Resource,
    TypeEntry, Visibility, WriteTx,
};

use super::secrets::{self, masked};
use super::waiting_writes::WaitingWrites;
use super::{WrittenObject, check_acl, entry, title_for};
use crate::core::access::Access;
use crate::core::change::Subject;
use crate::records::history::restore::{check_conflicts, check_same_life, newest, whole_only};
use crate::records::history::{HistoryScope, RestoreRequest, check_revision, deleted, unknown};
use crate::{Error, Permit, Precondition};

/// Restores an earlier state of an object, whole or in some fields. A deleted object gets its id
/// back. The state is not checked by the type of now: it was legal once.
pub async fn restore(
    permit: &Permit<ObjectRestore>,
    id: ObjectId,
    request: RestoreRequest,
    precondition: Precondition,
) -> Result<WrittenObject, Error> {
    let permit = permit.restoring::<ObjectRestore>().await?;
    let mut restoration = ObjectRestoration {
        permit: permit.clone(),
        record: RecordKey::new(Resource::Object, id.get()),
        id,
        request,
        precondition,
        safe_until: None,
    };
    if restoration.request.fields.is_some() && !restoration.request.force {
        let early = restoration.clone();
        restoration.safe_until = permit.read(move |tx| early.look_for_conflicts(tx)).await?;
    }
    permit.write(move |tx| restoration.apply(tx)).await
}

/// Gives an object, which was read in the transaction, an earlier state of its own. Returns its new
/// revision.
pub(crate) fn turn_back_to(
    tx: &mut WriteTx<'_>,
    access: &Access,
    row: &ObjectRow,
    revision: Revision,
    writes: &mut WaitingWrites,
) -> Result<Revision, Error> {
    let entry = super::type_of(tx, row)?;
    check_acl(&entry, access, Operation::Update)?;
    let record = RecordKey::new(Resource::Object, row.public_id.get());
    let past = match tx.earlier_object(&access.scope, row, revision)? {
        PastObject::Visible(past) => past.object()?,
        PastObject::Hidden => {
            return super::seen(Visibility::Hidden, row.public_id).map(|row| row.revision);
        }
        PastObject::Missing => return Err(deleted(&record, revision)),
        PastObject::Unknown => return Err(unknown(&record, revision)),
    };
    let object = with_edit_of(&row.object()?, past);
    let secrets = secrets::of_fields(row, &object)?;
    let added = writes.add(tx, row, NewObject { object, secrets });
    added.map_err(|error| error.shown_in(&access.scope))
}

/// Whether an object holds what it held at a revision, writes apart. Nobody knows that of its
/// passwords.
pub(crate) fn is_as_at(
    tx: &mut ReadTx<'_>,
    access: &Access,
    row: &ObjectRow,
    revision: Revision,
) -> Result<bool, Error> {
    if row.secrets.is_some() {
        return Ok(false);
    }
    match tx.earlier_object(&access.scope, row, revision)? {
        PastObject::Visible(past) => {
            let present = row.object()?;
            Ok(with_edit_of(&present, past.object()?) == present)
        }
        PastObject::Hidden | PastObject::Missing | PastObject::Unknown => Ok(false),
    }
}

/// Inserts an object that was deleted, under its id, as it was at a revision.
pub(crate) fn insert_again(
    tx: &mut WriteTx<'_>,
    access: &Access,
    id: ObjectId,
    revision: Revision,
) -> Result<(), Error> {
    access.check::<ObjectAdd>()?;
    let record = RecordKey::new(Resource::Object, id.get());
    let past = match tx.object_at_revision(&access.scope, id, revision)? {
        PastObject::Visible(past) => past,
        PastObject::Hidden => return super::seen(Visibility::Hidden, id).map(drop),
        PastObject::Missing => return Err(deleted(&record, revision)),
        PastObject::Unknown => return Err(unknown(&record, revision)),
    };
    let entry = super::type_of(tx, &past)?;
    check_acl(&entry, access, Operation::Create)?;
    let insert = past_insert(tx, &entry, id, &past)?;
    let claimed = tx.claim_unique_values(&insert);
    claimed.map_err(|error| Error::from(error).shown_in(&access.scope))?;
    tx.insert_object(insert)?;
    Ok(())
}

/// The insert of an object as it was.
fn past_insert(
    tx: &mut WriteTx<'_>,
    entry: &TypeEntry,
    id: ObjectId,
    past: &ObjectRow,
) -> Result<ObjectInsert, Error> {
    Ok(ObjectInsert {
        id,
        revision: tx.claim_id(Resource::Object, id.get())?,
        views: Some(0),
        secrets: None,
        object: PreparedObject::new(&past.object()?.into(), entry)?,
    })
}

/// A restoration, as a value: prepared once, applied in a transaction.
#[derive(Clone)]
struct ObjectRestoration {
    permit: Permit<ObjectRestore>,
    record: RecordKey,
    id: ObjectId,
    request: RestoreRequest,
    precondition: Precondition,
    /// Up to this revision, no later change would be overwritten: that was looked for before the
    /// write was queued, because it takes long for many revisions.
    safe_until: Option<Revision>,
}

/// What is known before an existing object gets an earlier state.
struct Turning {
    past: ObjectRow,
    /// The revision of `past`.
    revision: Revision,
    newest: Revision,
}

impl ObjectRestoration {
    fn apply(&self, tx: &mut WriteTx<'_>) -> Result<WrittenObject, Error> {
        let access = self.permit.access(tx)?;
        match tx.object(&access.scope, self.id)? {
            Visibility::Visible(row) => {
                access.check::<ObjectEdit>()?;
                self.turn_back(tx, &access, &row)
            }
            Visibility::Missing => {
                access.check::<ObjectAdd>()?;
                self.bring_back(tx, &access)
            }
            hidden @ Visibility::Hidden => super::seen(hidden, self.id)
                .and_then(|_| Err(Error::internal("a hidden object was seen"))),
        }
    }

    /// Returns the newest revision if the object exists and nothing would be overwritten.
    fn look_for_conflicts(&self, tx: &mut ReadTx<'_>) -> Result<Option<Revision>, Error> {
        let access = self.permit.access(tx)?;
        let Visibility::Visible(row) = tx.object(&access.scope, self.id)? else {
            return Ok(None);
        };
        access.check::<ObjectEdit>()?;
        let entry = Arc::clone(entry(tx.catalog(), &row)?);
        let turning = self.turning(tx, &access, (&row, &entry))?;
        self.check_conflicts(tx, &access, turning.revision)?;
        Ok(Some(turning.newest))
    }

    fn check_conflicts(
        &self,
        tx: &mut ReadTx<'_>,
        access: &Access,
        revision: Revision,
    ) -> Result<(), Error> {
        let scope = HistoryScope::new(access.clone());
        check_conflicts(tx, &scope, &self.record, revision, &self.request)
    }

    fn turning(
        &self,
        tx: &mut ReadTx<'_>,
        access: &Access,
        (row, entry): (&ObjectRow, &TypeEntry),
    ) -> Result<Turning, Error> {
        check_acl(entry, access, Operation::Update)?;
        let subject = Subject::of(Resource::Object, self.id);
        self.precondition.check(tx, subject, row.revision)?;
        let newest = newest(tx, &self.record)?;
        let revision = self.request.revision_of(&newest)?;
        let past = self.past(tx, access, revision)?;
        check_same_life(tx, &self.record, revision)?;
        Ok(Turning {
            past,
            revision,
            newest: newest.revision,
        })
    }

    /// Gives an existing object an earlier state.
    fn turn_back(
        &self,
        tx: &mut WriteTx<'_>,
        access: &Access,
        row: &ObjectRow,
    ) -> Result<WrittenObject, Error> {
        let entry = super::type_of(tx, row)?;
        let Turning {
            past,
            revision,
            newest,
        } = self.turning(tx, access, (row, &entry))?;
        if self.safe_until != Some(newest) {
            self.check_conflicts(tx, access, revision)?;
        }
        let (present, past) = (row.object()?, past.object()?);
        let object = match &self.request.fields {
            None => with_edit_of(&present, past),
            Some(names) => with_fields(present, &past, names, &entry)?,
        };
        let secrets = secrets::of_fields(row, &object)?;
        let warnings = warnings(tx, &access.scope, &entry, &object)?;
        let written = tx.edit_object(row, NewObject { object, secrets })?;
        Ok(WrittenObject {
            row: masked(written)?,
            warnings: self.permit.warn(warnings)?,
        })
    }

    /// Inserts a deleted object as it was.
    fn bring_back(&self, tx: &mut WriteTx<'_>, access: &Access) -> Result<WrittenObject, Error> {
        let newest = tx.newest_change_of(&self.record)?;
        let newest = newest.ok_or_else(|| Error::not_found("object", self.id))?;
        let revision = self.request.revision_of(&newest)?;
        let past = self.past(tx, access, revision)?;
        check_same_life(tx, &self.record, revision)?;
        if self.request.fields.is_some() {
            return Err(whole_only());
        }
        let entry = tx.type_entry(past.type_id)?.ok_or_else(|| {
            Error::invalid(
                "",
                format!(
                    "its type {} no longer exists; restore that first",
                    past.type_id
                ),
            )
        })?;
        check_acl(&entry, access, Operation::Create)?;
        if !entry.record.active {
            let title = title_for(&entry, access);
            return Err(Error::Forbidden(format!("the type {title} is not active")));
        }
        let object = past.object()?;
        let mut warnings = warnings(tx, &access.scope, &entry, &object)?;
        if entry
            .record
            .fields()
            .iter()
            .any(|field| field.kind.is_secret())
        {
            warnings.push(Problem::new(
                "",
                "its passwords are not restored: history has none",
            ));
        }
        let insert = past_insert(tx, &entry, self.id, &past)?;
        Ok(WrittenObject {
            row: tx.insert_object(insert)?,
            warnings: self.permit.warn(warnings)?,
        })
    }

    /// The state to restore, if the caller may see it.
    fn past(
        &self,
        tx: &mut ReadTx<'_>,
        access: &Access,
        revision: Revision,
    ) -> Result<ObjectRow, Error> {
        check_revision(tx, &self.record, revision)?;
        let history = HistoryScope::new(access.clone());
        match tx.object_at_revision(&access.scope, self.id, revision)? {
            PastObject::Visible(row) if history.sees_type(tx.catalog(), Some(row.type_id)) => {
                Ok(row)
            }
            PastObject::Visible(_) | PastObject::Hidden => super::seen(Visibility::Hidden, self.id),
            PastObject::Missing => Err(deleted(&self.record, revision)),
            PastObject::Unknown => Err(unknown(&self.record, revision)),
        }
    }
}

/// The past object with the last edit of the present one, which is not a difference between them.
fn with_edit_of(present: &Object, mut past: Object) -> Object {
    for member in ["last_edit_time", "editor_id"] {
        let value = present.members().get(member);
        past.set(member, value.cloned().unwrap_or_default());
    }
    past
}

/// The present object with some fields as they were.
fn with_fields(
    mut present: Object,
    past: &Object,
    names: &BTreeSet<String>,
    entry: &TypeEntry,
) -> Result<Object, Error> {
    let report = Report::default();
    let mut items = present.items().to_vec();
    for name in names {
        if entry
            .record
            .field(name)
            .is_some_and(|field| field.kind.is_secret())
        {
            report.problem(
                "/fields",
                format!("{name:?} is a password, and history has none"),
            );
            continue;
        }
        let index = items.iter().position(|item| is_of(item, name));
        let then = past.items().iter().find(|item| is_of(item, name)).cloned();
        match (index, then) {
            (Some(index), Some(then)) => items[index] = then,
            (Some(index), None) => _ = items.remove(index),
            (None, Some(then)) => items.push(then),
            (None, None) => report.problem("/fields", format!("there is no field {name:?}")),
        }
    }
    present.set_items(items);
    Ok(report.finish(Some(present))?)
}

fn is_of(item: &Value, name: &str) -> bool {
    item.get("name").and_then(Value::as_str) == Some(name)
}

/// References to objects that no longer exist, or that the caller may not see.
fn warnings(
    tx: &mut WriteTx<'_>,
    scope: &Scope,
    entry: &TypeEntry,
    object: &Object,
) -> Result<Vec<Problem>, Error> {
    let targets: Vec<(&str, ObjectId)> = object
        .fields()
        .filter_map(|(name, value)| Some((name, entry.record.target(name, value)?)))
        .collect();
    let ids: Vec<ObjectId> = targets.iter().map(|(_, id)| *id).collect();
    let found = tx.types_of_targets(scope, &ids)?;
    let missing = targets.iter().filter(|(_, id)| !found.contains_key(id));
    let warning = |(name, id): &(&str, ObjectId)| {
        Problem::new(
            format!("fields.{name}"),
            format!("names object {id}, which you cannot read"),
        )
    };
    Ok(missing.map(warning).collect())
}
