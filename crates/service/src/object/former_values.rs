//! Copies of what fields held before they became passwords, outside of objects and their history.

use std::collections::BTreeSet;

use stockroom_model::Type;
use stockroom_model::json::Value;
use stockroom_store::{JobState, WriteTx};

use super::import;
use crate::Error;

/// Removes the copies: imports of the type, ended jobs that name one of the `fields`, and kept
/// answers. What stays in the files of the database is erased after the commit.
///
/// # Errors
///
/// An import or a job is running, or a source knows its records by such a value.
pub(super) fn forget(
    tx: &mut WriteTx<'_>,
    definition: &Type,
    fields: &BTreeSet<&str>,
) -> Result<(), Error> {
    check_sources(tx, definition, fields)?;
    import::forget_values(tx, definition, fields)?;
    forget_jobs(tx, fields)?;
    tx.forget_answers()?;
    Ok(tx.erase_removed_values()?)
}

/// The links of a source hold the values of its external key.
fn check_sources(
    tx: &mut WriteTx<'_>,
    definition: &Type,
    fields: &BTreeSet<&str>,
) -> Result<(), Error> {
    for source in tx.sources_of_type(definition.public_id)? {
        let target = |column: &String| field_of(source.record.columns.get(column)?);
        let mut keys = source.record.external_key.iter().filter_map(target);
        if let Some(field) = keys.find(|field| fields.contains(field)) {
            let detail = format!(
                "cannot become password: the source {:?} knows its records by {field:?}; delete it first",
                source.record.name
            );
            return Err(Error::invalid("/fields", detail));
        }
    }
    Ok(())
}

/// The field that a column of a source goes to.
fn field_of(target: &Value) -> Option<&str> {
    target.as_str().or_else(|| target.get("field")?.as_str())
}

/// A job may set a field, or find objects by it.
fn forget_jobs(tx: &mut WriteTx<'_>, fields: &BTreeSet<&str>) -> Result<(), Error> {
    let texts: Vec<String> = fields.iter().flat_map(|field| texts_of(field)).collect();
    let holds = |request: &str| texts.iter().any(|text| request.contains(text));
    let jobs = tx.object_jobs_where(holds)?;
    for (id, state) in jobs {
        if state == JobState::Running {
            let detail = format!(
                "cannot become password while the job {id} is running; wait for its end, or cancel it"
            );
            return Err(Error::invalid("/fields", detail));
        }
        tx.delete_object_job(id)?;
    }
    Ok(())
}

/// How the JSON of a request names a field, alone or in a path, or the values of all fields.
fn texts_of(field: &str) -> [String; 3] {
    let name = Value::from(field).to_string();
    let path = format!(".{}", name.strip_prefix('"').unwrap_or_default());
    [name, path, "fields.value\"".to_owned()]
}
