//! Threads that each have a connection to a database server, which other nodes share. Every write
//! is a transaction of its own. Of conflicting ones the server lets one through, and the others are
//! retried.

mod pipelined_reads;
mod watch;
mod worker;
mod writes;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use stockroom_fair::{Next, Requester};
use tokio::sync::oneshot;

use self::pipelined_reads::PipelinedReads;
use self::watch::Watch;
use self::worker::Worker;
use super::awaited::awaited_read;
use super::long_reads::{LongRead, LongReads};
use super::open_turns::OpenTurns;
use super::{
    QUEUE_LENGTH, Queue, Receiver, UNLIMITED, enqueue, join, record_load, spawn, waited, within,
};
use crate::Error;
use crate::engine::disk::Disk;
use crate::engine::driver::postgres::{Address, PostgresConfig};
use crate::engine::id_allocator::IdAllocator;
use crate::engine::priority::{Priority, is_background};
use crate::records::catalog::Catalog;
use crate::runtime::work::{Answer, Ask, ReadWork, WorkError};
use crate::transaction::ReadContext;
use crate::transaction::writers::Writers;

type Job = Box<dyn FnOnce(&mut Worker) + Send>;
type Jobs = Queue<Job>;

const READS: &str = "read";
const BACKGROUND_READS: &str = "background_read";
const REPLICA_READS: &str = "replica";
const WRITES: &str = "write";
const BACKGROUND_WRITES: &str = "background_write";

/// How long the lag of a replica may take to be read.
const REPLICA_PATIENCE: Duration = Duration::from_secs(1);

/// Two, so that an import does not wait for a batch of the search index.
const BACKGROUND_THREADS: usize = 2;

/// Queues in front of the threads.
pub(crate) struct Networked {
    /// For reads of a single statement.
    pipelined_reads: PipelinedReads,
    catalog: Arc<ArcSwap<Catalog>>,
    long_reads: LongReads,
    address: Address,
    disk: Arc<Disk>,
    /// Dropped before the queues, while threads still hold it: it may own a connection, which
    /// asynchronous code cannot drop.
    writers: Arc<Writers>,
    reads: Jobs,
    /// The reads that background threads wait for.
    background_reads: Jobs,
    /// For reads that need not show the newest commit.
    replica_reads: Option<Jobs>,
    writes: Jobs,
    /// The writes that background threads wait for.
    background_writes: Jobs,
    ids: Arc<IdAllocator>,
    threads: Vec<JoinHandle<()>>,
    watch: Watch,
    /// What this node is called where it works on jobs and imports.
    node: Arc<OnceLock<String>>,
    /// How long a request waits for an unavailable database.
    unavailable_timeout: Duration,
    /// The turns of open transactions that run alone.
    open_turns: OpenTurns,
}

impl Networked {
    /// Starts the threads; they connect on first use.
    pub(crate) fn start(
        address: &Address,
        replica: Option<&Address>,
        config: &PostgresConfig,
        catalog: &Arc<ArcSwap<Catalog>>,
        disk: &Arc<Disk>,
    ) -> Result<Self, Error> {
        let connections = config.connections.max(1);
        let ids = Arc::new(IdAllocator::new(address.clone()));
        let writers = Arc::new(Writers::shared(Arc::clone(&ids), address.clone()));
        let worker_at = |address: &Address| {
            let (catalog, writers) = (Arc::clone(catalog), Arc::clone(&writers));
            Worker::new(address.clone(), catalog, writers, Arc::clone(disk))
        };
        let worker = || worker_at(address);
        let mut threads = Vec::new();
        let mut start = |kind, priority: Option<Priority>, count, worker: &dyn Fn() -> Worker| {
            // Background work of one user may use all of its few threads.
            let is_background = priority == Some(Priority::Background);
            let max_running = if is_background { UNLIMITED } else { count };
            let queue = Jobs::new(QUEUE_LENGTH, max_running);
            for number in 0..count {
                threads.push(start_thread(
                    kind,
                    number,
                    priority,
                    queue.receiver(),
                    worker(),
                )?);
            }
            Ok::<_, Error>(queue)
        };
        let reads = start(READS, Some(Priority::Low), connections, &worker)?;
        let replica_reads = replica.map(|replica| {
            let worker = || worker_at(replica);
            start(REPLICA_READS, Some(Priority::Low), connections, &worker)
        });
        let write_jobs = start(WRITES, None, connections, &worker)?;
        let mut in_background = |kind| {
            start(
                kind,
                Some(Priority::Background),
                BACKGROUND_THREADS,
                &worker,
            )
        };
        let background_reads = in_background(BACKGROUND_READS)?;
        let background_writes = in_background(BACKGROUND_WRITES)?;
        // The short timeout keeps a dead connection from delaying a look on a new one.
        let watching = worker_at(&address.with_short_timeout());
        let node = Arc::default();
        let watch = Watch::start(watching, config.catalog_checks_per_second, &node)?;
        Ok(Self {
            pipelined_reads: PipelinedReads::new(address, connections / 2),
            catalog: Arc::clone(catalog),
            reads,
            background_reads,
            replica_reads: replica_reads.transpose()?,
            writes: write_jobs,
            background_writes,
            ids,
            threads,
            watch,
            node,
            unavailable_timeout: config.unavailable_timeout,
            open_turns: OpenTurns::default(),
            address: address.clone(),
            writers,
            disk: Arc::clone(disk),
            long_reads: LongReads::default(),
        })
    }

    /// Whether there is a newer catalog than `known`, after a look at the database.
    pub(crate) async fn is_behind(&self, known: &Arc<Catalog>) -> bool {
        let is_newer = || !Arc::ptr_eq(&self.catalog.load(), known);
        if !is_newer() {
            self.watch.look().await;
        }
        is_newer()
    }

    /// Gives signs of life of this node, under the first name that it is given.
    pub(crate) fn announce(&self, node: &str) {
        self.node.get_or_init(|| node.to_owned());
    }

    pub(crate) const fn has_replicas(&self) -> bool {
        self.replica_reads.is_some()
    }

    /// Runs a read of one statement on a shared connection; `None` if it must run in another way.
    /// The result is `None` if `ask` gives no statement.
    pub(crate) async fn fetch<Q, T, E>(
        &self,
        context: &ReadContext<'_>,
        ask: impl Ask<Q, E>,
        answer: impl Answer<Q, T, E>,
    ) -> Option<Result<Option<T>, E>> {
        if context.commit_token.is_some() && self.has_replicas() {
            return None;
        }
        let catalog = self.catalog.load_full();
        // If an outdated catalog refuses it, the read is retried with the catalog of a snapshot.
        let Some(statement) = ask(&catalog).ok()? else {
            return Some(Ok(None));
        };
        let found = self.pipelined_reads.fetch(&statement, catalog.versions);
        let found = found.await?;
        Some(answer(&catalog, found).map(Some))
    }

    /// Runs a read, on a replica if one is allowed, available and recent enough.
    pub(crate) async fn read<T: Send + 'static, E: WorkError>(
        &self,
        context: &ReadContext<'_>,
        work: impl ReadWork<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let work = match (context.commit_token, &self.replica_reads) {
            (Some(token), Some(queue)) => {
                match Self::read_replica(queue, context, token.number(), work).await? {
                    Ok(done) => return done,
                    Err(work) => work,
                }
            }
            _ => work,
        };
        let (reply, answer) = oneshot::channel();
        let (_waiting, read) = awaited_read();
        let deadline = Instant::now() + self.unavailable_timeout;
        let job: Job = Box::new(move |worker| {
            let flag = worker.stop_flag();
            let result = read.run(&flag, || worker.read(deadline, &work));
            // `work` is dropped first, so that a caller with its answer holds nothing of it.
            // Sending fails if the caller is gone.
            drop(work);
            let _ = reply.send(result);
            // Nobody waits for the end of a read-only transaction.
            worker.finish();
        });
        let (queue, name) = if is_background() {
            (&self.background_reads, BACKGROUND_READS)
        } else {
            (&self.reads, READS)
        };
        enqueue(queue, name, context.requester, job)?;
        within(context.time_limit, answer).await
    }

    /// Starts a read on the primary with a thread, a connection and a snapshot of its own. Its
    /// statements may be as far apart as `idle`.
    pub(crate) fn read_long(&self, idle: Duration, work: impl LongRead) -> Result<(), Error> {
        let (catalog, writers) = (Arc::clone(&self.catalog), Arc::clone(&self.writers));
        let worker = Worker::new(
            self.address.clone(),
            catalog,
            writers,
            Arc::clone(&self.disk),
        );
        let deadline = Instant::now() + self.unavailable_timeout;
        self.long_reads
            .start(move || worker.read_long(deadline, idle, work))
    }

    /// Returns `work` in the inner `Err` if it must run on the primary.
    async fn read_replica<T, E, W>(
        queue: &Jobs,
        context: &ReadContext<'_>,
        commit: i64,
        work: W,
    ) -> Result<Result<Result<T, E>, W>, E>
    where
        T: Send + 'static,
        E: WorkError,
        W: ReadWork<T, E> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let (_waiting, read) = awaited_read();
        let job: Job = Box::new(move |worker| {
            let flag = worker.stop_flag();
            let done = read.run(&flag, || Ok::<_, Error>(worker.read_since(commit, &work)));
            let _ = reply.send(done.map(|done| done.ok_or(work)));
            worker.finish();
        });
        enqueue(queue, REPLICA_READS, context.requester, job)?;
        Ok(within(context.time_limit, answer).await?)
    }

    /// Sets the gauges of the queues and of the database.
    pub(crate) async fn record_metrics(&self) {
        record_load(READS, &self.reads);
        record_load(BACKGROUND_READS, &self.background_reads);
        record_load(WRITES, &self.writes);
        record_load(BACKGROUND_WRITES, &self.background_writes);
        let is_up = self.watch.is_well();
        metrics::gauge!("stockroom_database_up").set(f64::from(u8::from(is_up)));
        if let Some(queue) = &self.replica_reads {
            record_load(REPLICA_READS, queue);
            if let Some(seconds) = Self::replica_lag(queue).await {
                metrics::gauge!("stockroom_replica_lag_seconds").set(seconds);
            }
        }
    }

    /// How far a replica is behind; `None` if none answers at once.
    async fn replica_lag(queue: &Jobs) -> Option<f64> {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |worker| {
            let _ = reply.send(worker.replica_lag());
        });
        enqueue(queue, REPLICA_READS, Requester::SERVICE, job).ok()?;
        within(Some(REPLICA_PATIENCE), answer).await.ok()
    }

    pub(crate) fn close(mut self) {
        drop(self.pipelined_reads);
        drop((self.reads, self.background_reads, self.replica_reads));
        drop((self.writes, self.background_writes));
        self.threads.push(self.watch.close());
        join(self.threads);
        self.long_reads.join();
        self.ids.give_back();
    }
}

fn start_thread(
    kind: &'static str,
    number: usize,
    priority: Option<Priority>,
    queue: Receiver<Job>,
    mut worker: Worker,
) -> Result<JoinHandle<()>, Error> {
    spawn(format!("store-{kind}-{number}"), move || {
        if let Some(priority) = priority {
            priority.apply();
        }
        while let Next::Work((since, job), _turn) = queue.next(None) {
            waited(kind, since);
            if catch_unwind(AssertUnwindSafe(|| job(&mut worker))).is_err() {
                tracing::error!("a transaction panicked");
                // Drops unfinished work together with the connection.
                worker.disconnect();
            }
        }
    })
}
