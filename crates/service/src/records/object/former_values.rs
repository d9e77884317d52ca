//! Copies of what fields held before they became passwords, outside of objects and their history.

use stockroom_model::TypeId;
use stockroom_model::json::Value;
use stockroom_store::{JobState, WriteTx};

use super::former_keys;
use super::former_names::FormerNames;
use crate::Error;
use crate::features::import;

/// Removes the copies: imports of the type and by the fields, ended jobs that name them, and kept
/// answers. Returns whether there were any. What stays in the files of the database is erased after
/// the commit.
///
/// # Errors
///
/// An import or a job is running, or a source knows its records by such a value.
pub(crate) fn forget(
    tx: &mut WriteTx<'_>,
    type_id: TypeId,
    former: &FormerNames,
) -> Result<bool, Error> {
    former_keys::check(tx, type_id, former)?;
    let had_imports = import::forget_values(tx, type_id, former)?;
    let had_jobs = forget_jobs(tx, former)?;
    let had_answers = tx.forget_answers()?;
    Ok(had_imports || had_jobs || had_answers)
}

/// A job may set a field, or find objects by it.
fn forget_jobs(tx: &mut WriteTx<'_>, former: &FormerNames) -> Result<bool, Error> {
    let texts: Option<Vec<String>> = former.names().map(|names| {
        let of_all = OF_ALL.map(str::to_owned).into_iter();
        of_all.chain(names.into_iter().flat_map(texts_of)).collect()
    });
    let holds = |request: &str| {
        let texts = texts.as_ref();
        texts.is_none_or(|texts| texts.iter().any(|text| request.contains(text)))
    };
    let jobs = tx.object_jobs_where(holds)?;
    for (id, state) in &jobs {
        if *state == JobState::Running {
            let detail = format!(
                "cannot become password while the job {id} is running; wait for its end, or cancel it"
            );
            return Err(Error::invalid("/fields", detail));
        }
        tx.delete_object_job(*id)?;
    }
    Ok(!jobs.is_empty())
}

/// How the JSON of a request names the values of all fields.
const OF_ALL: [&str; 2] = [".value\"", "\"value\""];

/// How the JSON of a request names a field, alone or in a path.
fn texts_of(field: &str) -> [String; 2] {
    let name = Value::from(field).to_string();
    let path = format!(".{}", name.strip_prefix('"').unwrap_or_default());
    [name, path]
}
