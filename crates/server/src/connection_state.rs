//! What a connection is doing.

use tokio::sync::Notify;
use tokio::time::Instant;

use std::sync::{Mutex, MutexGuard, PoisonError};

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
    /// Since when the socket takes nothing, and how many bytes it has taken since.
    pub(crate) blocked: Option<Blocked>,
    /// Answers whose next part waits for the client.
    pub(crate) waiting: Vec<Waiting>,
    pub(crate) next_exchange: u64,
}

pub(crate) struct Blocked {
    pub(crate) since: Instant,
    pub(crate) written: u64,
}

pub(crate) struct Waiting {
    pub(crate) exchange: u64,
    pub(crate) until: Instant,
}

/// What a connection is used for; the less is lost with it, the smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Usage {
    /// For nothing.
    Idle,
    /// The head of a request arrives.
    Head,
    /// The server waits for the client: for the rest of a body, or until it reads an answer.
    WaitingForClient,
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
            next_exchange: 0,
        };
        Self {
            progress: Mutex::new(progress),
            evicted: Notify::new(),
        }
    }

    pub(crate) fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the connection is used for, and since when.
    pub(crate) fn usage(&self) -> (Usage, Instant) {
        let progress = self.progress();
        match progress.head_since {
            _ if progress.exchanges > 0 => (progress.usage_when_busy(), progress.busy_since),
            Some(since) => (Usage::Head, since),
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
    const fn usage_when_busy(&self) -> Usage {
        if self.awaited_bodies > 0 || self.blocked.is_some() || !self.waiting.is_empty() {
            Usage::WaitingForClient
        } else {
            Usage::Working
        }
    }
}

impl Blocked {
    pub(crate) fn now() -> Self {
        Self {
            since: Instant::now(),
            written: 0,
        }
    }
}
