//! Imports that hold what fields contained before they became passwords.

use std::collections::BTreeSet;

use stockroom_model::Type;
use stockroom_model::r#type::FieldDefinition;
use stockroom_store::{Import, WriteTx};

use super::answer;
use super::file::File;
use crate::Error;

/// Deletes the imports of a type, and those without a plan that have a column of one of the
/// `fields`.
///
/// # Errors
///
/// One of them is running.
pub(crate) fn forget_values(
    tx: &mut WriteTx<'_>,
    definition: &Type,
    fields: &BTreeSet<&str>,
) -> Result<(), Error> {
    for import in tx.imports()? {
        if !may_hold(&import, definition, fields)? {
            continue;
        }
        let id = import.id;
        if import.step.state.is_running() {
            let detail = format!(
                "cannot become password while the import {id} is running; wait for its end, or cancel it"
            );
            return Err(Error::invalid("/fields", detail));
        }
        tx.delete_import(id)?;
    }
    Ok(())
}

fn may_hold(import: &Import, definition: &Type, fields: &BTreeSet<&str>) -> Result<bool, Error> {
    if let Some(plan) = answer::plan(import)? {
        return Ok(plan.type_id == definition.public_id);
    }
    let is_one = |field: &&FieldDefinition| fields.contains(field.name.as_str());
    let fields = definition.fields().iter().filter(is_one);
    let names: BTreeSet<&str> = fields
        .flat_map(|field| [field.name.as_str(), field.label.as_str()])
        .collect();
    let file = File::read(&import.file)?;
    Ok(file.names().iter().any(|name| names.contains(name)))
}
