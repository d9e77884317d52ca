//! The loop that accepts connections.

use std::convert::Infallible;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use crate::activity::{Activity, ConnectionGuard};
use crate::admission::{Admission, IsProxy, Refused};
use crate::connection::Shared;
use crate::connection_state::ConnectionState;
use crate::poll_when_woken::PollWhenWoken;
use crate::stop::{Phase, Stop};
use crate::{Application, Limits, Peer, Tls, protocol, refusal};

/// How long to wait when the process or system has no more file descriptors.
const OUT_OF_SOCKETS: Duration = Duration::from_millis(100);

/// Accepts connections on one address.
pub struct Server {
    listener: TcpListener,
    limits: Arc<Limits>,
    is_proxy: IsProxy,
    tls: Option<Arc<Tls>>,
}

impl Server {
    /// Makes a server for `listener`.
    #[must_use]
    pub fn new(listener: TcpListener, limits: Limits) -> Self {
        Self {
            listener,
            limits: Arc::new(limits),
            is_proxy: Box::new(|_| false),
            tls: None,
        }
    }

    /// Tells which addresses connect for many clients; only the total number of connections limits
    /// them.
    #[must_use]
    pub fn proxies(self, is_proxy: impl Fn(IpAddr) -> bool + Send + Sync + 'static) -> Self {
        Self {
            is_proxy: Box::new(is_proxy),
            ..self
        }
    }

    /// Encrypts all connections.
    #[must_use]
    pub fn tls(self, tls: Option<Arc<Tls>>) -> Self {
        Self { tls, ..self }
    }

    /// Serves until `stop`, and returns when the last connection is closed. All clones of `service`
    /// are dropped by then.
    pub async fn run<S: Application>(self, service: S, stop: &Stop) {
        let drain_timeout = self.limits.drain_timeout;
        // Every connection holds a sender, so the receiver ends with the last connection.
        let (open, mut all_closed) = mpsc::channel(1);
        tokio::select! {
            () = self.accept(service, stop, open) => {}
            () = stop.reached(Phase::Draining) => {}
        }
        let drained = async { while all_closed.recv().await.is_some() {} };
        tokio::select! {
            biased;
            () = stop.reached(Phase::Aborting) => {}
            drained = timeout(drain_timeout, drained) => if drained.is_ok() { return },
        }
        tracing::warn!("requests under way are given up");
        stop.abort();
        while all_closed.recv().await.is_some() {}
    }

    async fn accept<S: Application>(self, service: S, stop: &Stop, open: mpsc::Sender<Infallible>) {
        let admission = Admission::new(&self.limits, self.is_proxy);
        let shared = Arc::new(Shared {
            service,
            protocol: protocol::builder(&self.limits),
            limits: self.limits,
            stop: stop.clone(),
            tls: self.tls,
        });
        loop {
            let Some((stream, peer)) = accepted(&self.listener).await else {
                continue;
            };
            let state = Arc::new(ConnectionState::new());
            let ticket = match admission.admit(peer.0.ip(), &state) {
                Ok(ticket) => ticket,
                Err(refused) => {
                    refuse(&stream, refused);
                    continue;
                }
            };
            let (shared, last) = (Arc::clone(&shared), open.clone());
            let guard = ConnectionGuard {
                ticket,
                _server: open.clone(),
            };
            let activity = Arc::new(Activity::new(&shared.limits, state, guard));
            tokio::spawn(async move {
                let given_up = async {
                    tokio::select! {
                        () = shared.stop.reached(Phase::Aborting) => {}
                        () = activity.evicted() => {}
                    }
                };
                tokio::select! {
                    () = shared.run(stream, peer, Arc::clone(&activity)) => {}
                    () = PollWhenWoken::new(given_up) => {}
                }
                drop((shared, activity));
                // By now this connection holds no clone of the service.
                drop(last);
            });
        }
    }
}

/// Accepts a connection; `None` if that failed for now.
async fn accepted(listener: &TcpListener) -> Option<(TcpStream, Peer)> {
    match listener.accept().await {
        Ok((stream, address)) => {
            // Answers are written as a whole, so waiting for more data is useless.
            let _ = stream.set_nodelay(true);
            Some((stream, Peer(address)))
        }
        // The client has disconnected already.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
            ) =>
        {
            None
        }
        Err(error) => {
            tracing::error!(%error, "a connection could not be accepted");
            sleep(OUT_OF_SOCKETS).await;
            None
        }
    }
}

/// Sends the refusal as far as the socket takes it without blocking.
fn refuse(stream: &TcpStream, refused: Refused) {
    let bound = refused.as_str();
    metrics::counter!("stockroom_connections_refused_total", "bound" => bound).increment(1);
    tracing::debug!(bound, "a connection is one too many");
    let _ = stream.try_write(&refusal::too_many_connections());
}
