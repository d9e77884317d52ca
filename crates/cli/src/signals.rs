//! Signals to stop the process or to reload its certificate.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use anyhow::Context as _;
use stockroom_server::{Stop, Tls};
use stockroom_service::Lifecycle;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinHandle;
use tokio::time::timeout;

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

    /// The first signal begins the delay, in which the server is not ready but serves. Its end or
    /// another signal lets requests in progress finish, and one more aborts them.
    pub(crate) async fn stop(&mut self, stop: &Stop, lifecycle: &Lifecycle, delay: Duration) {
        self.next().await;
        lifecycle.leave();
        if !delay.is_zero() {
            tracing::info!(
                seconds = delay.as_secs(),
                "not ready from now on, to stop later"
            );
            let _ = timeout(delay, self.next()).await;
        }
        tracing::info!("stopping");
        stop.drain();
        lifecycle.stop();
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

/// SIGHUP, which reads the certificate again, and never ends the process.
pub(crate) struct Hangup(Signal);

impl Hangup {
    pub(crate) fn catch() -> anyhow::Result<Self> {
        let hangup = signal(SignalKind::hangup()).context("signals cannot be received")?;
        Ok(Self(hangup))
    }

    /// Reads the certificate again at each signal, if there is one.
    pub(crate) fn reload(mut self, tls: Option<Arc<Tls>>) -> JoinHandle<()> {
        tokio::spawn(async move {
            while self.0.recv().await.is_some() {
                match tls.clone() {
                    None => tracing::info!("there is no certificate to read again"),
                    // A file on a network may take long.
                    Some(tls) => drop(std::thread::spawn(move || reload(&tls))),
                }
            }
        })
    }
}

fn reload(tls: &Tls) {
    match tls.reload() {
        Ok(()) => tracing::info!("the certificate was read again"),
        Err(error) => {
            tracing::error!(%error, "the certificate could not be read again; the old one stays in use");
        }
    }
}
