//! The threads of the embedded engine: a writer, which commits all queued writes together, and a
//! few readers.

mod group;
mod room;
mod task;
mod writer;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::thread::JoinHandle;

use arc_swap::ArcSwap;
use stockroom_fair::Next;
use tokio::sync::oneshot;

use self::task::{Task, WriteTask};
use super::awaited::awaited_read;
use super::long_reads::{self, LongRead, LongReads};
use super::open_turns::{OpenTurn, OpenTurns};
use super::{
    QUEUE_LENGTH, Queue, Receiver, UNLIMITED, WriteKind, enqueue, join, record_load, spawn, waited,
    within,
};
use crate::Error;
use crate::engine::counters::{Counters, CountersSnapshot};
use crate::engine::driver::Driver;
use crate::engine::driver::sqlite::Sqlite;
use crate::engine::pinned_snapshot::ANY_ROW;
use crate::engine::priority::{Priority, is_background};
use crate::records::catalog::Catalog;
use crate::runtime::inline_reads::{Extent, InlineReads};
use crate::runtime::work::{ReadWork, WorkError, WriteWork};
use crate::transaction::writers::Writers;
use crate::transaction::{ReadContext, ReadTx, View, WriteContext};

pub(crate) use self::room::Room;
pub(crate) use self::writer::Writer;

/// The queues in metrics.
const READS: &str = "read";
const BACKGROUND_READS: &str = "background_read";
const WRITES: &str = "write";

type ReadJob = Box<dyn FnOnce(&mut dyn Driver, &ArcSwap<Catalog>, &Writers) + Send>;

/// Queues in front of the threads.
pub(crate) struct Embedded {
    inline_reads: InlineReads,
    catalog: Arc<ArcSwap<Catalog>>,
    writers: Arc<Writers>,
    reads: Queue<ReadJob>,
    /// The reads that background threads wait for.
    background_reads: Queue<ReadJob>,
    writes: Queue<Box<dyn WriteTask>>,
    open_turns: OpenTurns,
    readers: Vec<JoinHandle<()>>,
    writer: JoinHandle<()>,
    /// The file of the database.
    path: Arc<Path>,
    long_reads: LongReads,
    /// How often those that had begun had to end, so that the log can begin again.
    ends_of_long_reads: Arc<AtomicU64>,
}

/// The reads of a thread.
struct ReadQueue {
    name: &'static str,
    jobs: Receiver<ReadJob>,
    priority: Priority,
}

impl Embedded {
    /// Starts a thread for every connection.
    pub(crate) fn start(
        path: &Path,
        write_thread: Writer,
        (read_connections, background_connections): (Vec<Sqlite>, Vec<Sqlite>),
        inline_reads: InlineReads,
        catalog: &Arc<ArcSwap<Catalog>>,
        writers: &Arc<Writers>,
    ) -> Result<Self, Error> {
        let reads = Queue::new(QUEUE_LENGTH, read_connections.len());
        let background_reads = Queue::new(QUEUE_LENGTH, UNLIMITED);
        let write_jobs = Queue::new(QUEUE_LENGTH, UNLIMITED);
        let reader = |name: String, connection: Sqlite, queue: ReadQueue| {
            let (catalog, writers) = (Arc::clone(catalog), Arc::clone(writers));
            spawn(name, move || {
                read_loop(connection, &queue, &catalog, &writers);
            })
        };
        let mut readers = Vec::new();
        for (number, connection) in read_connections.into_iter().enumerate() {
            let queue = ReadQueue {
                name: READS,
                jobs: reads.receiver(),
                priority: Priority::Low,
            };
            readers.push(reader(format!("store-read-{number}"), connection, queue)?);
        }
        for (number, connection) in background_connections.into_iter().enumerate() {
            let queue = ReadQueue {
                name: BACKGROUND_READS,
                jobs: background_reads.receiver(),
                priority: Priority::Background,
            };
            let name = format!("store-read-background-{number}");
            readers.push(reader(name, connection, queue)?);
        }
        let (published, write_queue) = (Arc::clone(catalog), write_jobs.receiver());
        let ends_of_long_reads = write_thread.checkpoints.ends_of_long_reads();
        let write_thread = spawn("store-write".to_owned(), move || {
            write_thread.run(&write_queue, &published);
        })?;
        Ok(Self {
            inline_reads,
            catalog: Arc::clone(catalog),
            writers: Arc::clone(writers),
            reads,
            background_reads,
            writes: write_jobs,
            open_turns: OpenTurns::default(),
            readers,
            writer: write_thread,
            path: path.into(),
            long_reads: LongReads::default(),
            ends_of_long_reads,
        })
    }

    /// Whether there is a newer catalog than `known`.
    pub(crate) fn is_behind(&self, known: &Arc<Catalog>) -> bool {
        !Arc::ptr_eq(&self.catalog.load(), known)
    }

    /// Runs a read on the calling thread while it is short, otherwise on a reader thread. Those that
    /// nobody waits for have reader threads of their own.
    pub(crate) async fn read<T: Send + 'static, E: WorkError>(
        &self,
        context: &ReadContext<'_>,
        extent: Extent,
        work: impl ReadWork<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let is_background = is_background();
        let catalog = || self.catalog.load_full();
        // A background thread might be interrupted for long while it holds one of few connections.
        if !is_background
            && let Some(result) = self.inline_reads.run(extent, &self.writers, catalog, &work)
        {
            return result;
        }
        let (reply, answer) = oneshot::channel();
        let (_waiting, read) = awaited_read();
        let job: ReadJob = Box::new(move |driver, catalog, writers| {
            // `work` is dropped first, so that a caller with its answer holds nothing of it.
            // Sending fails if the caller is gone.
            let flag = driver.stop_flag();
            let result = loop {
                let catalog = catalog.load_full();
                let result =
                    in_snapshot(driver, &catalog, writers, |tx| read.run(&flag, || work(tx)));
                if !driver.must_run_again() {
                    break result;
                }
                // The log had to begin again.
                let _ = driver.script("ROLLBACK");
            };
            drop(work);
            let _ = reply.send(result);
        });
        let (queue, name) = if is_background {
            (&self.background_reads, BACKGROUND_READS)
        } else {
            (&self.reads, READS)
        };
        enqueue(queue, name, context.requester, job)?;
        within(context.time_limit, answer).await
    }

    /// Starts a read with a thread of low priority, a connection and a snapshot of its own.
    pub(crate) fn read_long(&self, work: impl LongRead) -> Result<(), Error> {
        let (path, writers) = (Arc::clone(&self.path), Arc::clone(&self.writers));
        let catalog = Arc::clone(&self.catalog);
        let ends = Arc::clone(&self.ends_of_long_reads);
        self.long_reads.start(move || {
            Priority::Lower.apply();
            long_reads::run_long_read(work, |work| {
                let mut driver = Sqlite::long_reader(&path, ends)?;
                in_snapshot(&mut driver, &catalog.load_full(), &writers, |tx| {
                    work(tx);
                    Ok(())
                })
            });
        })
    }

    pub(crate) async fn write<T: Send + 'static, E: WorkError>(
        &self,
        context: WriteContext,
        kind: WriteKind,
        work: impl WriteWork<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let (reply, answer) = oneshot::channel();
        let requester = context.requester();
        let turn = match kind {
            WriteKind::Short => None,
            WriteKind::Open { in_turns: false } => Some(OpenTurn::of_nobody()),
            // Boxed to keep the future of other writes small.
            WriteKind::Open { in_turns: true } => {
                Some(Box::pin(self.open_turns.next(context.actor)).await)
            }
        };
        let task: Box<dyn WriteTask> = Box::new(Task::new(context, turn, work, reply));
        enqueue(&self.writes, WRITES, requester, task)?;
        within(None, answer).await
    }

    /// Sets the gauges of the queues.
    pub(crate) fn record_metrics(&self) {
        record_load(READS, &self.reads);
        record_load(BACKGROUND_READS, &self.background_reads);
        record_load(WRITES, &self.writes);
        metrics::gauge!("stockroom_database_up").set(1.0);
    }

    /// Lets the threads finish what is queued and waits for them.
    pub(crate) fn close(self) {
        drop((self.reads, self.background_reads));
        drop(self.inline_reads);
        join(self.readers);
        self.long_reads.join();
        // The writer's connection must be the last one, so that it can empty the log.
        drop(self.writes);
        join(vec![self.writer]);
    }
}

fn read_loop(
    mut driver: impl Driver,
    queue: &ReadQueue,
    catalog: &ArcSwap<Catalog>,
    writers: &Writers,
) {
    queue.priority.apply();
    while let Next::Work((since, job), _turn) = queue.jobs.next(None) {
        waited(queue.name, since);
        let outcome = catch_unwind(AssertUnwindSafe(|| job(&mut driver, catalog, writers)));
        if outcome.is_err() {
            tracing::error!("a read panicked");
            // An open transaction would pin its snapshot forever.
            let _ = driver.script("ROLLBACK");
        }
    }
}

fn in_snapshot<T, E: From<Error>>(
    driver: &mut dyn Driver,
    catalog: &Catalog,
    writers: &Writers,
    work: impl FnOnce(&mut ReadTx<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let counters = writers.counters();
    let snapshot = counters.and_then(Counters::snapshot);
    driver.execute("BEGIN", &[])?;
    // The first query takes the snapshot, which must then still be the one of the counters.
    driver.query(ANY_ROW, &[], &mut |_| Ok(()))?;
    let is_current = |snapshot: &CountersSnapshot| {
        counters.is_some_and(|counters| counters.is_current(snapshot))
    };
    let known = snapshot.as_ref().filter(|snapshot| is_current(snapshot));
    let view = View::Snapshot(writers, known);
    let result = work(&mut ReadTx::with(driver, catalog, view));
    driver.execute("COMMIT", &[])?;
    result
}

#[cfg(test)]
mod tests;
