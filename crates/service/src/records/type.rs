//! Types (`docs/guide/src/types.md`).

mod file;
mod many_fields;
mod old_names;
mod preview;
mod redefinition;
mod restore;
mod unique;
mod warnings;

use stockroom_access::permission::{TypeAdd, TypeDelete, TypeEdit, TypeView};
use stockroom_access::{Scope, acl};
use stockroom_filter::Paths;
use stockroom_model::body::Report;
use stockroom_model::json::Value;
use stockroom_model::r#type::TypeDraft;
use stockroom_model::{GroupId, Problem, Problems, RecordLimits, Revision, Type, TypeId, pattern};
use stockroom_store::{Catalog, ReadTx, Resource, Stored, WriteTx};

use crate::core::change::{Change, Document, Precondition, Subject, Written};
use crate::core::id::retired;
use crate::core::list::{Collection, ListRequest, Page, TieBreaker, page};
use crate::core::warnings::added;
use crate::records::history::restore::time;
use crate::{Caller, Error, Permit, category, object, source, view};

const COLLECTION: Collection = Collection {
    paths: Paths {
        timestamps: &["creation_time", "last_edit_time"],
        secrets: &[],
    },
    tie_breaker: TieBreaker::Member("public_id"),
};

pub(crate) use self::file::{WrittenType, insert_in, replace_in};
pub use self::preview::{TypePreview, preview};
use self::redefinition::Redefinition;
pub use self::restore::restore;

/// A page of the list. The ACL of a type protects its objects, not the type itself.
pub async fn list(permit: &Permit<TypeView>, request: &ListRequest) -> Result<Page, Error> {
    let documents = permit.decide(|catalog, _| {
        let shown = catalog
            .types()
            .filter(|entry| entry.record.active || !request.active_only);
        Ok(shown.map(|entry| answer(&entry.record)).collect())
    });
    page(permit.caller(), documents.await?, request, &COLLECTION).await
}

/// One type.
pub async fn read_type(permit: &Permit<TypeView>, id: TypeId) -> Result<Document, Error> {
    let found = permit.decide(|catalog, _| {
        let entry = catalog.type_entry(id);
        entry
            .map(|entry| document(&entry.record, entry.revision))
            .ok_or_else(|| Error::not_found("type", id))
    });
    found.await
}

/// Inserts a type.
pub async fn insert(permit: &Permit<TypeAdd>, body: &Value) -> Result<Written, Error> {
    let limits = permit.service().records();
    compile_patterns(permit.caller(), body).await?;
    let report = Report::default();
    let draft = draft(body, None, &permit.catalog(), limits, &report)?;
    let times = Times {
        made_at: time(permit, body, "creation_time"),
        edited_at: time(permit, body, "last_edit_time"),
    };
    let writer = permit.clone();
    permit
        .write(move |tx| {
            let (draft, report) = (draft.clone(), report.clone());
            let (revision, definition) = new(tx, draft, times.clone(), &report)?;
            warnings::check(tx, &definition, &[], &report)?;
            let warnings = writer.warn(report.into_warnings())?;
            let stored = tx.insert_type(revision, definition)?;
            Ok(Written {
                document: document(&stored.record, stored.revision),
                warnings,
            })
        })
        .await
}

/// The times of a type that existed before: a new one is made now.
#[derive(Clone, Default)]
struct Times {
    made_at: Option<String>,
    edited_at: Option<String>,
}

/// The definition of a new type, checked against the names and ids of the others.
fn new(
    tx: &mut WriteTx<'_>,
    draft: TypeDraft,
    times: Times,
    report: &Report,
) -> Result<(Revision, Type), Error> {
    check_name(tx, &draft, report)?;
    let restores = tx.context().restores;
    check_id(tx, &draft, restores, report)?;
    let draft = report.finish(Some(draft))?;
    let (id, revision) =
        crate::core::id::allocate(tx, Resource::Type, draft.public_id, |tx, id| {
            Ok(tx.r#type(id)?.is_some())
        })?;
    let made_at = times.made_at;
    let created = made_at.unwrap_or_else(|| tx.context().now.to_iso());
    let definition = Type {
        last_edit_time: times.edited_at,
        ..draft.into_new(id, created)
    };
    Ok((revision, definition))
}

/// Replaces or patches a type and updates its objects in the same transaction.
pub async fn update(
    permit: &Permit<TypeEdit>,
    id: TypeId,
    change: Change,
    precondition: Precondition,
) -> Result<Written, Error> {
    compile_patterns(permit.caller(), change.body()).await?;
    let writer = permit.clone();
    permit
        .write(move |tx| {
            let stored = stored(tx, id)?;
            precondition.check(tx, Subject::of(Resource::Type, id), stored.revision)?;
            let body = change.target(|| answer(&stored.record));
            let limits = writer.service().records();
            let report = Report::default();
            let draft = draft(&body, Some(&stored.record), tx.catalog(), limits, &report)?;
            let replaced = replace(&writer, tx, stored, draft, report)?;
            Ok(Written {
                document: document(&replaced.stored.record, replaced.stored.revision),
                warnings: [replaced.warnings, replaced.effects].concat(),
            })
        })
        .await
}

/// A type after its replacement.
struct Replaced {
    stored: Stored<Type>,
    /// The warnings about its definition.
    warnings: Vec<Problem>,
    /// The warnings about what that means for other records.
    effects: Vec<Problem>,
}

fn replace(
    permit: &Permit<TypeEdit>,
    tx: &mut WriteTx<'_>,
    stored: Stored<Type>,
    draft: TypeDraft,
    report: Report,
) -> Result<Replaced, Error> {
    let (service, limits) = (permit.service(), permit.service().records());
    let access = permit.access(tx)?;
    let redefinition = Redefinition::check(tx, &access, &stored.record, draft, limits, &report)?;
    let effects = Report::default();
    redefinition.check_old_names(tx, &access, &effects)?;
    let Redefinition {
        before,
        after,
        renames,
    } = &redefinition;
    if !access.covers_all() && object::makes_passwords(before, after) {
        let detail = "the token is only for some types, and a field that becomes a password takes copies of its values out of what others have stored";
        return Err(Error::Forbidden(detail.to_owned()));
    }
    let scope = &access.scope;
    many_fields::check(tx, scope, before, after)?;
    warnings::check_orphans(service, tx, scope, (before, after), &effects)?;
    let (warnings, mut effects) = (report.into_warnings(), effects.into_warnings());
    let known = warnings_of_stored(tx, &stored.record, limits)?;
    permit.warn([added(&warnings, &known), effects.clone()].concat())?;
    tx.require_exclusive()?;
    object::rename_fields(service, scope, tx, before.public_id, renames)?;
    object::adapt_objects_to_type(service, scope, tx, before, after)?;
    let shared = unique::adapt(tx, scope, &redefinition)?;
    effects.extend(permit.warn(shared)?);
    Ok(Replaced {
        stored: tx.update_type(stored, redefinition.after)?,
        warnings,
        effects,
    })
}

/// Removes a type without objects, its views, and its id from all categories.
pub async fn delete(
    permit: &Permit<TypeDelete>,
    id: TypeId,
    precondition: Precondition,
) -> Result<Written, Error> {
    let writer = permit.clone();
    permit
        .write(move |tx| {
            let stored = stored(tx, id)?;
            writer.access(tx)?.check_covers(id)?;
            precondition.check(tx, Subject::of(Resource::Type, id), stored.revision)?;
            // Hidden objects count, too.
            let everything = Scope::for_integrity_check();
            let left = tx.count_objects_of_type(&everything, id)?;
            if left > 0 {
                let objects = object::counted(&writer.access(tx)?.scope, id, left);
                return Err(Error::invalid(
                    "public_id",
                    format!(
                        "the type {} still has {objects}; delete them first",
                        stored.record.title()
                    ),
                ));
            }
            category::forget_type(tx, id)?;
            view::forget_type(tx, id)?;
            source::forget_type(tx, id)?;
            tx.delete_type(id, stored.revision)?;
            Ok(Written {
                document: document(&stored.record, stored.revision),
                warnings: Vec::new(),
            })
        })
        .await
}

/// Removes a deleted group from all access lists.
pub(crate) fn forget_group(tx: &mut WriteTx<'_>, group: GroupId) -> Result<(), Error> {
    for entry in tx.catalog().types() {
        let Some(acl) = acl::without_group(&entry.record.acl, group) else {
            continue;
        };
        let stored = Stored {
            record: entry.record.clone(),
            revision: entry.revision,
        };
        let forgetting = Type {
            acl,
            ..entry.record.clone()
        };
        tx.update_type(stored, forgetting)?;
    }
    Ok(())
}

/// A type as a read answers it.
pub(crate) fn answer(definition: &Type) -> Value {
    serde_json::to_value(definition).unwrap_or_default()
}

fn document(definition: &Type, revision: Revision) -> Document {
    Document {
        value: answer(definition),
        revision,
    }
}

pub(crate) fn stored(tx: &mut ReadTx<'_>, id: TypeId) -> Result<Stored<Type>, Error> {
    tx.r#type(id)?.ok_or_else(|| Error::not_found("type", id))
}

/// Compiles the regular expressions of a body in advance, so that neither this thread nor the
/// writer waits for it. The reader of the body reports errors in them.
async fn compile_patterns(caller: &Caller, body: &Value) -> Result<(), Error> {
    let limits = caller.service.records();
    let (each, all) = (limits.pattern_bytes, limits.type_pattern_bytes);
    let fields = body.get("fields").and_then(Value::as_array);
    let sources: Vec<String> = fields
        .into_iter()
        .flatten()
        .take(limits.type_fields)
        .filter_map(|field| Some(field.get("regex")?.as_str()?.to_owned()))
        .collect();
    if sources.is_empty() {
        return Ok(());
    }
    let compile = move || {
        let mut sum = 0_usize;
        for source in sources {
            sum = sum.saturating_add(pattern::check(&source, each).unwrap_or_default());
            if sum > all {
                return;
            }
        }
    };
    caller.run_blocking(compile).await
}

/// Reads a body. A malformed one never reaches the writer, so a taken name is reported here.
fn draft(
    body: &Value,
    stored: Option<&Type>,
    catalog: &Catalog,
    limits: &RecordLimits,
    report: &Report,
) -> Result<TypeDraft, Problems> {
    let draft = TypeDraft::read(body, stored, limits, report);
    if report.has_problems() {
        check_name_in(catalog, body, stored, report);
    }
    report.finish(draft)
}

fn check_name_in(catalog: &Catalog, body: &Value, stored: Option<&Type>, report: &Report) {
    let name = body.get("name").and_then(Value::as_str);
    let mut others = catalog.types().map(|entry| &entry.record);
    let other = others.find(|other| {
        Some(other.name.as_str()) == name
            && stored.is_none_or(|stored| stored.public_id != other.public_id)
    });
    if let Some(other) = other {
        report.problem("/name", taken(&other.name, other.public_id.get()));
    }
}

/// The warnings about a type as it is stored.
fn warnings_of_stored(
    tx: &mut WriteTx<'_>,
    stored: &Type,
    limits: &RecordLimits,
) -> Result<Vec<Problem>, Error> {
    let mut report = Report::default();
    let _ = TypeDraft::read(&answer(stored), Some(stored), limits, &report);
    if report.has_problems() {
        report = Report::default();
    }
    warnings::check(tx, stored, &[], &report)?;
    Ok(report.into_warnings())
}

fn check_name(tx: &mut ReadTx<'_>, draft: &TypeDraft, report: &Report) -> Result<(), Error> {
    if let Some(other) = tx.type_id_by_name(&draft.name)? {
        report.problem("/name", taken(&draft.name, other));
    }
    Ok(())
}

fn check_id(
    tx: &mut ReadTx<'_>,
    draft: &TypeDraft,
    restores: bool,
    report: &Report,
) -> Result<(), Error> {
    let Some(id) = draft.public_id else {
        return Ok(());
    };
    if tx.r#type(id)?.is_some() {
        report.problem("/public_id", format!("{id} is in use"));
    } else if let Some(detail) = retired(tx, Resource::Type, id.get(), restores)? {
        report.problem("/public_id", detail);
    }
    Ok(())
}

fn taken(name: &str, other: i64) -> String {
    format!("{name:?} is the name of type {other}; names of types are unique")
}
