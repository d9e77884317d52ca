//! Imports that hold what fields contained before they became passwords.

use std::collections::BTreeSet;

use stockroom_model::TypeId;
use stockroom_model::source::ColumnTarget;
use stockroom_store::{Import, WriteTx};

use super::answer;
use super::file::File;
use super::plan::Plan;
use super::plan::suggestion::plain;
use crate::Error;
use crate::records::object::former_names::FormerNames;

/// Deletes the imports that are or were for a type, those whose rows name its objects, and those
/// without a plan that have a column of one of the fields. Returns whether there were any.
///
/// # Errors
///
/// One of them is running.
pub(crate) fn forget_values(
    tx: &mut WriteTx<'_>,
    type_id: TypeId,
    former: &FormerNames,
) -> Result<bool, Error> {
    let of_sources = columns_of_sources(tx, former)?;
    let columns = former.names_and_labels();
    let columns = columns.map(|texts| {
        let texts = texts.chain(of_sources.iter().map(String::as_str));
        texts.map(plain).collect::<BTreeSet<_>>()
    });
    let mut had_any = false;
    for import in tx.imports()? {
        let holds = match answer::plan(&import)? {
            Some(plan) => {
                plan.type_id == type_id
                    || plan.earlier_types.contains(&type_id.get())
                    || names_objects(&plan, type_id)
            }
            None => has_column(&import, columns.as_ref())?,
        };
        if !holds {
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
        had_any = true;
    }
    Ok(had_any)
}

/// The columns that sources send to a field of this name, or by which they find objects of whichever
/// type: a file may wait for its source.
fn columns_of_sources(
    tx: &mut WriteTx<'_>,
    former: &FormerNames,
) -> Result<BTreeSet<String>, Error> {
    let mut columns = BTreeSet::new();
    for source in tx.sources()? {
        for (column, target) in &source.source.record.columns {
            let Some(target) = ColumnTarget::read(column, target) else {
                continue;
            };
            let mut own = [target.field].into_iter().chain(target.otherwise);
            if own.any(|field| former.has(field)) {
                columns.insert(column.clone());
            }
            columns.extend(target.by.into_iter().map(|(_, column)| column.to_owned()));
        }
    }
    Ok(columns)
}

/// Whether references name objects of the type. By whichever field they do, a summary line may name
/// one, too, and hold any of its fields.
fn names_objects(plan: &Plan, type_id: TypeId) -> bool {
    let mut all = plan
        .columns
        .iter()
        .filter_map(|mapping| mapping.target.by());
    all.any(|by| by.types.contains(&type_id.get()))
}

/// Whether a file has a column that a plan would send to one of the fields. `None`: their names
/// are not known.
fn has_column(import: &Import, columns: Option<&BTreeSet<String>>) -> Result<bool, Error> {
    let Some(columns) = columns else {
        return Ok(true);
    };
    let file = File::read(&import.file)?;
    let mut names = file.names().into_iter();
    Ok(names.any(|name| columns.contains(&plain(name))))
}
