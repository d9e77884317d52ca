//! Objects (`docs/guide/src/objects.md`). One file per use case.

pub mod aggregate;
pub mod clean;
pub mod delete;
pub mod export;
mod filtered_body;
pub mod http_sd;
pub mod import;
pub mod insert;
pub mod job;
pub mod labels;
pub mod list;
mod loader;
mod names;
pub mod past;
mod precheck;
pub mod read;
mod rename;
pub mod restore;
pub(crate) mod search;
mod secrets;
pub mod state;
mod type_change;
pub(crate) mod type_preview;
pub(crate) mod type_templates;
pub mod update;
pub(crate) mod views;

use std::collections::HashSet;
use std::sync::Arc;

use stockroom_access::{Operation, Scope};
use stockroom_model::body::Report;
use stockroom_model::object::{Reference, listed};
use stockroom_model::{ObjectId, Problem, TypeId};
use stockroom_store::{Catalog, ObjectRow, ReadTx, TypeEntry, Visibility, WriteTx};

use crate::Error;
use crate::auth::Access;

pub(crate) use labels::summaries;
pub(crate) use rename::{rename_fields, too_many_to_rename};
pub(crate) use type_change::{adapt_objects_to_type, counted};

pub use stockroom_store::ObjectRow as Row;

/// An object after a write: its native document with masked passwords.
#[derive(Debug, Clone)]
pub struct WrittenObject {
    /// The object.
    pub row: ObjectRow,
    /// Warnings about the object.
    pub warnings: Vec<Problem>,
}

/// Reads an object, or says why the caller does not get it.
fn visible(tx: &mut ReadTx<'_>, scope: &Scope, id: ObjectId) -> Result<ObjectRow, Error> {
    seen(tx.object(scope, id)?, id)
}

/// The object, if the caller may see it.
fn seen(object: Visibility<ObjectRow>, id: ObjectId) -> Result<ObjectRow, Error> {
    match object {
        Visibility::Visible(row) => Ok(row),
        Visibility::Hidden => Err(Error::Forbidden(format!(
            "the ACL of its type does not grant {} on object {id} to your group",
            Operation::Read
        ))),
        Visibility::Missing => Err(Error::not_found("object", id)),
    }
}

/// Whether an id is taken, also by an object that the caller may not see.
fn exists(tx: &mut ReadTx<'_>, id: ObjectId) -> Result<bool, Error> {
    Ok(!matches!(
        tx.object(&Scope::for_integrity_check(), id)?,
        Visibility::Missing
    ))
}

/// The type of an existing object. It exists, as types with objects cannot be deleted.
fn type_of(tx: &mut WriteTx<'_>, row: &ObjectRow) -> Result<Arc<TypeEntry>, Error> {
    tx.type_entry(row.type_id)?.ok_or_else(|| without_type(row))
}

/// The type of an object, in a catalog.
fn entry<'c>(catalog: &'c Catalog, row: &ObjectRow) -> Result<&'c Arc<TypeEntry>, Error> {
    let entry = catalog.type_entry(row.type_id);
    entry.ok_or_else(|| without_type(row))
}

fn without_type(row: &ObjectRow) -> Error {
    Error::internal(format!("object {} has no type", row.public_id))
}

/// Checks that the ACL of the type grants an operation, and that an API token is for the type.
fn check_acl(entry: &TypeEntry, access: &Access, operation: Operation) -> Result<(), Error> {
    access.check_covers(entry.record.public_id)?;
    if access.allows(entry, operation) {
        Ok(())
    } else {
        Err(Error::denied(operation, title_for(entry, access)))
    }
}

/// A type as messages name it: only by its id to a caller who may not see its objects.
fn title_for(entry: &TypeEntry, access: &Access) -> String {
    if access.allows(entry, Operation::Read) {
        entry.record.title()
    } else {
        entry.record.public_id.to_string()
    }
}

/// A type as messages name it: only by its id to those who may not see its objects.
pub(crate) fn type_title(catalog: &Catalog, scope: &Scope, id: i64) -> String {
    let visible = TypeId::new(id).filter(|id| scope.sees(*id));
    visible
        .and_then(|id| catalog.type_entry(id))
        .map_or_else(|| id.to_string(), |entry| entry.record.title())
}

/// Targets must exist, be readable by the caller and be of an allowed type. The answer does not
/// tell hidden targets from missing ones.
fn check_references(
    tx: &mut ReadTx<'_>,
    scope: &Scope,
    references: &[Reference],
    report: &Report,
) -> Result<(), Error> {
    if references.is_empty() {
        return Ok(());
    }
    let ids: HashSet<ObjectId> = references
        .iter()
        .map(|reference| reference.target)
        .collect();
    let ids: Vec<ObjectId> = ids.into_iter().collect();
    let types = tx.types_of_objects(scope, &ids)?;
    for reference in references {
        match types.get(&reference.target).map(|id| id.get()) {
            None => report.problem(
                &reference.pointer,
                format!(
                    "{} names an object, and there is no object {} that you may read",
                    reference.field, reference.target
                ),
            ),
            Some(type_id)
                if !reference.ref_types.is_empty() && !reference.ref_types.contains(&type_id) =>
            {
                let title = |id: &i64| type_title(tx.catalog(), scope, *id);
                let allowed: Vec<String> = reference.ref_types.iter().map(title).collect();
                report.problem(
                    &reference.pointer,
                    format!(
                        "{} takes objects of the type {}; object {} is of the type {}",
                        reference.field,
                        listed(allowed.iter().map(String::as_str)),
                        reference.target,
                        title(&type_id)
                    ),
                );
            }
            Some(type_id) => {
                if let Some(shown) = reference.shown_type.filter(|shown| *shown != type_id) {
                    let title = |id: i64| type_title(tx.catalog(), scope, id);
                    report.warning(
                        &reference.pointer,
                        format!(
                            "the section of {} shows objects of the type {}; object {} is of the type {} and is shown without values",
                            reference.field,
                            title(shown),
                            reference.target,
                            title(type_id)
                        ),
                    );
                }
            }
        }
    }
    Ok(())
}
