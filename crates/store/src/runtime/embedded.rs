//! The threads of the embedded engine: one writer that commits all queued writes together, a few readers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use tokio::sync::oneshot;

use super::{QUEUE_LENGTH, depth, enqueue, join, queued, spawn, waited};
use crate::Error;
use crate::anchor::{ANY_ROW, Anchor};
use crate::catalog::Catalog;
use crate::checkpoint::Checkpoints;
use crate::directory::HighWater;
use crate::disk::{Disk, REWRITE_ANY};
use crate::driver::Driver;
use crate::lookup::{Extent, Lookups};
use crate::newest_change;
use crate::transaction::{Commit, ReadTx, WriteContext, WriteTx};

/// Writes that share one commit at most.
const GROUP_SIZE: usize = 256;
/// How long a group takes up more writes, unless its commit takes longer: a long one is a long pause for reads on the same core, and so
/// is the crowd of answers at its end.
const GROUP_TIME: Duration = Duration::from_millis(2);

/// How often a full disk is tried again.
const PROBE_INTERVAL: Duration = Duration::from_secs(1);

/// Steps by which a thread that writes stands back behind the others.
#[cfg(target_os = "linux")]
const WRITER_NICENESS: i32 = 10;

type ReadJob = Box<dyn FnOnce(&mut dyn Driver, &Catalog) + Send>;

/// Queues in front of the threads.
pub(crate) struct Embedded {
    lookups: Lookups,
    catalog: Arc<ArcSwap<Catalog>>,
    reads: Sender<(Instant, ReadJob)>,
    writes: Sender<(Instant, Box<dyn WriteTask>)>,
    readers: Vec<JoinHandle<()>>,
    writer: JoinHandle<()>,
}

/// What the thread that writes works with.
pub(crate) struct Writer {
    pub(crate) driver: Box<dyn Driver + Send>,
    pub(crate) anchor: Anchor,
    pub(crate) checkpoints: Checkpoints,
    pub(crate) high_water: HighWater,
    pub(crate) disk: Arc<Disk>,
}

impl Embedded {
    /// Starts a thread for every connection.
    pub(crate) fn start(
        write_thread: Writer,
        read_connections: Vec<Box<dyn Driver + Send>>,
        lookups: Lookups,
        catalog: &Arc<ArcSwap<Catalog>>,
    ) -> Result<Self, Error> {
        let (reads, read_queue) = bounded(QUEUE_LENGTH);
        let (writes, write_queue) = bounded(QUEUE_LENGTH);
        let mut readers = Vec::with_capacity(read_connections.len());
        for (number, connection) in read_connections.into_iter().enumerate() {
            let (queue, catalog) = (read_queue.clone(), Arc::clone(catalog));
            readers.push(spawn(format!("store-read-{number}"), move || {
                read_loop(connection, &queue, &catalog);
            })?);
        }
        let published = Arc::clone(catalog);
        let write_thread = spawn("store-write".to_owned(), move || {
            write_thread.run(&write_queue, &published);
        })?;
        Ok(Self {
            lookups,
            catalog: Arc::clone(catalog),
            reads,
            writes,
            readers,
            writer: write_thread,
        })
    }

    /// Whether there is a newer catalog than `known`.
    pub(crate) fn is_behind(&self, known: &Arc<Catalog>) -> bool {
        !Arc::ptr_eq(&self.catalog.load(), known)
    }

    /// Runs a read where it is asked for as long as it is short, else on a thread of its own.
    pub(crate) async fn read<T, E, F>(&self, extent: Extent, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
        F: Fn(&mut ReadTx<'_>) -> Result<T, E> + Send + 'static,
    {
        if let Some(result) = self.lookups.run(extent, || self.catalog.load_full(), &work) {
            return result;
        }
        let (reply, answer) = oneshot::channel();
        let job: ReadJob = Box::new(move |driver, catalog| {
            // Whoever asked may have gone; then there is nobody to tell.
            let _ = reply.send(in_snapshot(driver, catalog, &work));
        });
        enqueue(&self.reads, (Instant::now(), job))?;
        queued("read", self.reads.len());
        answer.await.map_err(|_| Error::Closed)?
    }

    pub(crate) async fn write<T, E, F>(&self, context: WriteContext, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
        F: Fn(&mut WriteTx<'_>) -> Result<T, E> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let task: Box<dyn WriteTask> = Box::new(Task {
            context,
            work,
            result: None,
            reply,
        });
        enqueue(&self.writes, (Instant::now(), task))?;
        queued("write", self.writes.len());
        answer.await.map_err(|_| Error::Closed)?
    }

    /// Lets the threads finish what is queued and waits for them.
    pub(crate) fn close(self) {
        drop(self.reads);
        drop(self.lookups);
        join(self.readers);
        // The last connection, so that the log can be emptied.
        drop(self.writes);
        join(vec![self.writer]);
    }
}

fn read_loop(
    mut driver: Box<dyn Driver + Send>,
    queue: &Receiver<(Instant, ReadJob)>,
    catalog: &ArcSwap<Catalog>,
) {
    while let Ok((since, job)) = queue.recv() {
        waited("read", since);
        let catalog = catalog.load_full();
        let outcome = catch_unwind(AssertUnwindSafe(|| job(driver.as_mut(), &catalog)));
        if outcome.is_err() {
            tracing::error!("a read panicked");
            // The transaction that it left open would pin its snapshot for good.
            let _ = driver.script("ROLLBACK");
        }
    }
}

fn in_snapshot<T, E: From<Error>>(
    driver: &mut dyn Driver,
    catalog: &Catalog,
    work: &impl Fn(&mut ReadTx<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let shown = catalog.counters.shown();
    driver.execute("BEGIN", &[])?;
    let result = match shown {
        Some(shown) => {
            // The snapshot is taken by the first look; then it must still be that of the counters.
            driver.query(ANY_ROW, &[], &mut |_| Ok(()))?;
            let known = catalog.counters.are_still(&shown).then_some(&shown);
            work(&mut ReadTx::new(driver, catalog).knowing(known))
        }
        None => work(&mut ReadTx::new(driver, catalog)),
    };
    driver.execute("COMMIT", &[])?;
    result
}

/// A queued write: runs inside the group's transaction, answers after its commit.
trait WriteTask: Send {
    /// Whether the write is to be kept.
    fn run(&mut self, driver: &mut dyn Driver, catalog: &Catalog, commit: &mut Commit) -> bool;
    /// Whether somebody still waits for the answer.
    fn is_wanted(&self) -> bool;
    /// Answers; `undone` says why the commit failed.
    fn finish(self: Box<Self>, undone: Option<&Undone>);
}

struct Task<T, E, F> {
    context: WriteContext,
    work: F,
    result: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

impl<T, E, F> WriteTask for Task<T, E, F>
where
    T: Send,
    E: From<Error> + Send,
    F: Fn(&mut WriteTx<'_>) -> Result<T, E> + Send,
{
    fn run(&mut self, driver: &mut dyn Driver, catalog: &Catalog, commit: &mut Commit) -> bool {
        let result = (self.work)(&mut WriteTx::new(driver, catalog, &self.context, commit));
        let keep = result.is_ok();
        self.result = Some(result);
        keep
    }

    fn is_wanted(&self) -> bool {
        !self.reply.is_closed()
    }

    fn finish(self: Box<Self>, undone: Option<&Undone>) {
        let result = match (self.result, undone) {
            (Some(Ok(_)), Some(undone)) => Err(undone.error().into()),
            (Some(result), _) => result,
            (None, _) => Err(Error::Undone("the write panicked".to_owned()).into()),
        };
        let _ = self.reply.send(result);
    }
}

/// Lets readers go before this thread where cores are short: a write has to wait for the disk anyway, a read is over before it is
/// noticed.
pub(crate) fn give_way() {
    // Only Linux takes it for the thread alone. Where it is refused, reads are only slower.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(WRITER_NICENESS);
}

/// Why a commit failed.
struct Undone {
    reason: String,
    is_disk_full: bool,
}

impl Undone {
    fn error(&self) -> Error {
        let reason = self.reason.clone();
        if self.is_disk_full {
            Error::DiskFull(reason)
        } else {
            Error::Undone(reason)
        }
    }
}

impl Writer {
    fn run(mut self, queue: &Receiver<(Instant, Box<dyn WriteTask>)>, catalog: &ArcSwap<Catalog>) {
        give_way();
        self.anchor.hold();
        let mut patience = GROUP_TIME;
        while let Some(first) = self.next(queue) {
            self.anchor.release();
            let mut group = Group {
                catalog: catalog.load_full(),
                commit: Commit::alone(),
                tasks: Vec::new(),
                patience,
                newest_change: None,
            };
            let began = Instant::now();
            let outcome = group.commit(self.driver.as_mut(), first, queue);
            group.commit.log_if_slow(began.elapsed());
            let undone = match outcome {
                // Everybody sees the commit before it is acknowledged.
                Ok(changed) => {
                    if let Some(changed) = changed {
                        catalog.store(Arc::new(changed));
                    }
                    self.committed(group.newest_change);
                    None
                }
                Err(error) => {
                    tracing::error!(%error, "a commit failed");
                    let _ = self.driver.script("ROLLBACK");
                    Some(Undone {
                        reason: error.to_string(),
                        // What fails after the disk is full, such as a rollback, says something else.
                        is_disk_full: self.disk.is_full(),
                    })
                }
            };
            patience = group.patience;
            self.anchor.hold();
            for task in group.tasks {
                task.finish(undone.as_ref());
            }
        }
        self.end();
    }

    /// The next write. While the disk is full, it is tried every second whether it still is: nobody may write meanwhile.
    fn next(
        &mut self,
        queue: &Receiver<(Instant, Box<dyn WriteTask>)>,
    ) -> Option<(Instant, Box<dyn WriteTask>)> {
        while self.disk.is_full() {
            match queue.recv_timeout(PROBE_INTERVAL) {
                Ok(write) => return Some(write),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => self.probe(),
            }
        }
        queue.recv().ok()
    }

    fn probe(&mut self) {
        self.anchor.release();
        let written = self
            .driver
            .execute("BEGIN IMMEDIATE", &[])
            .and_then(|_| self.driver.execute(REWRITE_ANY, &[]))
            .and_then(|_| self.driver.execute("COMMIT", &[]));
        match written {
            Ok(_) => self.disk.has_room(),
            Err(_) => _ = self.driver.script("ROLLBACK"),
        }
        self.anchor.hold();
    }

    /// Before the commit is acknowledged.
    fn committed(&self, newest_change: Option<i64>) {
        let Some(change) = newest_change else {
            return;
        };
        self.disk.has_room();
        if let Err(error) = self.high_water.record(change) {
            tracing::warn!(%error, "the newest change could not be recorded");
        }
    }

    /// Leaves everything in the database file, so that a copy of it is complete.
    fn end(mut self) {
        self.anchor.release();
        self.checkpoints.end();
        if let Err(error) = self.driver.script("PRAGMA wal_checkpoint(TRUNCATE)") {
            tracing::error!(%error, "the log could not be emptied; keep it beside the database");
        }
    }
}

/// Writes that share a commit.
struct Group {
    catalog: Arc<Catalog>,
    commit: Commit,
    tasks: Vec<Box<dyn WriteTask>>,
    /// How long it takes up more of them; after the commit, how long the next one does.
    patience: Duration,
    /// The number of the last change, if there was one.
    newest_change: Option<i64>,
}

impl Group {
    /// Runs what is queued in one transaction; gives the catalog if it changed.
    fn commit(
        &mut self,
        driver: &mut dyn Driver,
        first: (Instant, Box<dyn WriteTask>),
        queue: &Receiver<(Instant, Box<dyn WriteTask>)>,
    ) -> Result<Option<Catalog>, Error> {
        driver.execute("BEGIN IMMEDIATE", &[])?;
        let began = Instant::now();
        let mut next = Some(first);
        while let Some((since, task)) = next {
            waited("write", since);
            self.run_one(driver, task)?;
            next = if self.takes_more(began) {
                queue.try_recv().ok()
            } else {
                None
            };
        }
        metrics::histogram!("stockroom_store_group_size").record(depth(self.tasks.len()));
        let counted = self.commit.flush(driver)?;
        // Loaded before the commit: afterwards a failure could no longer undo it.
        let changed = self.commit.changed_catalog(driver, &self.catalog)?;
        if !self.commit.touched.is_empty() {
            self.newest_change = Some(newest_change(driver)?);
        }
        let counters = Arc::clone(&self.catalog.counters);
        let began = Instant::now();
        counters.during(&counted, || driver.execute("COMMIT", &[]))?;
        // Where the disk is slow, more writes have to share its time.
        self.patience = GROUP_TIME.max(began.elapsed());
        Ok(changed)
    }

    /// Whether another write may share the commit. A write that changes the catalog ends its group,
    /// because the next write must be checked against the rights that it left.
    fn takes_more(&self, began: Instant) -> bool {
        self.tasks.len() < GROUP_SIZE
            && began.elapsed() < self.patience
            && !self.commit.changes_catalog()
    }

    /// One write in a savepoint of its own, so that its failure undoes it and nothing else.
    fn run_one(
        &mut self,
        driver: &mut dyn Driver,
        mut task: Box<dyn WriteTask>,
    ) -> Result<(), Error> {
        if !task.is_wanted() {
            return Ok(());
        }
        driver.execute("SAVEPOINT task", &[])?;
        let mark = self.commit.mark();
        let keep = catch_unwind(AssertUnwindSafe(|| {
            task.run(driver, &self.catalog, &mut self.commit)
        }));
        if !matches!(keep, Ok(true)) {
            driver.execute("ROLLBACK TO task", &[])?;
            self.commit.undo(mark);
        }
        self.tasks.push(task);
        driver.execute("RELEASE task", &[])?;
        Ok(())
    }
}
