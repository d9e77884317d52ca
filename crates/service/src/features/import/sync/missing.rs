//! What happens to objects whose records are missing from the source: the last phase of an import,
//! over the links of the source in the order of their objects.
//!
//! | part | what happens |
//! |---|---|
//! | first | the limit is checked, before anything is touched |
//! | each | the next links and their results, in one transaction with the position |
//!
//! The position is the id of the object to go on from. Results are stored in chunks after those of
//! the rows, so that an undo takes them back first. A check writes and takes back, as for rows.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

use stockroom_access::permission::{ObjectDelete, ObjectImport, ObjectView};
use stockroom_access::{Operation, Scope};
use stockroom_model::source::Missing;
use stockroom_model::{ObjectId, Timestamp, TypeId};
use stockroom_store::{
    Import, ImportPhase, ImportState, ImportStep, ObjectRow, ReadTx, SourceLink, Visibility,
    WriteTx, end_of_lease,
};

use crate::core::access::Access;
use crate::core::changed_at_once::MOST_CHANGED;
use crate::core::open_transaction::End;
use crate::core::worker::Worker;
use crate::features::import::prepare::keys::FileKeys;
use crate::features::import::row_result::{
    self, Counts, Revisions, RowProblem, RowResult, RowStatus,
};
use crate::features::import::sync::source::Bound;
use crate::features::import::sync::{self, LinkChange};
use crate::features::import::write::matches::{Room, objects};
use crate::features::import::{answer, progress};
use crate::records::object::delete::{self, References};
use crate::records::object::{check_acl, seen, state};
use crate::{Caller, Error, Permit};

/// The links of one transaction.
const LINKS: i64 = 500;

/// How often an object is tried that others refer to.
const ROUNDS: usize = 4;

/// The links that are counted at once.
const COUNTED: i64 = 5_000;

/// What an import does next with missing records.
pub(in crate::features::import) struct MissingPass {
    pub(in crate::features::import) bound: Bound,
    pub(in crate::features::import) type_id: TypeId,
    pub(in crate::features::import) import: Import,
    pub(in crate::features::import) worker: Worker,
    /// The keys of all records of the file, if the import only checks.
    pub(in crate::features::import) keys: Option<Arc<FileKeys>>,
}

/// What became of some links.
#[derive(Clone)]
struct MissingPassResult {
    row_results: Vec<RowResult>,
    /// The object to go on from; `None` after the last one.
    next: Option<i64>,
    /// Why nothing more happens.
    refusal: Option<String>,
}

/// The permits of the phase.
#[derive(Clone)]
struct Permits {
    import: Permit<ObjectImport>,
    delete: Option<Permit<ObjectDelete>>,
}

impl MissingPass {
    /// Deals with the next links.
    pub(in crate::features::import) async fn run(self, caller: &Arc<Caller>) -> Result<(), Error> {
        let pass = Arc::new(self);
        if pass.keys.is_some() {
            return pass.check(caller).await;
        }
        let permits = pass.permits(caller).await?;
        let import = permits.import.clone();
        let work = move |tx: &mut WriteTx<'_>| {
            let Some(import) = progress::current(tx, &pass.worker, &pass.import)? else {
                return Ok(());
            };
            let passed = pass.pass(tx, &permits)?;
            pass.advance(tx, import, passed)
        };
        import.write(work).await
    }

    /// Deals with the next links in a transaction that is taken back, then stores the results.
    async fn check(self: Arc<Self>, caller: &Arc<Caller>) -> Result<(), Error> {
        let attempt = async |caller: Caller| {
            let pass = Arc::clone(&self);
            let status = async {
                let permits = pass.permits(&Arc::new(caller)).await?;
                let import = permits.import.clone();
                let work = move |tx: &mut WriteTx<'_>| {
                    let current = progress::current(tx, &pass.worker, &pass.import)?;
                    current.map(|_| pass.pass(tx, &permits)).transpose()
                };
                import.write(work).await
            };
            (status.await, End::RollBack)
        };
        let Some(mut passed) = caller.transact(attempt).await?? else {
            return Ok(());
        };
        for result in &mut passed.row_results {
            result.written = None;
        }
        let permit = Permit::<ObjectImport>::new(caller).await?;
        let work = move |tx: &mut WriteTx<'_>| {
            let Some(import) = progress::current(tx, &self.worker, &self.import)? else {
                return Ok(());
            };
            self.advance(tx, import, passed.clone())
        };
        permit.write(work).await
    }

    async fn permits(&self, caller: &Arc<Caller>) -> Result<Permits, Error> {
        Ok(Permits {
            import: Permit::new(caller).await?,
            delete: match self.bound.missing {
                Missing::Delete => Some(Permit::new(caller).await?),
                _ => None,
            },
        })
    }

    /// The next links: what happens to the objects of those that the file lacks.
    fn pass(&self, tx: &mut WriteTx<'_>, permits: &Permits) -> Result<MissingPassResult, Error> {
        let access = permits.import.access(tx)?;
        access.check::<ObjectView>()?;
        self.bound.check(&access)?;
        sync::check_exists(tx, self.bound.id)?;
        let entry = tx.type_entry(self.type_id)?;
        let entry = entry.ok_or_else(|| Error::not_found("type", self.type_id))?;
        check_acl(&entry, &access, Operation::Read)?;
        tx.lock_imports_of(self.type_id, self.import.id)?;
        let from = self.import.step.next_chunk;
        let mut links = tx.source_links_from(self.bound.id, from, LINKS)?;
        let is_full = i64::try_from(links.len()).is_ok_and(|count| count == LINKS);
        let unseen = links.iter().filter(|link| !self.sees(link));
        let unseen: Vec<ObjectId> = unseen.map(|link| link.object).collect();
        let mut room = Room::new(MOST_CHANGED);
        let rows = objects(tx, &access, unseen, &mut room)?;
        if let Some(last) = rows.last().filter(|_| room.is_exceeded()) {
            links.retain(|link| link.object <= last.public_id);
        }
        let is_full = is_full || room.is_exceeded();
        let last = links.last().filter(|_| is_full);
        let next = last.map(|link| link.object.get() + 1);
        let unknown = Counts::read(&self.import.step.counts)?.without_record();
        let refusal = match &self.keys {
            None if from == 0 => {
                let (source, import) = (self.bound.id, &self.import);
                let missing = tx.unseen_source_links(source, import.id, import.created_at)?;
                self.bound.refusal(missing, unknown)
            }
            // A check goes on to the end, to show what is missing.
            Some(keys) if next.is_none() => {
                let missing = self.count_missing(tx, keys)?;
                self.bound.refusal(missing, unknown)
            }
            _ => None,
        };
        if refusal.is_some() && self.keys.is_none() {
            return Ok(MissingPassResult {
                row_results: Vec::new(),
                next: None,
                refusal,
            });
        }
        links.retain(|link| !self.sees(link));
        let missed = Missed {
            pass: self,
            permits,
            access: &access,
        };
        let row_results = missed.treat(tx, links, &rows)?;
        Ok(MissingPassResult {
            row_results,
            next,
            refusal,
        })
    }

    /// Whether the file has the record of a link, or another one has it that is newer than the file,
    /// or the import has dealt with it already.
    fn sees(&self, link: &SourceLink) -> bool {
        let is_own = match &self.keys {
            Some(keys) => keys.has_row(std::slice::from_ref(&link.key)),
            None => link.import == self.import.id.get(),
        };
        is_own || self.is_newer(link)
    }

    fn is_newer(&self, link: &SourceLink) -> bool {
        link.last_seen_at > self.import.created_at
    }

    /// The number of objects whose records would become missing.
    fn count_missing(&self, tx: &mut ReadTx<'_>, keys: &FileKeys) -> Result<i64, Error> {
        let everything = Scope::for_integrity_check();
        let (mut after, mut missing) = (0, 0);
        loop {
            let links = tx.source_links(&everything, self.bound.id, false, after, COUNTED)?;
            let is_new = |link: &&SourceLink| {
                let is_known = keys.has_row(std::slice::from_ref(&link.key));
                link.missing_since.is_none() && !is_known && !self.is_newer(link)
            };
            missing += i64::try_from(links.iter().filter(is_new).count()).unwrap_or(i64::MAX);
            match links.last() {
                Some(last) => after = last.object.get(),
                None => return Ok(missing),
            }
        }
    }

    /// Stores what became of links, and goes on.
    fn advance(
        &self,
        tx: &mut WriteTx<'_>,
        mut import: Import,
        passed: MissingPassResult,
    ) -> Result<(), Error> {
        let mut counts = Counts::read(&import.step.counts)?;
        for result in &passed.row_results {
            counts.add(result.status, 1);
        }
        if !passed.row_results.is_empty() {
            let last = tx.last_import_results(import.id)?.max(import.chunks - 1);
            let text = row_result::results_text(&passed.row_results)?;
            tx.set_import_results(import.id, last + 1, &text)?;
        }
        import.step.counts = counts.text()?;
        import.step.node.clone_from(&self.worker.node);
        import.step.lease_until = end_of_lease(tx.context().now);
        import.step.next_chunk = passed.next.unwrap_or(import.step.next_chunk);
        tx.advance_import(import.id, &import.step)?;
        match (passed.refusal, passed.next) {
            (Some(refusal), _) => {
                let state = match import.step.state {
                    ImportState::Checking => ImportState::Checked,
                    _ => ImportState::Failed,
                };
                Ok(tx.end_import_step(import.id, state, Some(&refusal))?)
            }
            (None, Some(_)) => Ok(()),
            (None, None) => {
                let plan = answer::plan(&import)?.ok_or_else(|| Error::internal("no plan"))?;
                progress::finish(tx, &import, &plan, &counts)
            }
        }
    }
}

/// The step that begins the phase.
pub(in crate::features::import) fn first(step: &ImportStep) -> ImportStep {
    ImportStep {
        phase: ImportPhase::Missing,
        next_chunk: 0,
        ..step.clone()
    }
}

/// What missing records are treated with.
struct Missed<'s> {
    pass: &'s MissingPass,
    permits: &'s Permits,
    access: &'s Access,
}

/// What was done to the object of a missing record: its revisions, if it was changed.
type Done = Result<Option<Revisions>, Error>;

impl Missed<'_> {
    /// Does what the source says with the objects of links. Objects that were deleted by hand only
    /// lose their links.
    fn treat(
        &self,
        tx: &mut WriteTx<'_>,
        links: Vec<SourceLink>,
        rows: &[ObjectRow],
    ) -> Result<Vec<RowResult>, Error> {
        let ids: Vec<ObjectId> = links.iter().map(|link| link.object).collect();
        let rows: HashMap<ObjectId, &ObjectRow> =
            rows.iter().map(|row| (row.public_id, row)).collect();
        let mut left: Vec<(SourceLink, &ObjectRow, Option<Error>)> = Vec::new();
        let mut done: Vec<(SourceLink, Done)> = Vec::new();
        for link in links {
            if let Some(row) = rows.get(&link.object).copied() {
                left.push((link, row, None));
                continue;
            }
            match tx.object(&self.access.scope, link.object)? {
                Visibility::Missing => {}
                hidden => done.push((link.clone(), seen(hidden, link.object).map(|_| None))),
            }
        }
        // They may refer to each other, so what was refused is tried again: from the newest on,
        // because most refer to what was there before them, and the other way round.
        for _ in 0..ROUNDS {
            left.reverse();
            let mut refused = Vec::new();
            for (link, row, _) in mem::take(&mut left) {
                match self.apply(tx, row) {
                    Ok(written) => done.push((link, Ok(written))),
                    Err(error) => refused.push((link, row, Some(error))),
                }
            }
            left = refused;
        }
        let refused = left
            .into_iter()
            .filter_map(|(link, _, error)| Some((link, Err(error?))));
        done.extend(refused);
        self.finish(tx, &ids, done)
    }

    fn apply(&self, tx: &mut WriteTx<'_>, row: &ObjectRow) -> Done {
        if row.type_id != self.pass.type_id {
            let detail = format!("object {} is of another type now", row.public_id);
            return Err(Error::invalid("", detail));
        }
        match (self.pass.bound.missing, &self.permits.delete) {
            (Missing::Delete, Some(permit)) => {
                delete::remove(permit, tx, row, References::Protect)?;
                Ok(Some(Revisions(row.revision, row.revision.next())))
            }
            (Missing::Deactivate, _) => {
                let after = state::set(tx, self.access, row, false)?.revision;
                let is_changed = after != row.revision;
                Ok(is_changed.then_some(Revisions(row.revision, after)))
            }
            _ => Ok(None),
        }
    }

    /// Writes the links.
    fn finish(
        &self,
        tx: &mut WriteTx<'_>,
        ids: &[ObjectId],
        done: Vec<(SourceLink, Done)>,
    ) -> Result<Vec<RowResult>, Error> {
        let source = self.pass.bound.id;
        let (mut row_results, mut links) = (Vec::new(), Vec::new());
        for (before, done) in done {
            let (written, problem) = match done {
                Ok(written) => (written, None),
                Err(
                    Error::Invalid { detail, .. }
                    | Error::Forbidden(detail)
                    | Error::NotFound(detail),
                ) => (None, Some(detail)),
                Err(other) => return Err(other),
            };
            let after = self.link(tx.context().now, &before, written.is_some());
            let status = if problem.is_some() {
                RowStatus::Kept
            } else {
                RowStatus::Missing
            };
            row_results.push(RowResult {
                object: Some(before.object),
                written,
                problems: problem.map(RowProblem::of_row).into_iter().collect(),
                link: Some(LinkChange::new(
                    std::slice::from_ref(&before),
                    after.as_ref(),
                )),
                ..RowResult::new(status)
            });
            links.extend(after);
        }
        tx.replace_source_links(source, ids, &links)?;
        Ok(row_results)
    }

    /// The link of a missing record; `None` if its object was deleted.
    fn link(&self, now: Timestamp, before: &SourceLink, is_changed: bool) -> Option<SourceLink> {
        let missing = self.pass.bound.missing;
        if missing == Missing::Delete && is_changed {
            return None;
        }
        let since = before.missing_since.unwrap_or(now);
        Some(SourceLink {
            import: self.pass.import.id.get(),
            missing_since: match missing {
                Missing::Keep => before.missing_since,
                _ => Some(since),
            },
            is_deactivated: before.is_deactivated || (missing == Missing::Deactivate && is_changed),
            ..before.clone()
        })
    }
}
