//! Objects (`docs/guide/src/objects.md`). One file per use case.

pub mod aggregate;
pub mod clean;
pub mod delete;
pub(crate) mod filtered_body;
mod former_keys;
pub(crate) mod former_names;
mod former_values;
pub mod insert;
pub mod labels;
pub mod list;
mod loader;
pub(crate) mod names;
pub mod past;
mod past_definitions;
mod precheck;
pub mod read;
mod references;
mod rename;
pub mod restore;
pub(crate) mod search;
pub(crate) mod secrets;
pub mod state;
mod templates_of_views;
mod type_change;
pub(crate) mod type_preview;
pub mod update;
pub(crate) mod waiting_writes;

use std::sync::Arc;

use stockroom_access::{Operation, Scope};
use stockroom_model::{ObjectId, Problem, TypeId};
use stockroom_store::{Catalog, ObjectRow, ReadTx, TypeEntry, Visibility, WriteTx};

use crate::Error;
use crate::core::access::Access;

pub(crate) use labels::summaries;
pub(crate) use rename::{rename_fields, too_many_to_rename};
pub(crate) use type_change::{adapt_objects_to_type, counted, makes_passwords};

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
pub(crate) fn visible(
    tx: &mut ReadTx<'_>,
    scope: &Scope,
    id: ObjectId,
) -> Result<ObjectRow, Error> {
    seen(tx.object(scope, id)?, id)
}

/// The object, if the caller may see it.
pub(crate) fn seen(object: Visibility<ObjectRow>, id: ObjectId) -> Result<ObjectRow, Error> {
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
pub(crate) fn exists(tx: &mut ReadTx<'_>, id: ObjectId) -> Result<bool, Error> {
    Ok(!matches!(
        tx.object(&Scope::for_integrity_check(), id)?,
        Visibility::Missing
    ))
}

/// The type of an existing object. It exists, as types with objects cannot be deleted.
pub(crate) fn type_of(tx: &mut WriteTx<'_>, row: &ObjectRow) -> Result<Arc<TypeEntry>, Error> {
    tx.type_entry(row.type_id)?.ok_or_else(|| without_type(row))
}

/// The type of an object, in a catalog.
pub(crate) fn entry<'c>(
    catalog: &'c Catalog,
    row: &ObjectRow,
) -> Result<&'c Arc<TypeEntry>, Error> {
    let entry = catalog.type_entry(row.type_id);
    entry.ok_or_else(|| without_type(row))
}

pub(crate) fn without_type(row: &ObjectRow) -> Error {
    Error::internal(format!("object {} has no type", row.public_id))
}

/// Checks that the ACL of the type grants an operation, and that an API token is for the type.
pub(crate) fn check_acl(
    entry: &TypeEntry,
    access: &Access,
    operation: Operation,
) -> Result<(), Error> {
    access.check_covers(entry.record.public_id)?;
    if access.allows(entry, operation) {
        Ok(())
    } else {
        Err(Error::denied(operation, title_for(entry, access)))
    }
}

/// A type as messages name it: only by its id to a caller who may not see its objects.
pub(crate) fn title_for(entry: &TypeEntry, access: &Access) -> String {
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
