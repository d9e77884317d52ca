//! Keeps the catalog up to date with other nodes, for requests that do not read the database
//! themselves.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use tokio::sync::oneshot;

use super::worker::Worker;
use crate::Error;
use crate::engine::driver::postgres::wait;
use crate::records::heartbeat;
use crate::runtime::{QUEUE_LENGTH, spawn};

/// How often to look. A token revoked on another node is refused here after this time.
const INTERVAL: Duration = Duration::from_millis(250);

/// A thread that compares the catalog in memory with the database, at intervals and on request.
pub(super) struct Watch {
    requests: Sender<Request>,
    /// Whether the last look succeeded.
    is_well: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

type Request = oneshot::Sender<()>;

/// Why the thread looks at the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// The interval is over.
    Interval,
    /// Requests would otherwise be refused.
    Requests,
}

impl Watch {
    /// Starts the thread; requests make it look at most `per_second` times a second. Once the
    /// `node` has a name, it gives signs of life.
    pub(super) fn start(
        mut worker: Worker,
        per_second: u32,
        node: &Arc<OnceLock<String>>,
    ) -> Result<Self, Error> {
        let (requests, asked) = bounded(QUEUE_LENGTH);
        let pause = Duration::from_secs(1) / per_second.max(1);
        let node = Arc::clone(node);
        let mut beats_at = Instant::now();
        let look = move |cause| {
            worker.refresh(cause)?;
            if let Some(node) = node.get().filter(|_| Instant::now() >= beats_at) {
                worker.beat(node)?;
                beats_at = Instant::now() + heartbeat::INTERVAL;
            }
            Ok(())
        };
        let is_well = Arc::new(AtomicBool::new(true));
        let seen = Arc::clone(&is_well);
        let thread = spawn("store-watch".to_owned(), move || {
            run(&asked, pause, &seen, look);
        })?;
        Ok(Self {
            requests,
            is_well,
            thread,
        })
    }

    /// Waits for a look at the database, unless too many requests are waiting.
    pub(super) async fn look(&self) {
        let (reply, answer) = oneshot::channel();
        if self.requests.try_send(reply).is_ok() {
            // A thread that has ended does not look again.
            let _ = answer.await;
        }
    }

    /// Whether the database answered at the last look.
    pub(super) fn is_well(&self) -> bool {
        self.is_well.load(Ordering::Relaxed)
    }

    /// Closes the queue, so that the thread ends.
    pub(super) fn close(self) -> JoinHandle<()> {
        self.thread
    }
}

/// Looks until the queue is closed. All waiting requests share a look.
fn run(
    requests: &Receiver<Request>,
    pause: Duration,
    is_well: &AtomicBool,
    mut look: impl FnMut(Cause) -> Result<(), Error>,
) {
    let mut due = Instant::now() + INTERVAL;
    let mut next_request = Instant::now();
    loop {
        let first = match requests.recv_deadline(due) {
            Ok(request) => Some(request),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        if first.is_some() {
            wait(next_request.saturating_duration_since(Instant::now()));
        }
        let waiting: Vec<Request> = first.into_iter().chain(requests.try_iter()).collect();
        let cause = if Instant::now() < due {
            Cause::Requests
        } else {
            Cause::Interval
        };
        match look(cause) {
            Ok(()) => {
                if !is_well.swap(true, Ordering::Relaxed) {
                    tracing::info!("the database is back");
                }
            }
            Err(error) => {
                if is_well.swap(false, Ordering::Relaxed) {
                    tracing::error!(%error, "the database is not available");
                }
            }
        }
        for request in waiting {
            // The caller may be gone.
            let _ = request.send(());
        }
        next_request = Instant::now() + pause;
        if cause == Cause::Interval {
            due = Instant::now() + INTERVAL;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_that_wait_share_a_look() {
        let (requests, asked) = bounded(QUEUE_LENGTH);
        let answers: Vec<_> = std::iter::repeat_with(|| {
            let (reply, answer) = oneshot::channel();
            requests.try_send(reply).unwrap();
            answer
        })
        .take(100)
        .collect();
        drop(requests);
        let mut looks = Vec::new();
        run(&asked, Duration::ZERO, &AtomicBool::new(true), |cause| {
            looks.push(cause);
            Ok(())
        });
        assert_eq!(looks, [Cause::Requests]);
        for mut answer in answers {
            assert_eq!(answer.try_recv(), Ok(()));
        }
    }
}
