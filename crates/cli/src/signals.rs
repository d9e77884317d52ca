//! What asks the process to stop.

use anyhow::Context as _;
use stockroom_server::Stop;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that end the process.
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

    /// The first signal lets requests under way finish; the second one does not.
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
