//! The threads that own the connections, and the queues in front of them.

mod awaited;
pub(crate) mod checkpoint;
pub(crate) mod embedded;
pub(crate) mod erasure;
pub(crate) mod inline_reads;
pub(crate) mod long_reads;
pub(crate) mod networked;
mod open_turns;
pub(crate) mod work;

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use stockroom_fair::{FairQueue, FairReceiver, Requester};
use tokio::sync::oneshot;

use self::embedded::Embedded;
use self::long_reads::LongRead;
use self::networked::Networked;
use crate::Error;
use crate::records::catalog::Catalog;
use crate::runtime::inline_reads::Extent;
use crate::runtime::work::{Answer, Ask, ReadWork, WorkError, WriteWork};
use crate::transaction::{ReadContext, ReadTx, WriteContext};

/// Requests waiting for a thread; more are refused with [`Error::Overloaded`].
const QUEUE_LENGTH: usize = 1_024;

/// As many threads as there are may work for one requester.
const UNLIMITED: usize = usize::MAX;

/// Work for threads, with the time since which it waits.
type Queue<J> = FairQueue<(Instant, J)>;
type Receiver<J> = FairReceiver<(Instant, J)>;

/// Runs transactions.
pub(crate) enum Runtime {
    /// In this process, which has the database for itself.
    Embedded(Embedded),
    /// On a server that other nodes share.
    Networked(Networked),
}

impl Runtime {
    /// Whether reads may go to replicas.
    pub(crate) fn has_replicas(&self) -> bool {
        match self {
            Self::Embedded(_) => false,
            Self::Networked(networked) => networked.has_replicas(),
        }
    }

    /// Whether there is a newer catalog than `known`.
    pub(crate) async fn is_behind(&self, known: &Arc<Catalog>) -> bool {
        match self {
            Self::Embedded(embedded) => embedded.is_behind(known),
            Self::Networked(networked) => networked.is_behind(known).await,
        }
    }

    pub(crate) async fn read<T: Send + 'static, E: WorkError>(
        &self,
        context: &ReadContext<'_>,
        work: impl ReadWork<T, E> + Send + 'static,
    ) -> Result<T, E> {
        match self {
            Self::Embedded(embedded) => embedded.read(context, Extent::Snapshot, work).await,
            Self::Networked(networked) => networked.read(context, work).await,
        }
    }

    /// Starts a read with a thread, a connection and a snapshot of its own.
    pub(crate) fn read_long(&self, idle: Duration, work: impl LongRead) -> Result<(), Error> {
        match self {
            Self::Embedded(embedded) => embedded.read_long(work),
            Self::Networked(networked) => networked.read_long(idle, work),
        }
    }

    /// Runs a read of one statement; `None` if `ask` gives no statement.
    pub(crate) async fn fetch<Q: 'static, T: Send + 'static, E: WorkError>(
        &self,
        context: &ReadContext<'_>,
        ask: impl Ask<Q, E> + Send + 'static,
        answer: impl Answer<Q, T, E> + Send + 'static,
    ) -> Result<Option<T>, E> {
        if let Self::Networked(networked) = self
            && let Some(done) = networked.fetch(context, &ask, &answer).await
        {
            return done;
        }
        let work = move |tx: &mut ReadTx<'_>| {
            let Some(statement) = ask(tx.catalog())? else {
                return Ok(None);
            };
            let found = tx.fetch(&statement)?;
            answer(tx.catalog(), found).map(Some)
        };
        match self {
            Self::Embedded(embedded) => embedded.read(context, Extent::Statement, work).await,
            Self::Networked(networked) => networked.read(context, work).await,
        }
    }

    pub(crate) async fn write<T: Send + 'static, E: WorkError>(
        &self,
        context: WriteContext,
        kind: WriteKind,
        work: impl WriteWork<T, E> + Send + 'static,
    ) -> Result<T, E> {
        match self {
            Self::Embedded(embedded) => embedded.write(context, kind, work).await,
            Self::Networked(networked) => networked.write(context, kind, work).await,
        }
    }

    /// Sets the gauges of queues, threads and the database to what they are now.
    pub(crate) async fn record_metrics(&self) {
        match self {
            Self::Embedded(embedded) => embedded.record_metrics(),
            Self::Networked(networked) => networked.record_metrics().await,
        }
    }

    /// Gives signs of life of `node`, if others may share the database.
    pub(crate) fn announce(&self, node: &str) {
        if let Self::Networked(networked) = self {
            networked.announce(node);
        }
    }

    /// Lets the threads finish what is queued and waits for them.
    pub(crate) fn close(self) {
        match self {
            Self::Embedded(embedded) => embedded.close(),
            Self::Networked(networked) => networked.close(),
        }
    }
}

/// What a write waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteKind {
    /// Only the database.
    Short,
    /// A request, so that no other write may wait for its commit.
    Open {
        /// Whether its user has one after the other, with rests.
        in_turns: bool,
    },
}

pub(crate) fn spawn(
    name: String,
    body: impl FnOnce() + Send + 'static,
) -> Result<JoinHandle<()>, Error> {
    std::thread::Builder::new()
        .name(name)
        .spawn(body)
        .map_err(|cause| Error::File {
            path: "thread".to_owned(),
            cause,
        })
}

/// Adds work to a queue, which has this name in metrics.
fn enqueue<J>(
    queue: &Queue<J>,
    name: &'static str,
    requester: Requester,
    job: J,
) -> Result<(), Error> {
    let waiting = queue.push(requester, (Instant::now(), job));
    let waiting = waiting.map_err(|_| Error::Overloaded)?;
    metrics::gauge!("stockroom_store_queue_depth", "queue" => name).set(depth(waiting));
    Ok(())
}

/// Sets the gauges of a queue.
fn record_load<J>(name: &'static str, queue: &Queue<J>) {
    let (waiting, running) = queue.load();
    metrics::gauge!("stockroom_store_queue_depth", "queue" => name).set(depth(waiting));
    metrics::gauge!("stockroom_store_busy_threads", "queue" => name).set(depth(running));
}

/// Waits for the answer of a thread, at most for `time_limit`.
async fn within<T, E: From<Error>>(
    time_limit: Option<Duration>,
    answer: oneshot::Receiver<Result<T, E>>,
) -> Result<T, E> {
    let answer = match time_limit {
        None => answer.await,
        Some(limit) => {
            (tokio::time::timeout(limit, answer).await).map_err(|_| Error::TimeLimit(limit))?
        }
    };
    answer.map_err(|_| Error::Closed)?
}

fn join(threads: Vec<JoinHandle<()>>) {
    for thread in threads {
        if thread.join().is_err() {
            tracing::error!("a thread of the store had panicked");
        }
    }
}

fn waited(queue: &'static str, since: Instant) {
    metrics::histogram!("stockroom_store_wait_seconds", "queue" => queue).record(since.elapsed());
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a queue is far shorter than 2^53"
)]
fn depth(length: usize) -> f64 {
    length as f64
}

#[cfg(test)]
mod tests;
