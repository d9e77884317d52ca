//! Signals to stop the process or to reload its certificate.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

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

/// Receives interrupts from now on. If signals cannot be received, an interrupt ends the process as
/// before.
pub(crate) fn interrupts() -> Receiver<()> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build();
        let interrupted = runtime.is_ok_and(|runtime| {
            let interrupt = async { signal(SignalKind::interrupt()).ok()?.recv().await };
            runtime.block_on(interrupt).is_some()
        });
        if interrupted {
            let _ = sender.send(());
        }
        // The channel stays open, so that the receiver can wait for a time.
        std::mem::forget(sender);
    });
    receiver
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
