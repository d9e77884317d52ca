//! Works on imports, in the name of their users.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use stockroom_access::permission::ObjectDelete;
use stockroom_fair::FairSlots;
use stockroom_model::ImportId;
use stockroom_store::{Import, ImportState, LeasedWork, WriteTx};
use tokio::sync::Notify;

use super::ahead::Ahead;
use super::pace::Pace;
use super::reading::Reading;
use super::verdict::{self, Verdict};
use super::{MAX_RUNNING, answer, missing, progress, undo};
use crate::auth::own_context;
use crate::object::job::reason;
use crate::object::worker::Worker;
use crate::{Caller, Error, Permit, RequestContext, Service};

/// How often a node looks for imports that another node has left.
const INTERVAL: Duration = Duration::from_secs(3);

/// How many uploads a node reads at once, half of them of one user: each has a thread.
const UPLOADS: usize = 8;

/// Clients of a node that wait for progress at once, half of them of one user.
const WATCHERS: usize = 256;

/// What a node knows of imports.
pub(crate) struct Imports {
    pub(super) uploads: FairSlots,
    pub(super) watchers: FairSlots,
    started: Notify,
    known: Mutex<VecDeque<Known>>,
}

impl Default for Imports {
    fn default() -> Self {
        Self {
            uploads: FairSlots::new(UPLOADS, 0),
            watchers: FairSlots::new(WATCHERS, 0),
            started: Notify::new(),
            known: Mutex::default(),
        }
    }
}

impl Imports {
    pub(super) fn wake(&self) {
        self.started.notify_one();
    }
}

/// An import, the request of its step, whether it checks, and the chunk and its row that come next.
pub(super) type Place = (ImportId, String, bool, i64, usize);

/// What a node knows at a place in an import.
pub(super) struct Known {
    pub(super) place: Place,
    pub(super) ahead: Ahead,
}

impl Service {
    /// Works on imports for as long as it is polled.
    pub async fn work_on_imports(self: Arc<Self>) {
        self.announce();
        loop {
            if let Err(error) = self.run_imports().await {
                tracing::warn!(%error, "an import is interrupted and is continued later");
            }
            let _ = tokio::time::timeout(INTERVAL, self.imports.started.notified()).await;
        }
    }

    /// Works until no import is left that this node may work on.
    ///
    /// # Errors
    ///
    /// The store failed; the imports can be continued.
    pub async fn run_imports(self: &Arc<Self>) -> Result<(), Error> {
        let most = Pace::of(&self.store).in_transaction;
        while self.run_import_chunks(most).await? {}
        Ok(())
    }

    /// Deals with at most so many chunks of the import that waits longest. Returns false if there
    /// is none.
    ///
    /// # Errors
    ///
    /// The store failed; the import can be continued.
    pub async fn run_import_chunks(self: &Arc<Self>, most: i64) -> Result<bool, Error> {
        let worker = self.worker();
        let seeker = worker.clone();
        let found = self.store.read(move |tx| {
            let due = tx.due_import(&seeker.node, seeker.now);
            due.map_err(Error::from)
        });
        let Some(import) = found.await? else {
            return Ok(false);
        };
        let (work, holder) = (LeasedWork::Import(import.id), &import.step.node);
        if !self.take_lease(&worker, work, holder).await? {
            return Ok(true);
        }
        let (id, via) = (import.id, import.step.via);
        match self.run_chunks_of(import, worker, most).await {
            Ok(()) => Ok(true),
            Err(error) if error.is_passing() => Err(error),
            Err(error) => {
                self.fail_import(id, reason(&error, via)).await?;
                Ok(true)
            }
        }
    }

    async fn fail_import(&self, id: ImportId, reason: String) -> Result<(), Error> {
        let context = own_context("import", self.clock.now());
        let end = self.store.write(context, move |tx| {
            let is_running = tx
                .import(id)?
                .is_some_and(|import| import.step.state.is_running());
            if is_running {
                tx.end_import_step(id, ImportState::Failed, Some(&reason))?;
            }
            Ok(())
        });
        end.await
    }

    async fn run_chunks_of(
        self: &Arc<Self>,
        import: Import,
        worker: Worker,
        most: i64,
    ) -> Result<(), Error> {
        let context = RequestContext {
            request_id: import.step.request_id.as_str().into(),
            via: import.step.via,
            comment: import.step.comment.as_deref().map(Arc::from),
            strict: answer::plan(&import)?.is_some_and(|plan| plan.strict),
            ..RequestContext::default()
        };
        let caller = Arc::new(Caller::absent(self, import.step.user, context).await?);
        if import.step.state == ImportState::Undoing {
            return undo_chunk(&caller, import, worker).await;
        }
        let reading = Reading::new(&caller, import, worker).await?;
        match reading.import.step.pass {
            0 => reading.write_rows(most).await,
            missing::PASS => reading.sweep().await,
            _ => reading.link_rows().await,
        }
    }

    /// What is known at a place. It is taken, so that it can be extended without a copy.
    pub(super) fn take_known(&self, place: &Place) -> Option<Known> {
        let mut known = self.known_imports();
        let index = known.iter().position(|known| known.place == *place)?;
        known.remove(index)
    }

    pub(super) fn keep_known(&self, new: Known) {
        let mut known = self.known_imports();
        known.push_back(new);
        if known.len() > MAX_RUNNING {
            known.pop_front();
        }
    }

    fn known_imports(&self) -> MutexGuard<'_, VecDeque<Known>> {
        let known = self.imports.known.lock();
        known.unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes back the rows of the next chunk.
async fn undo_chunk(caller: &Arc<Caller>, import: Import, worker: Worker) -> Result<(), Error> {
    let permit: Permit<ObjectDelete> = Permit::new(caller).await?;
    let writer = permit.clone();
    let write = permit.write(move |tx| {
        let Some(import) = progress::current(tx, &worker, &import)? else {
            return Ok(());
        };
        let before = verdicts(tx, &import)?;
        let mut after = before.clone();
        let done = usize::try_from(import.step.next_row).map_err(Error::internal)?;
        let of = undo::Of::next(&import)?;
        let next_row = undo::undo(tx, &writer, of, &mut after, done)?;
        progress::advance(tx, &worker, import, (&before, &after), next_row)
    });
    write.await
}

fn verdicts(tx: &mut WriteTx<'_>, import: &Import) -> Result<Vec<Verdict>, Error> {
    let text = tx.import_verdicts(import.id, import.step.next_chunk)?;
    verdict::read(&text.unwrap_or_default())
}
