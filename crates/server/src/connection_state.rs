//! What a connection is doing.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::Instant;

use crate::flood::Budget;
use crate::long_heads::LongHeads;

/// The state of one connection, which its limits and the bound on all connections read.
pub(crate) struct ConnectionState {
    progress: Mutex<Progress>,
    evicted: Notify,
}

/// Requests and bytes that are under way.
pub(crate) struct Progress {
    /// Requests that were read but whose answers are not sent completely.
    pub(crate) exchanges: usize,
    /// Since when there are such requests.
    pub(crate) busy_since: Instant,
    /// When the connection was opened or the last exchange ended.
    pub(crate) idle_since: Instant,
    /// When the first byte of the next head arrived.
    pub(crate) head_since: Option<Instant>,
    /// Whether it is HTTP/2, where bytes also arrive between requests.
    pub(crate) is_multiplexed: bool,
    /// Request bodies that the client has not sent completely when they were needed.
    pub(crate) awaited_bodies: usize,
    /// Since when the socket takes nothing.
    pub(crate) blocked: Option<Wait>,
    /// Answers whose next part waits for the client.
    pub(crate) waiting: Vec<Waiting>,
    /// How long the client has been slow, if something waits for it.
    pub(crate) slow: Wait,
    /// The number of requests so far.
    pub(crate) requests: u64,
    /// Bytes that were sent.
    pub(crate) sent: u64,
    pub(crate) flood: Budget,
    /// Whether there were too many frames that are no requests.
    pub(crate) is_flooded: bool,
    pub(crate) long_heads: LongHeads,
}

/// Since when few bytes are transferred, and how many.
pub(crate) struct Wait {
    pub(crate) since: Instant,
    bytes: u64,
}

pub(crate) struct Waiting {
    pub(crate) exchange: u64,
    pub(crate) until: Instant,
}

/// What a connection is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Usage {
    /// For nothing.
    Idle,
    /// The server waits for the client: for the rest of a head or body, or until it reads.
    Waiting,
    /// The server works on a request.
    Working,
}

impl ConnectionState {
    /// The state of a connection that was opened now.
    pub(crate) fn new() -> Self {
        let now = Instant::now();
        let progress = Progress {
            exchanges: 0,
            busy_since: now,
            idle_since: now,
            head_since: None,
            is_multiplexed: false,
            awaited_bodies: 0,
            blocked: None,
            waiting: Vec::new(),
            slow: Wait::from(now),
            requests: 0,
            sent: 0,
            flood: Budget::new(now),
            is_flooded: false,
            long_heads: LongHeads::new(now),
        };
        Self {
            progress: Mutex::new(progress),
            evicted: Notify::new(),
        }
    }

    pub(crate) fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the connection is used for, and since when. A client that transfers bytes fast enough
    /// is waited for only since the last ones.
    pub(crate) fn usage(&self) -> (Usage, Instant) {
        let progress = self.progress();
        match progress.head_since {
            _ if progress.waits_for_client() => (Usage::Waiting, progress.slow.since),
            _ if progress.exchanges > 0 => (Usage::Working, progress.busy_since),
            Some(since) => (Usage::Waiting, since),
            None => (Usage::Idle, progress.idle_since),
        }
    }

    /// Closes the connection, as its slot is needed.
    pub(crate) fn evict(&self) {
        self.evicted.notify_one();
    }

    /// Returns when the connection is to be closed.
    pub(crate) async fn evicted(&self) {
        self.evicted.notified().await;
    }
}

impl Progress {
    /// Notes that something waits for the client from now on, if nothing does yet.
    pub(crate) fn wait(&mut self, now: Instant) {
        if !self.waits_for_client() {
            self.slow = Wait::from(now);
        }
    }

    /// Whether a body or an answer waits for the client.
    const fn waits_for_client(&self) -> bool {
        self.awaited_bodies > 0 || self.blocked.is_some() || !self.waiting.is_empty()
    }
}

impl Wait {
    /// Notes transferred bytes. The wait begins again with `enough` of them.
    pub(crate) fn transferred(&mut self, bytes: usize, enough: u64) {
        self.bytes += bytes as u64;
        if self.bytes >= enough {
            *self = Self::from(Instant::now());
        }
    }
}

impl From<Instant> for Wait {
    fn from(since: Instant) -> Self {
        Self { since, bytes: 0 }
    }
}
