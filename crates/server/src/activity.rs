//! Tracks what happens on a connection, and detects timeouts.

use std::convert::Infallible;
use std::io;
use std::sync::{Arc, MutexGuard};

use http::Version;
use http::request::Parts;
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::Limits;
use crate::admission::Ticket;
use crate::connection_state::{ConnectionState, Progress, Waiting};
use crate::long_heads::head_bytes;

/// Shared by the socket, the requests and the watchdog of one connection.
pub(crate) struct Activity {
    limits: Arc<Limits>,
    state: Arc<ConnectionState>,
    /// HTTP/2 runs each request in its own task, which may end after the connection.
    guard: ConnectionGuard,
}

/// Released with the last task of a connection.
pub(crate) struct ConnectionGuard {
    pub(crate) ticket: Ticket,
    pub(crate) _server: mpsc::Sender<Infallible>,
}

/// Why a connection is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expired {
    /// No request for too long.
    Idle,
    /// The head of a request arrived too slowly.
    Head,
    /// The client does not read.
    Stalled,
}

impl Expired {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Head => "slow head",
            Self::Stalled => "slow reader",
        }
    }
}

impl Activity {
    pub(crate) fn new(
        limits: &Arc<Limits>,
        state: Arc<ConnectionState>,
        guard: ConnectionGuard,
    ) -> Self {
        Self {
            limits: Arc::clone(limits),
            state,
            guard,
        }
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns when the slot of the connection is needed.
    pub(crate) async fn evicted(&self) {
        self.state.evicted().await;
    }

    /// The timeout that has expired, if any.
    pub(crate) fn expired(&self) -> Option<Expired> {
        let now = Instant::now();
        let state = self.state();
        let is_blocked = state
            .blocked
            .as_ref()
            .is_some_and(|blocked| blocked.since + self.limits.stall_timeout <= now);
        if is_blocked || state.waiting.iter().any(|waiting| waiting.until <= now) {
            return Some(Expired::Stalled);
        }
        if state.exchanges > 0 {
            return None;
        }
        match state.head_since {
            Some(since) if since + self.limits.head_timeout <= now => Some(Expired::Head),
            None if state.idle_since + self.limits.idle_timeout <= now => Some(Expired::Idle),
            _ => None,
        }
    }

    /// Notes that bytes arrived from the client; `frames` of them belong to no request.
    ///
    /// # Errors
    ///
    /// Too many such bytes arrived.
    pub(crate) fn read(&self, bytes: usize, frames: u64) -> io::Result<()> {
        let mut state = self.state();
        if state.exchanges == 0 && !state.is_multiplexed && state.head_since.is_none() {
            state.head_since = Some(Instant::now());
        }
        let enough = self.limits.bytes_per_period();
        state.slow.transferred(bytes, enough);
        let (requests, sent) = (state.requests, state.sent);
        if frames > 0 && state.flood.is_exceeded_by(frames, requests, sent) {
            state.is_flooded = true;
            return Err(io::Error::other("too many frames that are no requests"));
        }
        Ok(())
    }

    /// Whether reading failed because of such frames.
    pub(crate) fn is_flooded(&self) -> bool {
        self.state().is_flooded
    }

    /// Notes that the socket took bytes.
    pub(crate) fn wrote(&self, bytes: usize) {
        let mut state = self.state();
        let enough = self.limits.bytes_per_period();
        state.sent += bytes as u64;
        state.slow.transferred(bytes, enough);
        if let Some(blocked) = &mut state.blocked {
            blocked.transferred(bytes, enough);
        }
    }

    /// Notes that the socket takes no more for now.
    pub(crate) fn blocked(&self) {
        let mut state = self.state();
        if state.blocked.is_none() {
            let now = Instant::now();
            state.wait(now);
            state.blocked = Some(now.into());
        }
    }

    /// Notes that everything written has been sent.
    pub(crate) fn flushed(&self) {
        self.state().blocked = None;
    }

    /// Until when nothing is read, as the heads of the connection were too long. Other clients of
    /// a proxy do not pay for one of them.
    pub(crate) fn rest(&self) -> Option<Instant> {
        let until = self.state().long_heads.rest(Instant::now())?;
        (!self.guard.ticket.is_for_proxy()).then_some(until)
    }

    /// Starts an exchange when a request was read.
    pub(crate) fn begin(self: &Arc<Self>, head: &Parts) -> Exchange {
        let is_multiplexed = head.version == Version::HTTP_2;
        let mut state = self.state();
        if is_multiplexed {
            state.long_heads.add(head_bytes(head), Instant::now());
        }
        let head_since = state.head_since.take();
        if state.exchanges == 0 {
            state.busy_since = head_since.unwrap_or_else(Instant::now);
        }
        state.exchanges += 1;
        state.is_multiplexed = is_multiplexed;
        state.requests += 1;
        Exchange {
            activity: Arc::clone(self),
            number: state.requests,
            is_waiting: false,
        }
    }

    /// Notes that the server waits for a body, until the value is dropped.
    pub(crate) fn await_body(self: &Arc<Self>) -> AwaitedBody {
        let mut state = self.state();
        state.wait(Instant::now());
        state.awaited_bodies += 1;
        drop(state);
        AwaitedBody(Arc::clone(self))
    }

    fn state(&self) -> MutexGuard<'_, Progress> {
        self.state.progress()
    }
}

/// A body that the client has not sent completely.
pub(crate) struct AwaitedBody(Arc<Activity>);

impl Drop for AwaitedBody {
    fn drop(&mut self) {
        self.0.state().awaited_bodies -= 1;
    }
}

/// A request from its head to the end of its answer.
pub(crate) struct Exchange {
    activity: Arc<Activity>,
    number: u64,
    is_waiting: bool,
}

impl Exchange {
    /// Starts a deadline for the client to take this part, as more will follow.
    pub(crate) fn handed_over(&mut self, bytes: usize) {
        let now = Instant::now();
        self.is_waiting = true;
        let mut state = self.activity.state();
        state.wait(now);
        state.waiting.push(Waiting {
            exchange: self.number,
            until: now + self.activity.limits.time_for(bytes as u64),
        });
    }

    /// The connection asks for the next part, so the client took the last one.
    pub(crate) fn part_taken(&mut self) {
        if std::mem::take(&mut self.is_waiting) {
            let mut state = self.activity.state();
            state.waiting.retain(|other| other.exchange != self.number);
        }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.part_taken();
        let mut state = self.activity.state();
        state.exchanges -= 1;
        if state.exchanges == 0 {
            state.idle_since = Instant::now();
        }
    }
}
