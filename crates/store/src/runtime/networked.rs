//! Threads with a connection each to a database server that other nodes use as well. Every write is
//! a transaction of its own; the server decides which of those that meet comes first, and the
//! others are run again.

mod pipelined_reads;
mod watch;
mod worker;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use crossbeam_channel::{Receiver, Sender, bounded};
use tokio::sync::oneshot;

use self::pipelined_reads::PipelinedReads;
use self::watch::Watch;
use self::worker::Worker;
use super::{Freshness, QUEUE_LENGTH, enqueue, join, queued, spawn, waited};
use crate::Error;
use crate::catalog::Catalog;
use crate::disk::Disk;
use crate::driver::postgres::{Address, PostgresConfig};
use crate::id_allocator::IdAllocator;
use crate::transaction::WriteContext;
use crate::work::{Answer, Ask, ReadWork, WorkError, WriteWork};
use crate::writers::Writers;

type Job = Box<dyn FnOnce(&mut Worker) + Send>;

/// Queues in front of the threads.
pub(crate) struct Networked {
    /// For reads that one statement may answer.
    pipelined_reads: PipelinedReads,
    catalog: Arc<ArcSwap<Catalog>>,
    reads: Sender<(Instant, Job)>,
    /// For reads that need not show the newest commit.
    replica_reads: Option<Sender<(Instant, Job)>>,
    writes: Sender<(Instant, Job)>,
    ids: Arc<IdAllocator>,
    threads: Vec<JoinHandle<()>>,
    watch: Watch,
    /// How long a request waits for the database.
    patience: Duration,
}

impl Networked {
    /// Starts the threads; they connect when they are first needed.
    pub(crate) fn start(
        address: &Address,
        replica: Option<&Address>,
        network: &PostgresConfig,
        catalog: &Arc<ArcSwap<Catalog>>,
        disk: &Arc<Disk>,
    ) -> Result<Self, Error> {
        let connections = network.connections.max(1);
        let ids = Arc::new(IdAllocator::new(address.clone()));
        let writers = Arc::new(Writers::shared(Arc::clone(&ids)));
        let worker_at = |address: &Address| {
            let (catalog, writers) = (Arc::clone(catalog), Arc::clone(&writers));
            Worker::new(address.clone(), catalog, writers, Arc::clone(disk))
        };
        let worker = || worker_at(address);
        let (reads, read_queue) = bounded(QUEUE_LENGTH);
        let (write_jobs, write_queue) = bounded(QUEUE_LENGTH);
        let mut threads = Vec::new();
        for number in 0..connections {
            threads.push(start_thread("read", number, &read_queue, worker())?);
        }
        let replica_reads = match replica {
            Some(replica) => {
                let (reads, queue) = bounded(QUEUE_LENGTH);
                for number in 0..connections {
                    threads.push(start_thread("replica", number, &queue, worker_at(replica))?);
                }
                Some(reads)
            }
            None => None,
        };
        for number in 0..(connections / 2).max(1) {
            threads.push(start_thread("write", number, &write_queue, worker())?);
        }
        // A connection that is dead must not keep it from what another one would tell.
        let watching = worker_at(&address.impatient());
        let watch = Watch::start(watching, network.catalog_checks_per_second)?;
        Ok(Self {
            pipelined_reads: PipelinedReads::new(address, connections / 2),
            catalog: Arc::clone(catalog),
            reads,
            replica_reads,
            writes: write_jobs,
            ids,
            threads,
            watch,
            patience: network.patience,
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

    pub(crate) const fn has_replicas(&self) -> bool {
        self.replica_reads.is_some()
    }

    /// What one statement finds, on a connection that others share; `None` if it has to be asked in
    /// another way.
    pub(crate) async fn fetch<Q, T, E>(
        &self,
        freshness: Freshness,
        ask: impl Ask<Q, E>,
        answer: impl Answer<Q, T, E>,
    ) -> Option<Result<T, E>> {
        if matches!(freshness, Freshness::Since(_)) && self.has_replicas() {
            return None;
        }
        let catalog = self.catalog.load_full();
        // What an outdated catalog refuses is asked again with the catalog of a snapshot.
        let statement = ask(&catalog).ok()??;
        let found = self.pipelined_reads.fetch(&statement, catalog.versions);
        let found = found.await?;
        Some(answer(&catalog, found))
    }

    /// Runs a read, on a replica if that will do and the replica is there and new enough.
    pub(crate) async fn read<T: Send + 'static, E: WorkError>(
        &self,
        freshness: Freshness,
        work: impl ReadWork<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let work = match (freshness, &self.replica_reads) {
            (Freshness::Since(commit), Some(queue)) => {
                match Self::read_replica(queue, commit, work).await? {
                    Ok(done) => return done,
                    Err(work) => work,
                }
            }
            _ => work,
        };
        let (reply, answer) = oneshot::channel();
        let since = Instant::now();
        let deadline = since + self.patience;
        let job: Job = Box::new(move |worker| {
            let result = worker.read(deadline, &work);
            // Whoever has its answer holds nothing of this any more; whoever asked may have gone,
            // and there is nobody to tell.
            drop(work);
            let _ = reply.send(result);
            // Nobody waits for the end of a transaction that only looked.
            worker.finish();
        });
        enqueue(&self.reads, (since, job))?;
        queued("read", self.reads.len());
        answer.await.map_err(|_| Error::Closed)?
    }

    /// Gives the work back if it has to be done on the primary.
    async fn read_replica<T, E, W>(
        queue: &Sender<(Instant, Job)>,
        commit: i64,
        work: W,
    ) -> Result<Result<Result<T, E>, W>, E>
    where
        T: Send + 'static,
        E: WorkError,
        W: ReadWork<T, E> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |worker| {
            let done = worker.read_since(commit, &work);
            let _ = reply.send(done.ok_or(work));
            worker.finish();
        });
        enqueue(queue, (Instant::now(), job))?;
        queued("replica", queue.len());
        answer.await.map_err(|_| Error::Closed.into())
    }

    pub(crate) async fn write<T: Send + 'static, E: WorkError>(
        &self,
        context: WriteContext,
        work: impl WriteWork<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let (reply, answer) = oneshot::channel();
        let since = Instant::now();
        let deadline = since + self.patience;
        let has_replicas = self.has_replicas();
        let job: Job = Box::new(move |worker| {
            if !reply.is_closed() {
                let result = worker.write(&context, deadline, has_replicas, &work);
                drop(work);
                let _ = reply.send(result);
            }
        });
        enqueue(&self.writes, (since, job))?;
        queued("write", self.writes.len());
        answer.await.map_err(|_| Error::Closed)?
    }

    pub(crate) fn close(mut self) {
        drop((self.pipelined_reads, self.reads, self.replica_reads));
        drop(self.writes);
        self.threads.push(self.watch.close());
        join(self.threads);
        self.ids.give_back();
    }
}

fn start_thread(
    kind: &'static str,
    number: usize,
    queue: &Receiver<(Instant, Job)>,
    mut worker: Worker,
) -> Result<JoinHandle<()>, Error> {
    let queue = queue.clone();
    spawn(format!("store-{kind}-{number}"), move || {
        while let Ok((since, job)) = queue.recv() {
            waited(kind, since);
            if catch_unwind(AssertUnwindSafe(|| job(&mut worker))).is_err() {
                tracing::error!("a transaction panicked");
                // Whatever it left half done goes with the connection.
                worker.disconnect();
            }
        }
    })
}
