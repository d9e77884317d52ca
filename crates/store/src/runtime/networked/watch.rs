//! Keeps up with what other nodes change of the catalog, for requests that do not look at the
//! database themselves.

use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use tokio::sync::oneshot;

use super::worker::Worker;
use crate::Error;
use crate::driver::postgres::wait;
use crate::runtime::{QUEUE_LENGTH, spawn};

/// How often to look: a token that was ended elsewhere ends here within this time.
const INTERVAL: Duration = Duration::from_millis(250);

/// A thread that compares the catalog in memory with the database: regularly, and when it is asked
/// to.
pub(super) struct Watch {
    requests: Sender<Request>,
    thread: JoinHandle<()>,
}

type Request = oneshot::Sender<()>;

/// Why the database is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// It is time to.
    Interval,
    /// Requests would be refused otherwise.
    Requests,
}

impl Watch {
    /// Starts the thread; on behalf of requests it looks at most `per_second` times a second.
    pub(super) fn start(mut worker: Worker, per_second: u32) -> Result<Self, Error> {
        let (requests, asked) = bounded(QUEUE_LENGTH);
        let pause = Duration::from_secs(1) / per_second.max(1);
        let look = move |cause| worker.refresh(cause);
        let thread = spawn("store-watch".to_owned(), move || run(&asked, pause, look))?;
        Ok(Self { requests, thread })
    }

    /// Waits until the database was looked at, unless too many wait already.
    pub(super) async fn look(&self) {
        let (reply, answer) = oneshot::channel();
        if self.requests.try_send(reply).is_ok() {
            // A thread that has ended looks no more.
            let _ = answer.await;
        }
    }

    /// Lets the thread end.
    pub(super) fn close(self) -> JoinHandle<()> {
        self.thread
    }
}

/// Looks until nobody can ask any more. All requests that wait share a look.
fn run(
    requests: &Receiver<Request>,
    pause: Duration,
    mut look: impl FnMut(Cause) -> Result<(), Error>,
) {
    let mut is_well = true;
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
            Ok(()) if !is_well => {
                tracing::info!("the database is back");
                is_well = true;
            }
            Err(error) if is_well => {
                tracing::error!(%error, "the database is not available");
                is_well = false;
            }
            _ => {}
        }
        for request in waiting {
            // The client may have gone.
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
        run(&asked, Duration::ZERO, |cause| {
            looks.push(cause);
            Ok(())
        });
        assert_eq!(looks, [Cause::Requests]);
        for mut answer in answers {
            assert_eq!(answer.try_recv(), Ok(()));
        }
    }
}
