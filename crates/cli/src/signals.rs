//! Signals to stop the process or to reload its certificate.

use std::sync::Arc;

use anyhow::Context as _;
use stockroom_server::{Stop, Tls};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinHandle;

/// The signals that stop the process.
pub(crate) struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    pub(crate) fn catch() -> anyhow::Result<Self> {
        let catch = |kind| signal(kind).context("signals cannot be received");
        Ok(Self {
            terminate: catch(SignalKind::terminate())?,
            interrupt: catch(SignalKind::interrupt())?,
        })
    }

    /// The first signal lets requests in progress finish; the second aborts them.
    pub(crate) async fn stop(&mut self, stop: &Stop) {
        self.next().await;
        tracing::info!("stopping");
        stop.drain();
        self.next().await;
        stop.abort();
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// Reloads the certificate on each SIGHUP.
pub(crate) fn reload_on_hangup(tls: Arc<Tls>) -> anyhow::Result<JoinHandle<()>> {
    let mut hangup = signal(SignalKind::hangup()).context("signals cannot be received")?;
    Ok(tokio::spawn(async move {
        while hangup.recv().await.is_some() {
            match tls.reload() {
                Ok(()) => tracing::info!("the certificate was read again"),
                Err(error) => {
                    tracing::error!(%error, "the certificate could not be read again; the old one stays in use");
                }
            }
        }
    }))
}
