//! Serves one connection, from its first byte to its end.

use std::pin::pin;
use std::sync::Arc;

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

use crate::activity::{Activity, Expired};
use crate::exchange::ConnectionService;
use crate::poll_when_woken::PollWhenWoken;
use crate::socket::Socket;
use crate::stop::{Phase, Stop};
use crate::{Application, Limits, Peer, Tls};

/// What all connections of a server share.
pub(crate) struct Shared<S> {
    pub(crate) service: S,
    pub(crate) limits: Arc<Limits>,
    pub(crate) protocol: Builder<TokioExecutor>,
    pub(crate) stop: Stop,
    pub(crate) tls: Option<Arc<Tls>>,
}

impl<S: Application> Shared<S> {
    /// Serves a connection, after the TLS handshake if it is encrypted.
    pub(crate) async fn run(&self, stream: TcpStream, peer: Peer, activity: Arc<Activity>) {
        let Some(tls) = &self.tls else {
            return self.serve(stream, peer, activity).await;
        };
        let handshake = timeout(self.limits.head_timeout, tls.acceptor().accept(stream));
        let accepted = tokio::select! {
            accepted = handshake => accepted,
            // The client has asked for nothing yet.
            () = self.stop.reached(Phase::Draining) => return,
        };
        match accepted {
            Ok(Ok(stream)) => self.serve(stream, peer, activity).await,
            Ok(Err(error)) => {
                tracing::debug!(%error, peer = %peer.0, "a TLS handshake failed");
            }
            Err(_) => tracing::debug!(peer = %peer.0, "a TLS handshake took too long"),
        }
    }

    /// Serves requests until the client leaves, a deadline passes or the server stops.
    async fn serve<I>(&self, io: I, peer: Peer, activity: Arc<Activity>)
    where
        I: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let service = ConnectionService {
            service: self.service.clone(),
            peer,
            activity: Arc::clone(&activity),
        };
        let io = TokioIo::new(Socket::new(io, Arc::clone(&activity)));
        let mut connection = pin!(self.protocol.serve_connection(io, service));
        let mut is_closing = false;
        loop {
            let mut end = pin!(PollWhenWoken::new(self.end(&activity, is_closing)));
            tokio::select! {
                biased;
                result = connection.as_mut() => {
                    match result {
                        Err(_) if activity.is_flooded() => dropped(peer, "flood"),
                        Err(error) => {
                            tracing::debug!(%error, peer = %peer.0, "a connection failed");
                        }
                        Ok(()) => {}
                    }
                    return;
                }
                end = end.as_mut() => match end {
                    // HTTP/2 sends GOAWAY first and has time for it until the next tick.
                    None | Some(Expired::Idle) if !is_closing => {
                        is_closing = true;
                        connection.as_mut().graceful_shutdown();
                    }
                    None => {}
                    Some(expired) => {
                        dropped(peer, expired.as_str());
                        return;
                    }
                },
            }
        }
    }

    /// Waits for a reason to end the connection: a deadline has passed, or, unless it is closing
    /// already, the server stops (`None`).
    async fn end(&self, activity: &Activity, is_closing: bool) -> Option<Expired> {
        let period = self.limits.tick();
        let mut ticks = interval_at(Instant::now() + period, period);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut draining = pin!(self.stop.reached(Phase::Draining));
        loop {
            tokio::select! {
                () = draining.as_mut(), if !is_closing => return None,
                _ = ticks.tick() => if let Some(expired) = activity.expired() {
                    return Some(expired);
                },
            }
        }
    }
}

fn dropped(peer: Peer, reason: &'static str) {
    tracing::debug!(peer = %peer.0, reason, "a connection was dropped");
    metrics::counter!("stockroom_connections_dropped_total", "reason" => reason).increment(1);
}
