//! Objects that move in from another system (`docs/guide/src/moving-in.md`).

use std::collections::HashSet;

use stockroom_access::permission::ObjectAdd;
use stockroom_model::body::Report;
use stockroom_model::json::Value;
use stockroom_model::object::{ObjectDraft, secret};
use stockroom_model::{ObjectId, Problems, RecordLimits};
use stockroom_store::{ObjectInsert, PreparedObject, Resource, WriteTx};

use super::check_free;
use crate::{Error, Permit};

/// An object that was not inserted.
#[derive(Debug)]
pub struct RefusedObject {
    /// Its index in the list.
    pub index: usize,
    /// Why.
    pub problems: Problems,
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

/// Inserts objects of another system in one transaction, without the rules of their types. The
/// objects are not indexed yet. Returns those that are not inserted.
pub(crate) async fn insert_old(
    permit: &Permit<ObjectAdd>,
    objects: Vec<Old>,
) -> Result<Vec<RefusedObject>, Error> {
    let writer = permit.clone();
    permit
        .write(move |tx| {
            let (mut ready, mut refused) = (Vec::new(), Vec::new());
            let mut ids = HashSet::new();
            for (index, object) in objects.iter().enumerate() {
                match prepare(&writer, tx, object, &mut ids)? {
                    Ok(insert) => ready.push(insert),
                    Err(problems) => refused.push(RefusedObject { index, problems }),
                }
            }
            tx.insert_objects(ready)?;
            Ok(refused)
        })
        .await
}

/// Checks what storing the object needs: a type, and a free id. `ids` are those of the objects
/// before it.
fn prepare(
    permit: &Permit<ObjectAdd>,
    tx: &mut WriteTx<'_>,
    old: &Old,
    ids: &mut HashSet<ObjectId>,
) -> Result<Result<ObjectInsert, Problems>, Error> {
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
    if let Some(id) = draft.public_id.filter(|id| ids.contains(id)) {
        report.problem("/public_id", format!("{id} is in use"));
    }
    if let Err(problems) = report.finish(Some(())) {
        return Ok(Err(problems));
    }
    let (id, revision) =
        crate::core::id::allocate(tx, Resource::Object, draft.public_id, |_, _| Ok(false))?;
    ids.insert(id);
    let changes = secret::take(&entry.record, &mut draft.fields);
    let secrets = permit.service().seal(tx, id, &changes, None)?;
    let insert = ObjectInsert {
        id,
        revision,
        views: Some(draft.views),
        secrets,
        object: PreparedObject::unindexed(&draft.into_unsaved(), &entry)?,
    };
    match tx.claim_unique_values(&insert).map_err(Error::from) {
        Ok(()) => Ok(Ok(insert)),
        Err(Error::NotUnique(refused)) => Ok(Err(Problems::one("", refused.to_string()))),
        Err(other) => Err(other),
    }
}
