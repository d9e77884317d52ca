//! Argon2 takes tens of milliseconds and megabytes by design, so it runs on its own threads and
//! never blocks requests.
//!
//! Logins from a network where the user has logged in before, other logins, and password changes
//! have a queue each. A flood of logins from many strange networks delays the first kind by what is
//! being hashed, and a flood of one kind slows the others down, but does not starve them. In each
//! queue, accounts take turns.

use std::sync::Arc;

use crossbeam_channel::{Receiver, RecvError, Sender, bounded, select_biased};
use stockroom_auth::{Entropy, HashParams, password};
use stockroom_fair::{FairSlots, Requester};
use tokio::sync::oneshot;

use crate::Error;

/// Jobs waiting in each queue; more are refused as overload.
const QUEUE_LENGTH: usize = 64;

/// Jobs of a lane that do not wait for a turn: as many as there are threads.
const RUNNING: usize = 2;

/// Why a hash is computed. Each lane has its own queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// `POST /auth/login` from a network where the user has logged in before.
    FamiliarLogin,
    /// Any other login; it needs no token.
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
    familiar_logins: Sender<Job>,
    logins: Sender<Job>,
    changes: Sender<Job>,
    turns: [FairSlots; 3],
}

impl HashPool {
    pub(crate) fn start(params: HashParams, entropy: Arc<dyn Entropy>) -> Result<Self, Error> {
        let (familiar_logins, familiar) = bounded(QUEUE_LENGTH);
        let (logins, strange) = bounded(QUEUE_LENGTH);
        let (changes, change) = bounded(QUEUE_LENGTH);
        let decoy = password::decoy(&params).map_err(Error::internal)?;
        let worker = Arc::new(Worker {
            params,
            entropy,
            decoy,
        });
        for (name, queues) in [
            ("hash-logins", [&familiar, &strange, &change]),
            ("hash-changes", [&change, &strange, &familiar]),
        ] {
            let queues = queues.map(Receiver::clone);
            let worker = Arc::clone(&worker);
            let thread = std::thread::Builder::new().name(name.to_owned());
            thread
                .spawn(move || worker.work(&queues))
                .map_err(Error::internal)?;
        }
        Ok(Self {
            familiar_logins,
            logins,
            changes,
            turns: [(); 3].map(|()| FairSlots::new(RUNNING, QUEUE_LENGTH)),
        })
    }

    /// Hashes a new password with Argon2id.
    pub(crate) async fn hash(&self, password: String) -> Result<String, Error> {
        let (reply, answer) = oneshot::channel();
        self.enqueue(Lane::Change, Job::Hash { password, reply })?;
        answer.await.map_err(|_| Error::Unavailable)?
    }

    /// Whether a password of an account matches the hash. Without a hash the answer is no, after the
    /// same time.
    pub(crate) async fn verify(
        &self,
        (lane, account): (Lane, Requester),
        password: String,
        hash: Option<String>,
    ) -> Result<bool, Error> {
        let [familiar, login, change] = &self.turns;
        let turns = match lane {
            Lane::FamiliarLogin => familiar,
            Lane::Login => login,
            Lane::Change => change,
        };
        let _turn = turns
            .acquire(account)
            .await
            .map_err(|_| Error::Unavailable)?;
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
            Lane::FamiliarLogin => &self.familiar_logins,
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
    /// Runs until the pool is dropped, which closes all queues.
    fn work(&self, queues: &[Receiver<Job>; 3]) {
        while let Ok(job) = next(queues) {
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

/// The next job of the first queue that has one.
fn next([first, second, third]: &[Receiver<Job>; 3]) -> Result<Job, RecvError> {
    select_biased! {
        recv(first) -> job => job,
        recv(second) -> job => job,
        recv(third) -> job => job,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_queues_of_other_kinds_delay_the_first_one_by_no_job() {
        let (senders, queues): (Vec<_>, Vec<_>) = (0..3).map(|_| bounded(3)).unzip();
        let job = |password: &str| Job::Hash {
            password: password.to_owned(),
            reply: oneshot::channel().0,
        };
        for (sender, kind) in senders.iter().zip(["familiar", "strange", "change"]) {
            (0..3).for_each(|_| sender.send(job(kind)).unwrap());
        }
        let [familiar, strange, change] = queues.try_into().unwrap();
        let taken = |queues: [&Receiver<Job>; 3]| {
            let job = next(&queues.map(Receiver::clone)).unwrap();
            let Job::Hash { password, .. } = job else {
                panic!("no other job was sent")
            };
            password
        };
        assert_eq!(taken([&familiar, &strange, &change]), "familiar");
        assert_eq!(taken([&change, &strange, &familiar]), "change");
        drop(senders);
    }
}
