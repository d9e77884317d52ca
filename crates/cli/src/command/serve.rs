//! `stockroom serve`

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use axum::ServiceExt;
use axum::extract::Request;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use stockroom_auth::{Clock as _, SystemClock, SystemEntropy};
use stockroom_http::AppState;
use stockroom_model::Timestamp;
use stockroom_service::Service;
use stockroom_service::bootstrap::Started;
use stockroom_store::{Place, Store};
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::oneshot;

use crate::config::Config;
use crate::logging::{complain, say};

/// How often views are written and measurements folded.
const FLUSH_INTERVAL: Duration = Duration::from_secs(1);
/// Upper bounds of the histograms, in seconds.
const BUCKETS: [f64; 12] = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.1, 0.25, 1.0, 10.0,
];

pub(crate) fn run(config: Config) -> anyhow::Result<()> {
    crate::logging::start(&config.log)?;
    super::block_on(serve(config))
}

async fn serve(config: Config) -> anyhow::Result<()> {
    let metrics = install_metrics()?;
    let started = start(&config, Store::open_at).await?;
    if let Some(password) = &started.generated_password {
        // Outside of the log, which other people may read.
        complain(&format!(
            "\nThe user admin was made with the password {password}\nIt is shown this once.\n"
        ));
    }
    if config.demo {
        crate::demo::fill(&started.service).await?;
    }
    let listen = config.http.listen;
    let listener = TcpListener::bind(listen)
        .await
        .with_context(|| format!("cannot listen on {listen}"))?;
    let address = listener
        .local_addr()
        .context("the address in use is unknown")?;
    let app = stockroom_http::app(AppState::new(
        Arc::clone(&started.service),
        config.http.routes(),
        Some(metrics.clone()),
    ));
    // Before the address is known: whoever reads it may ask for the end at once.
    let mut signals = Signals::catch()?;
    let (stop, stopping) = oneshot::channel();
    announce(&config, address);
    let housekeeping = tokio::spawn(keep_house(Arc::clone(&started.service), metrics));
    let serving = axum::serve(
        listener,
        ServiceExt::<Request>::into_make_service_with_connect_info::<SocketAddr>(app),
    )
    .with_graceful_shutdown(async { _ = stopping.await });
    tokio::select! {
        served = serving => served.context("the server failed")?,
        () = signals.until_impatient(stop) => {
            tracing::warn!("stopping at once: requests under way are given up");
        }
    }
    housekeeping.abort();
    // It holds the service until it is really gone.
    let _ = housekeeping.await;
    started
        .service
        .close()
        .await
        .context("the store could not be closed")?;
    tracing::info!("stopped");
    Ok(())
}

/// Opens the store and starts the service on it.
pub(crate) async fn start(
    config: &Config,
    open: fn(&Place, Timestamp) -> Result<Store, stockroom_store::Error>,
) -> anyhow::Result<Started> {
    let place = config.database.place()?;
    let secrets = config.secrets()?;
    let store = open(&place, SystemClock.now())
        .with_context(|| format!("cannot open the store in {place}"))?;
    let started = Service::start(
        store,
        config.service(),
        secrets,
        Arc::new(SystemClock),
        Arc::new(SystemEntropy),
    )
    .await;
    started.context("the service cannot start")
}

fn install_metrics() -> anyhow::Result<PrometheusHandle> {
    let builder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &BUCKETS);
    builder
        .and_then(PrometheusBuilder::install_recorder)
        .context("metrics cannot be recorded")
}

fn announce(config: &Config, address: SocketAddr) {
    let base = &config.http.base_path;
    say(&format!("Stockroom serves http://{address}{base}"));
    say(&format!("  API reference  http://{address}{base}/docs/"));
    if config.demo {
        say(&format!(
            "  Log in         admin, or one of the demo users such as birgit.schaefer with the password {:?}",
            stockroom_demo::PASSWORD
        ));
    }
}

/// What goes on beside the requests: indexing what a load left, writing what is only counted in memory, and folding what was
/// measured, which until then takes memory for each measurement.
async fn keep_house(service: Arc<Service>, metrics: PrometheusHandle) {
    if let Err(error) = service.index_objects().await {
        tracing::warn!(%error, "objects could not be indexed; lists find them slowly until the next start");
    }
    let mut interval = tokio::time::interval(FLUSH_INTERVAL);
    loop {
        interval.tick().await;
        metrics.run_upkeep();
        if let Err(error) = service.flush_views().await {
            tracing::warn!(%error, "views could not be written; they are kept for later");
        }
    }
}

/// What asks the process to stop.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn catch() -> anyhow::Result<Self> {
        let catch = |kind| signal(kind).context("signals cannot be received");
        Ok(Self {
            terminate: catch(SignalKind::terminate())?,
            interrupt: catch(SignalKind::interrupt())?,
        })
    }

    /// The first signal lets requests under way finish, however long their clients take; the second one does not.
    async fn until_impatient(&mut self, stop: oneshot::Sender<()>) {
        self.next().await;
        tracing::info!("stopping");
        _ = stop.send(());
        self.next().await;
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
