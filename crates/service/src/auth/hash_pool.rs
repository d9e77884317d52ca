//! Argon2 takes tens of milliseconds and megabytes by design, so it runs on its own threads and
//! never blocks requests.
//!
//! Logins and password changes have a queue each, and each queue has priority on one of the
//! threads: a flood of one kind slows the other down, but never starves it.

use std::sync::Arc;

use crossbeam_channel::{Receiver, RecvError, Sender, bounded, select_biased};
use stockroom_auth::{Entropy, HashParams, password};
use tokio::sync::oneshot;

use crate::Error;

/// Jobs waiting in each queue; more are refused as overload.
const QUEUE_LENGTH: usize = 64;

/// Why a hash is computed. Each lane has its own queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// `POST /auth/login`, which needs no token.
    Login,
    /// Callers with a token who set or prove a password.
    Change,
}

enum Job {
    Hash {
        password: String,
        reply: oneshot::Sender<Result<String, Error>>,
    },
    Verify {
        password: String,
        hash: Option<String>,
        reply: oneshot::Sender<bool>,
    },
}

pub(crate) struct HashPool {
    logins: Sender<Job>,
    changes: Sender<Job>,
}

impl HashPool {
    pub(crate) fn start(params: HashParams, entropy: Arc<dyn Entropy>) -> Result<Self, Error> {
        let (logins, login_queue) = bounded(QUEUE_LENGTH);
        let (changes, change_queue) = bounded(QUEUE_LENGTH);
        let decoy = password::decoy(&params).map_err(Error::internal)?;
        let worker = Arc::new(Worker {
            params,
            entropy,
            decoy,
        });
        for (name, first, second) in [
            ("hash-logins", &login_queue, &change_queue),
            ("hash-changes", &change_queue, &login_queue),
        ] {
            let (first, second) = (first.clone(), second.clone());
            let worker = Arc::clone(&worker);
            let thread = std::thread::Builder::new().name(name.to_owned());
            thread
                .spawn(move || worker.work(&first, &second))
                .map_err(Error::internal)?;
        }
        Ok(Self { logins, changes })
    }

    /// Hashes a new password with Argon2id.
    pub(crate) async fn hash(&self, password: String) -> Result<String, Error> {
        let (reply, answer) = oneshot::channel();
        self.enqueue(Lane::Change, Job::Hash { password, reply })?;
        answer.await.map_err(|_| Error::Unavailable)?
    }

    /// Whether a password matches the hash. Without a hash the answer is no, after the same time.
    pub(crate) async fn verify(
        &self,
        lane: Lane,
        password: String,
        hash: Option<String>,
    ) -> Result<bool, Error> {
        let (reply, answer) = oneshot::channel();
        let job = Job::Verify {
            password,
            hash,
            reply,
        };
        self.enqueue(lane, job)?;
        answer.await.map_err(|_| Error::Unavailable)
    }

    fn enqueue(&self, lane: Lane, job: Job) -> Result<(), Error> {
        let queue = match lane {
            Lane::Login => &self.logins,
            Lane::Change => &self.changes,
        };
        queue.try_send(job).map_err(|_| Error::Unavailable)
    }
}

/// State that the threads share.
struct Worker {
    params: HashParams,
    entropy: Arc<dyn Entropy>,
    /// Verified in place of a missing hash, so that the time reveals nothing.
    decoy: String,
}

impl Worker {
    /// Runs until the pool is dropped, which closes both queues.
    fn work(&self, first: &Receiver<Job>, second: &Receiver<Job>) {
        while let Ok(job) = next(first, second) {
            self.run(job);
        }
    }

    /// Does nothing with the result if the request was dropped meanwhile.
    fn run(&self, job: Job) {
        match job {
            Job::Hash { password, reply } => {
                let hash = password::hash(&password, self.entropy.as_ref(), &self.params);
                let _ = reply.send(hash.map_err(Error::internal));
            }
            Job::Verify {
                password,
                hash,
                reply,
            } => {
                let matches = password::verify(&password, hash.as_deref().unwrap_or(&self.decoy));
                let _ = reply.send(hash.is_some() && matches);
            }
        }
    }
}

fn next(first: &Receiver<Job>, second: &Receiver<Job>) -> Result<Job, RecvError> {
    select_biased! {
        recv(first) -> job => job,
        recv(second) -> job => job,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_queue_of_one_kind_delays_the_other_by_no_job() {
        let (first, first_queue) = bounded(3);
        let (second, second_queue) = bounded(1);
        let job = |password: &str| Job::Hash {
            password: password.to_owned(),
            reply: oneshot::channel().0,
        };
        for _ in 0..3 {
            first.send(job("flood")).unwrap();
        }
        second.send(job("alone")).unwrap();
        let taken = next(&second_queue, &first_queue).unwrap();
        assert!(matches!(taken, Job::Hash { password, .. } if password == "alone"));
        let taken = next(&second_queue, &first_queue).unwrap();
        assert!(matches!(taken, Job::Hash { password, .. } if password == "flood"));
    }
}
