//! `/imports`: files whose rows become objects, in the background (`docs/guide/src/imports.md`).
//!
//! | stage | where | what happens |
//! |---|---|---|
//! | upload | `upload.rs` | the rows of the file are stored in chunks |
//! | plan | `plan.rs`, `plan/` | columns go to fields |
//! | prepare | `prepare.rs`, `prepare/` | cells become values, keys become ids |
//! | write | `write/` | a transaction for some chunks, with the results of their rows |
//! | sync | `sync.rs`, `sync/` | records of a source keep their objects |
//!
//! `runner.rs` finds the next chunk, and `write/import_run.rs` leads it and those after it
//! (`write/ahead.rs`) to the transaction. A dry run writes a chunk as an import does, and rolls the
//! transaction back. `write/undo.rs` undoes what was written. Beside the stages, clients wait for
//! progress (`watch.rs`), read rows (`rows.rs`) and repair cells of rejected ones (`repair.rs`).

mod access;
mod answer;
mod failed;
mod file;
mod former_values;
mod missing_rows;
mod node;
mod plan;
mod prepare;
mod progress;
mod repair;
mod row_result;
mod rows;
mod runner;
mod stored_rows;
mod sync;
mod upload;
mod watch;
mod write;

use std::sync::Arc;

use stockroom_access::permission::{ObjectDelete, ObjectEdit, ObjectImport, ObjectView};
use stockroom_fair::check_share;
use stockroom_filter::Paths;
use stockroom_model::json::Value;
use stockroom_model::{ImportId, TypeId};
use stockroom_store::{Import, ImportPhase, ImportState, ImportStep, WriteTx, end_of_lease};

use self::access::{accessible, existing, is_own, read_own};
use self::answer::answer;
use self::file::File;
use self::node::MAX_RUNNING;
use self::plan::{Plan, PlanAnswer};
use self::row_result::{Counts, RowStatus};
use self::sync::source::SourceRequest;
use crate::core::answer::document;
use crate::core::list::{Collection, ListRequest, Page, TieBreaker, page};
use crate::{Error, Permit};

pub use self::failed::{Failed, failed};
pub use self::missing_rows::missing;
pub use self::repair::repair;
pub use self::rows::{MAX_ROWS, RowsPage, RowsRequest, rows};
pub use self::upload::{Part, Upload, upload};
pub use self::watch::{Watched, watch};
pub use stockroom_tables::{Format, Header, Options, encoding_named};

pub use self::answer::ImportAnswer;
pub(crate) use self::former_values::forget_values;
pub use self::missing_rows::MissingAnswer;
pub use self::plan::Only;
pub use self::rows::{ReportedStatus, RowAnswer};
pub use self::runner::Imports;
pub(crate) use self::sync::key_answer;
pub(crate) use self::sync::source::check_runnable;

/// How long files are kept.
const KEPT_MICROS: i64 = 30 * 24 * 3_600 * 1_000_000;

/// A list has at most this many imports, the newest.
const MAX_LISTED: i64 = 1_000;

const COLLECTION: Collection = Collection {
    paths: Paths {
        timestamps: &["created_at", "started_at", "ended_at"],
        secrets: &[],
    },
    tie_breaker: TieBreaker::Member("id"),
};

/// Starts an import, or its dry run.
///
/// # Errors
///
/// [`Error::Invalid`]: the body, or the state of the import.
pub async fn run_import(
    permit: &Permit<ObjectImport>,
    id: ImportId,
    body: Value,
) -> Result<Value, Error> {
    let import = read_own(permit, id).await?;
    let file = File::read(&import.file)?;
    let strict = permit.caller().request.strict;
    let asked = SourceRequest::read(permit, &import, body).await?;
    let bound = asked.bind(&file)?;
    let plan = permit
        .decide(|catalog, access| {
            let entry = |id: TypeId| {
                let entry = catalog.type_entry(id).map(Arc::clone);
                let entry = entry.ok_or_else(|| Error::not_found("type", id))?;
                sync::source::check_inserts(access, &entry)?;
                Ok(entry)
            };
            let mut plan = Plan::read(&asked.body, &file, entry, catalog, strict)?;
            plan.source.clone_from(&bound);
            plan.follow(answer::plan(&import)?);
            if plan.needs_edit() {
                access.check::<ObjectEdit>()?;
            }
            if let Some(bound) = &bound {
                bound.check(access)?;
            }
            Ok(plan)
        })
        .await
        .map_err(|error| asked.refusal(error))?;
    // With this policy, a check of all rows goes first.
    let state = if plan.checks_first() {
        ImportState::Checking
    } else {
        ImportState::Importing
    };
    let text = serde_json::to_string(&plan).map_err(Error::internal)?;
    start(permit, id, move |_, import, step| {
        let counts = if plan.only_failed {
            check_can_repeat(import, &plan)?;
            import.step.counts.clone()
        } else {
            check_can_run(import)?;
            Counts::default().text()?
        };
        Ok(ImportStep {
            state,
            plan: text.clone(),
            next_chunk: 0,
            counts,
            keeps_results: plan.only_failed,
            ..step
        })
    })
    .await
}

/// Takes back what an import wrote.
///
/// # Errors
///
/// [`Error::Invalid`]: it wrote nothing, or it runs.
pub async fn undo(permit: &Permit<ObjectImport>, id: ImportId) -> Result<Value, Error> {
    read_own(permit, id).await?;
    let check = |access: &crate::core::access::Access| {
        access.check::<ObjectDelete>()?;
        access.check::<ObjectEdit>()?;
        access.check::<ObjectView>()
    };
    permit.decide(|_, access| check(access)).await?;
    start(permit, id, move |tx, import, step| {
        if import.step.state.is_running() {
            return Err(refused(import, "be undone"));
        }
        if !has_written(import)? && !has_linked(import)? {
            let detail = "it has written nothing, so there is nothing to undo";
            return Err(Error::invalid("", detail));
        }
        Ok(ImportStep {
            state: ImportState::Undoing,
            plan: import.step.plan.clone(),
            next_chunk: progress::last_chunk(tx, import)?,
            counts: import.step.counts.clone(),
            keeps_results: true,
            ..step
        })
    })
    .await
}

/// Starts a step of an import of the caller.
async fn start(
    permit: &Permit<ObjectImport>,
    id: ImportId,
    make: impl Fn(&mut WriteTx<'_>, &Import, ImportStep) -> Result<ImportStep, Error>
    + Send
    + Sync
    + 'static,
) -> Result<Value, Error> {
    let service = permit.service();
    let context = permit.caller().write_context();
    let step = ImportStep {
        state: ImportState::Ready,
        plan: String::new(),
        user: permit.caller().user_id(),
        via: context.via,
        request_id: context.request_id,
        comment: context.comment,
        phase: ImportPhase::Rows,
        next_chunk: 0,
        next_row: 0,
        counts: String::new(),
        keeps_results: false,
        node: service.worker().node,
        lease_until: end_of_lease(context.now),
    };
    let started = permit.write(move |tx: &mut WriteTx<'_>| {
        let import = existing(tx, id)?;
        let step = make(tx, &import, step.clone())?;
        check_places(tx)?;
        tx.start_import_step(id, &step)?;
        let started = existing(tx, id)?;
        sync::source::begin(tx, &started)?;
        progress::go_on_without_rows(tx, &started)?;
        existing(tx, id)
    });
    let started = started.await?;
    service.wake::<Imports>();
    answer(&started, false)
}

/// Refuses another import if all places are taken, or the user has as many as are free.
fn check_places(tx: &mut WriteTx<'_>) -> Result<(), Error> {
    let (own, all) = tx.running_imports()?;
    check_share(own, all, MAX_RUNNING).map_err(|full| Error::no_place("imports", full))
}

fn check_can_run(import: &Import) -> Result<(), Error> {
    use ImportState::{Cancelled, Checked, Failed, Ready, Undone};
    let state = import.step.state;
    let is_idle = matches!(state, Ready | Checked | Undone)
        || (matches!(state, Failed | Cancelled) && !has_written(import)?);
    if is_idle {
        Ok(())
    } else {
        Err(refused(import, "run"))
    }
}

/// Checks that there are results of which some can be kept: those of a dry run for another one.
fn check_can_repeat(import: &Import, plan: &Plan) -> Result<(), Error> {
    use ImportState::{Cancelled, Checked, Done, Failed};
    let before = answer::plan(import)?;
    let was_dry = before.as_ref().is_none_or(|before| before.dry_run);
    let can = match import.step.state {
        Checked => plan.dry_run,
        Done | Failed | Cancelled => !plan.dry_run && !was_dry,
        _ => false,
    };
    let source = |plan: &Plan| plan.source.as_ref().map(|bound| bound.id);
    if can && before.as_ref().and_then(source) != source(plan) {
        let detail = "the run before was bound to another source, or to none; name the same one";
        return Err(Error::invalid("/only", detail));
    }
    if can {
        return Ok(());
    }
    let detail = "only refused rows can be imported after a run, and checked after a dry run";
    Err(Error::invalid("/only", detail))
}

/// Whether the last step wrote objects, or left what another one had written.
fn has_written(import: &Import) -> Result<bool, Error> {
    let counts = Counts::read(&import.step.counts)?;
    let plan = answer::plan(import)?;
    let tracks = plan.as_ref().is_some_and(Plan::tracks);
    if plan.is_none_or(|plan| plan.dry_run) {
        return Ok(false);
    }
    let mut wrote = counts.failed_in_part();
    match import.step.state {
        ImportState::Checked => return Ok(false),
        ImportState::Undone => {}
        _ => {
            wrote += counts.of(RowStatus::New) + counts.of(RowStatus::Update);
            if tracks {
                wrote += counts.of(RowStatus::Missing) + counts.of(RowStatus::Kept);
            }
        }
    }
    Ok(wrote > 0)
}

/// Whether the last step of a source may have linked objects without a change of them.
fn has_linked(import: &Import) -> Result<bool, Error> {
    let plan = answer::plan(import)?.filter(|plan| plan.tracks() && !plan.dry_run);
    let is_run = !matches!(
        import.step.state,
        ImportState::Checked | ImportState::Undone
    );
    let counts = Counts::read(&import.step.counts)?;
    Ok(plan.is_some() && is_run && counts.of(RowStatus::Unchanged) > 0)
}

fn refused(import: &Import, what: &str) -> Error {
    let detail = match import.step.state {
        ImportState::Done => {
            format!("it is done and cannot {what}; undo it, or upload the file again")
        }
        state => format!("it is {} and cannot {what} now", state.as_str()),
    };
    Error::invalid("", detail)
}

/// An import of the caller; administrators may see all. With a type, also how its columns probably
/// go to the fields.
pub async fn read_import(
    permit: &Permit<ObjectImport>,
    id: ImportId,
    type_id: Option<TypeId>,
) -> Result<Value, Error> {
    let import = read_own(permit, id).await?;
    let mut answer = answer::answer_of(&import, true)?;
    if let Some(type_id) = type_id {
        answer.suggested = Some(suggested(permit, &File::read(&import.file)?, type_id).await?);
    }
    Ok(document(&answer))
}

async fn suggested(
    permit: &Permit<ObjectImport>,
    file: &File,
    type_id: TypeId,
) -> Result<PlanAnswer, Error> {
    permit
        .decide(|catalog, access| {
            let entry = catalog.type_entry(type_id);
            let entry = entry.ok_or_else(|| Error::not_found("type", type_id))?;
            crate::records::object::check_acl(entry, access, stockroom_access::Operation::Read)?;
            Ok(Plan::suggested(file, entry, catalog).answer(&file.names()))
        })
        .await
}

/// The imports of the caller.
pub async fn list(permit: &Permit<ObjectImport>, request: &ListRequest) -> Result<Page, Error> {
    let caller = permit.caller();
    let user = caller.user_id();
    let imports = permit.read_newest(move |tx| Ok(tx.imports_of(user, MAX_LISTED)?));
    let mut imports = imports.await?;
    imports.retain(|import| is_own(caller, import));
    imports.reverse();
    let documents = imports.iter().map(|import| answer(import, false));
    let documents: Result<Vec<Value>, Error> = documents.collect();
    page(permit.caller(), documents?, request, &COLLECTION).await
}

/// Cancels the running step. What it wrote stays, and can be undone.
pub async fn cancel(permit: &Permit<ObjectImport>, id: ImportId) -> Result<Value, Error> {
    let writer = permit.clone();
    let cancelled = permit.write(move |tx| {
        let import = accessible(&writer, tx, id)?;
        if import.step.state.is_running() {
            tx.end_import_step(id, ImportState::Cancelled, None)?;
        }
        existing(tx, id)
    });
    answer(&cancelled.await?, false)
}

/// Deletes an import and its file. What it wrote stays.
pub async fn delete(permit: &Permit<ObjectImport>, id: ImportId) -> Result<Value, Error> {
    let writer = permit.clone();
    let delete = permit.write(move |tx| {
        let import = accessible(&writer, tx, id)?;
        if import.step.state.is_running() {
            return Err(refused(&import, "be deleted"));
        }
        tx.delete_import(id)?;
        Ok(import)
    });
    answer(&delete.await?, false)
}
