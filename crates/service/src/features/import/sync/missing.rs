//! What happens to objects whose records are missing from the source: the last phase of an import,
//! over the links of the source from the newest object on, because most objects refer to older ones.
//!
//! | part | what happens |
//! |---|---|
//! | first | the limit is checked, before anything is touched |
//! | each | the next links and their results, in one transaction with the position |
//!
//! The position is the id of the object that was treated last. Results are stored in chunks after
//! those of the rows, so that an undo takes them back first. A check writes and takes back, as for
//! rows.

mod treatment;

use std::sync::Arc;

use stockroom_access::permission::{ObjectDelete, ObjectImport, ObjectView};
use stockroom_access::{Operation, Scope};
use stockroom_model::source::Missing;
use stockroom_model::{ObjectId, TypeId};
use stockroom_store::{
    Import, ImportPhase, ImportState, ImportStep, ReadTx, SourceLink, WriteTx, end_of_lease,
};

use self::treatment::Treatment;
use crate::core::changed_at_once::MOST_CHANGED;
use crate::core::open_transaction::End;
use crate::core::worker::Worker;
use crate::features::import::prepare::keys::FileKeys;
use crate::features::import::row_result::{self, Counts, RowResult};
use crate::features::import::sync;
use crate::features::import::sync::source::Bound;
use crate::features::import::write::matches::{Room, objects};
use crate::features::import::{answer, progress};
use crate::records::object::check_acl;
use crate::{Caller, Error, Permit};

/// The links of one transaction. Deleting their objects takes a tenth of a second: others wait for
/// it on SQLite, and on PostgreSQL it fails if one of them is edited meanwhile.
const LINKS: i64 = 50;

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
    /// The object that was treated last; `None` if there are no more.
    last: Option<i64>,
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
        let mut links = tx.source_links_before(self.bound.id, self.end(), LINKS)?;
        let is_full = i64::try_from(links.len()).is_ok_and(|count| count == LINKS);
        let unseen = links.iter().filter(|link| !self.sees(link));
        let unseen: Vec<ObjectId> = unseen.map(|link| link.object).collect();
        let mut room = Room::new(MOST_CHANGED);
        let rows = objects(tx, &access, unseen, &mut room)?;
        if let Some(last) = rows.last().filter(|_| room.is_exceeded()) {
            links.retain(|link| link.object >= last.public_id);
        }
        let is_full = is_full || room.is_exceeded();
        let last = links.last().filter(|_| is_full);
        let last = last.map(|link| link.object.get());
        let unknown = Counts::read(&self.import.step.counts)?.without_record();
        let refusal = match &self.keys {
            None if self.is_first() => {
                let (source, import) = (self.bound.id, &self.import);
                let missing = tx.unseen_source_links(source, import.id, import.created_at)?;
                self.bound.refusal(missing, unknown)
            }
            // A check goes on to the end, to show what is missing.
            Some(keys) if last.is_none() => {
                let missing = self.count_missing(tx, keys)?;
                self.bound.refusal(missing, unknown)
            }
            _ => None,
        };
        if refusal.is_some() && self.keys.is_none() {
            return Ok(MissingPassResult {
                row_results: Vec::new(),
                last: None,
                refusal,
            });
        }
        links.retain(|link| !self.sees(link));
        let treatment = Treatment::new(self, permits, &access);
        let row_results = treatment.treat(tx, links, &rows)?;
        Ok(MissingPassResult {
            row_results,
            last,
            refusal,
        })
    }

    /// Whether nothing was treated yet.
    fn is_first(&self) -> bool {
        self.import.step.next_chunk == 0
    }

    /// The id before which the objects are that are not treated yet.
    fn end(&self) -> i64 {
        if self.is_first() {
            i64::MAX
        } else {
            self.import.step.next_chunk
        }
    }

    /// Whether the file has the record of a link, or another one has it that is newer than the file,
    /// or the import has dealt with it already.
    fn sees(&self, link: &SourceLink) -> bool {
        let is_own = match &self.keys {
            Some(keys) => is_seen(keys, link),
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
                link.missing_since.is_none() && !is_seen(keys, link) && !self.is_newer(link)
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
        import.step.next_chunk = passed.last.unwrap_or(import.step.next_chunk);
        tx.advance_import(import.id, &import.step)?;
        match (passed.refusal, passed.last) {
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

/// Whether the file has the record of a link, or another one that takes over its object.
fn is_seen(keys: &FileKeys, link: &SourceLink) -> bool {
    keys.has_row(std::slice::from_ref(&link.key)) || keys.taken_over.contains(&link.object)
}

/// The step that begins the phase.
pub(in crate::features::import) fn first(step: &ImportStep) -> ImportStep {
    ImportStep {
        phase: ImportPhase::Missing,
        next_chunk: 0,
        ..step.clone()
    }
}
