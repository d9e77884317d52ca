//! The sockets, and the application behind them.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Context as _;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use http_body_util::BodyExt as _;
use stockroom_auth::Network;
use stockroom_http::App;
use stockroom_server::{Limits, Peer, RequestBody, Server, Stop, Tls};
use tokio::net::TcpListener;
use tower::ServiceExt as _;

/// A bound address.
pub(crate) struct Listener {
    server: Server,
    address: SocketAddr,
}

impl Listener {
    /// Binds the address.
    pub(crate) async fn bind(
        address: SocketAddr,
        limits: Limits,
        tls: Option<Arc<Tls>>,
    ) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(address)
            .await
            .with_context(|| format!("cannot listen on {address}"))?;
        let address = listener
            .local_addr()
            .context("the address in use is unknown")?;
        Ok(Self {
            server: Server::new(listener, limits).tls(tls),
            address,
        })
    }

    /// The address in use.
    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop`.
    pub(crate) async fn serve(self, app: App, proxies: Vec<Network>, stop: &Stop) {
        let service = app.map_request(into_axum as fn(_) -> _);
        let is_proxy = move |address| proxies.iter().any(|proxy| proxy.contains(address));
        self.server.proxies(is_proxy).run(service, stop).await;
    }
}

/// Converts to the body type of axum.
fn into_axum(request: axum::http::Request<RequestBody>) -> Request {
    let mut request = request.map(|body| Body::new(body.map_err(io::Error::from)));
    if let Some(Peer(address)) = request.extensions_mut().remove() {
        request
            .extensions_mut()
            .insert(ConnectInfo::<SocketAddr>(address));
    }
    request
}
