//! The baseline for the rates of the server: axum without any application behind it, set up as
//! `stockroom serve` does.

use std::io::Write as _;
use std::net::SocketAddr;

use anyhow::Context as _;
use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use tokio::net::TcpListener;

/// Serves `/`: a greeting, or a JSON text of this many bytes. Prints its address and runs until
/// killed.
pub(crate) fn run_baseline(bytes: Option<usize>) -> anyhow::Result<()> {
    let router = match bytes {
        None => Router::new().route("/", get(async || "Hello, World!")),
        Some(bytes) => {
            let body = Bytes::from(format!("\"{}\"", "x".repeat(bytes.saturating_sub(2))));
            let answer = async move || ([(CONTENT_TYPE, "application/json")], body.clone());
            Router::new().route("/", get(answer))
        }
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("threads cannot be started")?;
    runtime.block_on(async {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        writeln!(std::io::stdout(), "serves http://{address}")?;
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        axum::serve(listener, service)
            .await
            .context("the server failed")
    })
}
