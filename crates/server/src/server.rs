//! The loop that accepts connections.

use std::convert::Infallible;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use crate::activity::Open;
use crate::admission::{Admission, Refused};
use crate::connection::Shared;
use crate::rarely::Rarely;
use crate::stop::{Phase, Stop};
use crate::{Application, Limits, Peer, Tls, protocol, refusal};

/// How long to wait when the system has no more sockets for us.
const OUT_OF_SOCKETS: Duration = Duration::from_millis(100);

/// Accepts connections on one address.
pub struct Server {
    listener: TcpListener,
    limits: Arc<Limits>,
    proxies: Vec<IpAddr>,
    tls: Option<Arc<Tls>>,
}

impl Server {
    /// A server on `listener`.
    #[must_use]
    pub fn new(listener: TcpListener, limits: Limits) -> Self {
        Self {
            listener,
            limits: Arc::new(limits),
            proxies: Vec::new(),
            tls: None,
        }
    }

    /// Addresses that speak for many clients and are bound by the total number of connections only.
    #[must_use]
    pub fn proxies(self, proxies: Vec<IpAddr>) -> Self {
        Self { proxies, ..self }
    }

    /// Encrypts all connections.
    #[must_use]
    pub fn tls(self, tls: Option<Arc<Tls>>) -> Self {
        Self { tls, ..self }
    }

    /// Serves until `stop` asks for the end, and returns when the last connection is closed. Nobody
    /// else holds a clone of `service` then.
    pub async fn run<S: Application>(self, service: S, stop: &Stop) {
        let drain_timeout = self.limits.drain_timeout;
        // Every connection holds a sender: the receiver ends with the last of them.
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
        let admission = Admission::new(&self.limits, self.proxies);
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
            let ticket = match admission.admit(peer.0.ip()) {
                Ok(ticket) => ticket,
                Err(refused) => {
                    refuse(&stream, refused);
                    continue;
                }
            };
            let (shared, last) = (Arc::clone(&shared), open.clone());
            let open = Open {
                _ticket: ticket,
                _server: open.clone(),
            };
            tokio::spawn(async move {
                tokio::select! {
                    () = shared.run(stream, peer, open) => {}
                    () = Rarely::new(shared.stop.reached(Phase::Aborting)) => {}
                }
                drop(shared);
                // Now nothing of this connection holds the service.
                drop(last);
            });
        }
    }
}

/// The next connection; `None` if there is none to be had now.
async fn accepted(listener: &TcpListener) -> Option<(TcpStream, Peer)> {
    match listener.accept().await {
        Ok((stream, address)) => {
            // Answers are written as a whole: there is nothing to wait for.
            let _ = stream.set_nodelay(true);
            Some((stream, Peer(address)))
        }
        // The client has gone already.
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

/// Says so as far as the socket takes it without waiting.
fn refuse(stream: &TcpStream, refused: Refused) {
    let bound = refused.as_str();
    metrics::counter!("stockroom_connections_refused_total", "bound" => bound).increment(1);
    tracing::debug!(bound, "a connection is one too many");
    let _ = stream.try_write(&refusal::too_many_connections());
}
