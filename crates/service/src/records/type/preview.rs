//! `POST /types/{public_id}/preview`: what a PUT would do to the objects of a type.

mod answer;

use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_access::permission::{ObjectView, TypeEdit};
use stockroom_model::body::Report;
use stockroom_model::json::Value;
use stockroom_model::{Problem, Timestamp, Type, TypeId};
use stockroom_store::{ObjectsOfType, ReadTx, Stored, WriteTx};

use super::redefinition::Redefinition;
use super::{compile_patterns, draft, stored, unique};
use crate::records::object::too_many_to_rename;
use crate::records::object::type_preview::{Examination, Examined, Findings};
use crate::{Error, Permit};

pub use self::answer::TypePreview;

const MICROS: i64 = 1_000_000;

/// What a PUT with this body would do. Objects are read in chunks, so that no snapshot is held for
/// long; if the type changes meanwhile, the preview begins again.
///
/// # Errors
///
/// As a PUT, for all that does not depend on the objects. [`Error::Unavailable`] if the type changes
/// all the time.
pub async fn preview(
    permit: &Permit<TypeEdit>,
    id: TypeId,
    body: Value,
) -> Result<TypePreview, Error> {
    compile_patterns(permit.caller(), &body).await?;
    let seconds = i64::from(permit.service().config.preview_seconds);
    let deadline = Timestamp(permit.now().0.saturating_add(seconds * MICROS));
    let body = Arc::new(body);
    loop {
        let plan = Arc::new(plan(permit, id, &body).await?);
        if let Some(mut found) = examine(permit, &plan, deadline).await? {
            if plan.begins_rules {
                found.unenforceable = unique::preview(permit, &plan.redefinition).await?;
            }
            return answer::answer(permit, &plan, found).await;
        }
        if permit.now() >= deadline {
            return Err(Error::Unavailable);
        }
    }
}

/// A PUT that passed the checks against the body and other records.
struct Plan {
    stored: Stored<Type>,
    redefinition: Redefinition,
    warnings: Vec<Problem>,
    /// The number of objects.
    objects: i64,
    /// Why there are too many of them to rename a field.
    too_many: Option<String>,
    /// Whether values begin to be unique.
    begins_rules: bool,
}

impl Plan {
    const fn id(&self) -> TypeId {
        self.stored.record.public_id
    }
}

/// Checks the body in a write that writes nothing, because the checks are those of writes.
async fn plan(permit: &Permit<TypeEdit>, id: TypeId, body: &Arc<Value>) -> Result<Plan, Error> {
    let (writer, body) = (permit.clone(), Arc::clone(body));
    let check = move |tx: &mut WriteTx<'_>| {
        let (service, limits) = (writer.service(), writer.service().records());
        let stored = stored(tx, id)?;
        let report = Report::default();
        let draft = draft(&body, Some(&stored.record), tx.catalog(), limits, &report)?;
        let access = writer.access(tx)?;
        let redefinition =
            Redefinition::check(tx, &access, &stored.record, draft, limits, &report)?;
        redefinition.check_old_names(tx, &access, &report)?;
        let objects = tx.count_objects_of_type(&Scope::for_maintenance(), id)?;
        let too_many = redefinition
            .renames
            .first()
            .and_then(|_| too_many_to_rename(service, &access.scope, id, objects));
        let enforced = tx.unique_rules(id)?;
        let rules = redefinition.after.unique_rules();
        Ok(Plan {
            begins_rules: rules.iter().any(|rule| !enforced.contains(rule)),
            stored,
            redefinition,
            warnings: report.into_warnings(),
            objects,
            too_many,
        })
    };
    permit.write(check).await
}

/// The findings, and whether all objects were examined.
struct PreviewResult {
    findings: Findings,
    is_complete: bool,
    /// Rules that cannot begin, because objects share values.
    unenforceable: Vec<unique::UnenforceableRule>,
}

/// Examines the objects until the deadline; `None` if the type was changed meanwhile.
async fn examine(
    permit: &Permit<TypeEdit>,
    plan: &Arc<Plan>,
    deadline: Timestamp,
) -> Result<Option<PreviewResult>, Error> {
    let mut findings = Findings::new(true);
    let mut objects = ObjectsOfType::new(plan.id());
    loop {
        let (reader, plan) = (permit.clone(), Arc::clone(plan));
        let chunk =
            permit.read_newest(move |tx| examine_some(&reader, tx, &plan, objects, deadline));
        let Some(examined) = chunk.await? else {
            return Ok(None);
        };
        findings.add(examined.findings);
        match examined.rest {
            Some(rest) if permit.now() < deadline => objects = rest,
            rest => {
                return Ok(Some(PreviewResult {
                    findings,
                    is_complete: rest.is_none(),
                    unenforceable: Vec::new(),
                }));
            }
        }
    }
}

fn examine_some(
    permit: &Permit<TypeEdit>,
    tx: &mut ReadTx<'_>,
    plan: &Plan,
    objects: ObjectsOfType,
    deadline: Timestamp,
) -> Result<Option<Examined>, Error> {
    let access = permit.access(tx)?;
    let id = plan.id();
    if stored(tx, id)?.revision != plan.stored.revision {
        return Ok(None);
    }
    let examination = Examination {
        before: &plan.redefinition.before,
        after: &plan.redefinition.after,
        renames: &plan.redefinition.renames,
        names_objects: access.scope.sees(id) && access.holds::<ObjectView>(),
    };
    let is_late = || permit.now() >= deadline;
    examination
        .run(tx, &access.scope, objects, is_late)
        .map(Some)
}
