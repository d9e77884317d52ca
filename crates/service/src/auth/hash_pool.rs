//! Argon2 takes tens of milliseconds and megabytes by design: it runs on threads of its own, so that it never stops requests.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded};
use stockroom_auth::{Entropy, HashParams, password};
use tokio::sync::oneshot;

use crate::Error;

const THREADS: usize = 2;
/// Logins waiting; more are refused as overload.
const QUEUE_LENGTH: usize = 64;

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

/// The threads that hash.
pub(crate) struct HashPool {
    jobs: Sender<Job>,
}

impl HashPool {
    pub(crate) fn start(params: HashParams, entropy: Arc<dyn Entropy>) -> Result<Self, Error> {
        let (jobs, queue) = bounded(QUEUE_LENGTH);
        let decoy = password::decoy(&params).map_err(Error::internal)?;
        let worker = Arc::new(Worker {
            params,
            entropy,
            decoy,
        });
        for number in 0..THREADS {
            let (queue, worker) = (queue.clone(), Arc::clone(&worker));
            let thread = std::thread::Builder::new().name(format!("hash-{number}"));
            thread
                .spawn(move || worker.work(&queue))
                .map_err(Error::internal)?;
        }
        Ok(Self { jobs })
    }

    /// The Argon2id text of a password.
    pub(crate) async fn hash(&self, password: String) -> Result<String, Error> {
        let (reply, answer) = oneshot::channel();
        self.enqueue(Job::Hash { password, reply })?;
        answer.await.map_err(|_| Error::Unavailable)?
    }

    /// Whether a password matches; without a hash it never does, after the same time.
    pub(crate) async fn verify(
        &self,
        password: String,
        hash: Option<String>,
    ) -> Result<bool, Error> {
        let (reply, answer) = oneshot::channel();
        self.enqueue(Job::Verify {
            password,
            hash,
            reply,
        })?;
        answer.await.map_err(|_| Error::Unavailable)
    }

    fn enqueue(&self, job: Job) -> Result<(), Error> {
        self.jobs.try_send(job).map_err(|_| Error::Unavailable)
    }
}

/// What the threads share.
struct Worker {
    params: HashParams,
    entropy: Arc<dyn Entropy>,
    /// The hash that stands in where there is none.
    decoy: String,
}

impl Worker {
    /// Who asked may have gone meanwhile; then there is nobody to tell.
    fn work(&self, queue: &Receiver<Job>) {
        while let Ok(job) = queue.recv() {
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
                    let matches =
                        password::verify(&password, hash.as_deref().unwrap_or(&self.decoy));
                    let _ = reply.send(hash.is_some() && matches);
                }
            }
        }
    }
}
