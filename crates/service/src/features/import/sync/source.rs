//! The source that an import is bound to: `{"source": …}` in the body of a run takes the place of
//! type, columns, key and policy.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;
use stockroom_access::Operation;
use stockroom_access::permission::{ObjectAdd, ObjectDelete, ObjectEdit, ObjectImport, ObjectView};
use stockroom_model::body::kind;
use stockroom_model::json::{Map, Value};
use stockroom_model::object::listed;
use stockroom_model::source::{Missing, is_optional};
use stockroom_model::{Problem, Source, SourceId, TypeId};
use stockroom_store::{Import, ImportState, ReadTx, TypeEntry, WriteTx};
use stockroom_tables::Column;
use utoipa::ToSchema;

use crate::core::access::Access;
use crate::features::import::answer;
use crate::features::import::file::File;
use crate::features::import::plan::Plan;
use crate::records::object::check_acl;
use crate::{Error, Permit};

/// The member of a body that names a source.
const SOURCE: &str = "source";

/// The source of a plan.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::features::import) struct Bound {
    pub(in crate::features::import) id: SourceId,
    name: String,
    /// The columns of the file that identify a record; none if the source tracks nothing.
    pub(in crate::features::import) key: Vec<usize>,
    pub(in crate::features::import) missing: Missing,
    /// How many percent of the known objects may be missing.
    limit: i64,
    /// The objects that were known, and not missing, before the import.
    known: i64,
}

impl Bound {
    pub(in crate::features::import) fn tracks(&self) -> bool {
        !self.key.is_empty()
    }

    /// Checks the rights that missing records need.
    pub(in crate::features::import) fn check(&self, access: &Access) -> Result<(), Error> {
        match self.missing {
            Missing::Keep | Missing::Flag => Ok(()),
            Missing::Deactivate => access.check::<ObjectEdit>(),
            Missing::Delete => access.check::<ObjectDelete>(),
        }
    }

    /// Why missing objects are not touched: so many are missing, and so many rows do not tell which
    /// record they are.
    pub(in crate::features::import) fn refusal(
        &self,
        missing: i64,
        unknown: i64,
    ) -> Option<String> {
        if self.missing == Missing::Keep {
            return None;
        }
        if unknown > 0 {
            let rows = if unknown == 1 {
                "1 row does not tell which record it is".to_owned()
            } else {
                format!("{unknown} rows do not tell which records they are")
            };
            return Some(format!(
                "{rows}, so nobody knows which records of the source {:?} are missing, and no missing \
                 object was touched: repair the rows, and import them, too",
                self.name
            ));
        }
        if missing.saturating_mul(100) <= self.limit.saturating_mul(self.known) {
            return None;
        }
        Some(format!(
            "{missing} of {} known objects are missing from the file; the source {:?} allows {} %, \
             so none of them was touched: check the file, or raise missing_limit",
            self.known, self.name, self.limit
        ))
    }

    pub(in crate::features::import) fn answer(&self) -> SourceAnswer {
        SourceAnswer {
            public_id: self.id,
            name: self.name.clone(),
        }
    }
}

/// A source that an import is bound to
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportSource)]
pub(in crate::features::import) struct SourceAnswer {
    #[schema(value_type = i64)]
    public_id: SourceId,
    /// Its name when the step began
    name: String,
}

/// The body of a run, and the source that it names.
pub(in crate::features::import) struct SourceRequest {
    /// The body, with what the source says.
    pub(in crate::features::import) body: Value,
    source: Option<(Source, i64)>,
}

impl SourceRequest {
    /// Reads the source that a body names.
    pub(in crate::features::import) async fn read(
        permit: &Permit<ObjectImport>,
        import: &Import,
        body: Value,
    ) -> Result<Self, Error> {
        let Some(asked) = body.get(SOURCE).filter(|asked| !asked.is_null()).cloned() else {
            return Ok(Self { body, source: None });
        };
        check_alone(&body)?;
        let reader = permit.clone();
        let read = permit.read_newest(move |tx| {
            let access = reader.access(tx)?;
            let source = named(tx, &access, &asked)?;
            let counts = tx.source_link_counts_of(source.public_id)?;
            Ok((source, counts.linked - counts.missing))
        });
        let (source, known) = read.await?;
        let before = answer::plan(import)?.and_then(|plan| plan.source);
        let before = before.filter(|before| before.id == source.public_id);
        let repeats = body.get("only").is_some_and(|only| !only.is_null());
        // The first run has added objects.
        let known = before
            .filter(|_| repeats)
            .map_or(known, |before| before.known);
        Ok(Self {
            body: with_mapping(&source, body),
            source: Some((source, known)),
        })
    }

    /// The columns of the file that the source needs.
    pub(in crate::features::import) fn bind(&self, file: &File) -> Result<Option<Bound>, Error> {
        let Some((source, known)) = &self.source else {
            return Ok(None);
        };
        let names = file.names();
        let columns = source.columns.iter();
        let columns = columns.filter(|(_, target)| !is_optional(target));
        let needed = columns.map(|(name, _)| name).chain(&source.external_key);
        let mut lacking: Vec<&str> = Vec::new();
        for name in needed.map(String::as_str) {
            if !names.contains(&name) && !lacking.contains(&name) {
                lacking.push(name);
            }
        }
        if !lacking.is_empty() {
            let detail = format!(
                "the file lacks columns that the source {:?} needs: {}; it has {}",
                source.name,
                listed(lacking.into_iter()),
                listed(names.into_iter())
            );
            return Err(Error::invalid("/source", detail));
        }
        let index_of = |name: &String| names.iter().position(|known| known == name);
        Ok(Some(Bound {
            id: source.public_id,
            name: source.name.clone(),
            key: source.external_key.iter().filter_map(index_of).collect(),
            missing: source.missing,
            limit: source.missing_limit,
            known: *known,
        }))
    }

    /// A refusal of what the source says, as one of the source.
    pub(in crate::features::import) fn refusal(&self, error: Error) -> Error {
        let Some((source, _)) = &self.source else {
            return error;
        };
        let Error::Invalid { detail, problems } = error else {
            return error;
        };
        let own = ["/dry_run", "/only"];
        let problems = problems.into_iter().map(|problem| {
            if own.contains(&problem.pointer.as_str()) {
                return problem;
            }
            let at = problem.pointer.trim_start_matches('/');
            let detail = format!("{at} of the source {:?}: {}", source.name, problem.detail);
            Problem::new("/source", detail)
        });
        Error::Invalid {
            detail,
            problems: problems.collect(),
        }
    }
}

/// The source that a body names by its name or its id.
fn named(tx: &mut ReadTx<'_>, access: &Access, asked: &Value) -> Result<Source, Error> {
    let found = match asked {
        Value::String(name) => tx.source_named(name)?,
        Value::Number(number) => {
            let id = number.as_i64().and_then(SourceId::new);
            match id {
                Some(id) => tx.source(id)?.map(|known| known.source),
                None => None,
            }
        }
        other => {
            let detail = format!(
                "must be the name of a source or its id, not {}",
                kind(other)
            );
            return Err(Error::invalid("/source", detail));
        }
    };
    let visible = found.filter(|source| access.scope.sees(source.record.type_id));
    match visible {
        Some(source) => Ok(source.record),
        None => Err(Error::invalid(
            "/source",
            format!("there is no source {asked}"),
        )),
    }
}

fn check_alone(body: &Value) -> Result<(), Error> {
    let beside = ["type_id", "columns", "key", "policy"];
    let given = |name: &&str| body.get(name).is_some_and(|value| !value.is_null());
    match beside.into_iter().find(given) {
        Some(name) => {
            let detail = "comes from the source; leave it out, or change the source";
            Err(Error::invalid(format!("/{name}"), detail))
        }
        None => Ok(()),
    }
}

fn with_mapping(source: &Source, body: Value) -> Value {
    let mut members = match body {
        Value::Object(members) => members,
        _ => Map::new(),
    };
    members.insert("type_id".to_owned(), source.type_id.get().into());
    members.insert("columns".to_owned(), Value::Object(source.columns.clone()));
    members.insert("key".to_owned(), json!(source.key));
    members.insert("policy".to_owned(), source.policy.as_str().into());
    Value::Object(members)
}

/// Checks the mapping of a source, as a run with a file that has its columns does, and that the
/// caller may do all that a run may do: others will run it with their rights.
///
/// # Errors
///
/// All problems of `columns` and `key`; [`Error::Forbidden`] names what the caller lacks.
pub(crate) fn check_runnable(
    tx: &mut WriteTx<'_>,
    access: &Access,
    source: &Source,
) -> Result<(), Error> {
    let column = |name: &String| Column {
        name: name.clone(),
        ..Column::default()
    };
    let file = File {
        columns: source.columns.keys().map(column).collect(),
        ..File::default()
    };
    let body = with_mapping(source, Value::Null);
    let entry = tx.type_entry(source.type_id)?;
    let entry = entry.filter(|_| access.scope.sees(source.type_id));
    let missing = || {
        let detail = format!(
            "there is no type {} whose objects you may read",
            source.type_id
        );
        Error::invalid("/type_id", detail)
    };
    let entry = entry.ok_or_else(missing)?;
    let plan = Plan::read(
        &body,
        &file,
        |_| Ok(Arc::clone(&entry)),
        tx.catalog(),
        false,
    )?;
    check_inserts(access, &entry)?;
    if plan.needs_edit() || source.tracks() {
        access.check::<ObjectEdit>()?;
        check_acl(&entry, access, Operation::Update)?;
    }
    if source.missing == Missing::Delete {
        access.check::<ObjectDelete>()?;
        check_acl(&entry, access, Operation::Delete)?;
    }
    Ok(())
}

/// What every import of objects of a type needs.
pub(in crate::features::import) fn check_inserts(
    access: &Access,
    entry: &TypeEntry,
) -> Result<(), Error> {
    check_acl(entry, access, Operation::Create)?;
    check_acl(entry, access, Operation::Read)?;
    access.check::<ObjectAdd>()?;
    access.check::<ObjectView>()
}

/// Notes that a run of a source begins to write.
///
/// # Errors
///
/// Another import of the source is running: each would take the records of the other for missing.
pub(in crate::features::import) fn begin(
    tx: &mut WriteTx<'_>,
    import: &Import,
) -> Result<(), Error> {
    let Some((type_id, bound, only_failed)) = writes_to(import)? else {
        return Ok(());
    };
    if bound.tracks() {
        tx.lock_imports_of(type_id, import.id)?;
        for other in tx.imports()? {
            let is_other = other.id != import.id && other.step.state.is_running();
            if is_other && writes_to(&other)?.is_some_and(|(_, other, _)| other.id == bound.id) {
                let detail = format!(
                    "import {} of the source {:?} is still running; wait for its end, or cancel it",
                    other.id, bound.name
                );
                return Err(Error::invalid("/source", detail));
            }
        }
    }
    if import.step.state == ImportState::Undoing {
        return Ok(());
    }
    if !only_failed {
        tx.forget_import_in_links(bound.id, import.id)?;
    }
    Ok(tx.record_import_of_source(bound.id, import.id)?)
}

/// The source whose links a step of an import changes, its type, and whether it deals with a part of
/// the rows.
fn writes_to(import: &Import) -> Result<Option<(TypeId, Bound, bool)>, Error> {
    let plan = answer::plan(import)?.filter(|plan| !plan.dry_run);
    Ok(plan.and_then(|plan| Some((plan.type_id, plan.source?, plan.only_failed))))
}
