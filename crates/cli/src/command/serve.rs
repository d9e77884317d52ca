//! `stockroom serve`

use std::net::SocketAddr;
use std::panic;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use stockroom_auth::{Clock, SystemClock, SystemEntropy};
use stockroom_http::{AppState, HttpConfig};
use stockroom_model::Timestamp;
use stockroom_server::{Limits, Stop};
use stockroom_service::Service;
use stockroom_service::background::tasks;
use stockroom_service::bootstrap::Started;
use stockroom_store::{Location, Store};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use crate::background::Background;
use crate::config::Config;
use crate::demo::DemoClock;
use crate::hardening;
use crate::listener::Listener;
use crate::logging::{complain, say};
use crate::memory;
use crate::scheduled_backups::{Schedule, ScheduledBackups};
use crate::signals::{Hangup, Signals};

/// How often metrics are aggregated.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(1);
/// Upper bounds of the histograms, in seconds.
const BUCKETS: [f64; 12] = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.1, 0.25, 1.0, 10.0,
];

pub(crate) fn run_server(config: Config) -> anyhow::Result<()> {
    crate::logging::start(&config.log, config.no_color)?;
    // Its threads outlive the store, whose writer may wait for them.
    let mut background = Background::start()?;
    super::block_on(serve(config, &mut background))
}

async fn serve(config: Config, background: &mut Background) -> anyhow::Result<()> {
    // A terminal that closes ends nothing, not even the start.
    let hangup = Hangup::catch()?;
    let metrics = install_metrics()?;
    let clock = Arc::new(DemoClock::default());
    let started = on_passing_thread(start_by(&config, Store::open_at, clock.clone()))?;
    if let Some(password) = &started.generated_password {
        // Not in the log, which others may read.
        complain(&format!(
            "\nThe user admin was made with the password {password}\nIt is shown this once.\n"
        ));
    }
    if config.demo {
        on_passing_thread(crate::demo::fill(&started.service, &clock))?;
    }
    let sockets = &config.sockets;
    let tls = sockets.tls()?;
    let limits = sockets.limits(hardening::open_many_files());
    let listener = Listener::bind(config.http.listen, limits.clone(), tls.clone()).await?;
    let address = listener.address();
    let service = Arc::clone(&started.service);
    let backups = start_backups(&config)?;
    let http = HttpConfig {
        backups: backups.as_ref().map(ScheduledBackups::requests),
        ..config.routes()
    };
    let state = AppState::new(service, http, Some(metrics.clone()));
    let monitoring = Monitoring::start(&config, &state, limits).await?;
    let app = on_passing_thread(async { stockroom_http::app(state) });
    // Before the address is printed, as its reader may send a signal at once.
    let mut signals = Signals::catch()?;
    let reloading = hangup.reload(tls);
    announce(&config, address, monitoring.as_ref());
    work_in_background(background, &started.service, metrics);
    let stop = Stop::default();
    let stopping = stop.clone();
    let lifecycle = started.service.lifecycle().clone();
    let delay = config.sockets.shutdown_delay;
    let waiting = tokio::spawn(async move { signals.stop(&stopping, &lifecycle, delay).await });
    listener
        .serve(app, config.http.trusted_proxy.clone(), &stop)
        .await;
    waiting.abort();
    reloading.abort();
    if let Some(monitoring) = monitoring {
        monitoring.stopped().await;
    }
    background.abort();
    if let Some(backups) = backups {
        // Before the store is closed: with another reader, it could not empty its log.
        backups.stop();
    }
    // The tasks hold the service until they have really ended.
    background.ended().await;
    started
        .service
        .close()
        .await
        .context("the store could not be closed")?;
    tracing::info!("stopped");
    Ok(())
}

/// Runs a part of the start on a thread that ends. The allocator then gives back what that took
/// briefly; the calling thread keeps it, because it has nothing more to do.
fn on_passing_thread<T: Send>(work: impl Future<Output = T> + Send) -> T {
    let runtime = Handle::current();
    let result = thread::scope(|scope| scope.spawn(|| runtime.block_on(work)).join());
    result.unwrap_or_else(|cause| panic::resume_unwind(cause))
}

/// Health and metrics on their own address, served until the last request of the API has ended.
struct Monitoring {
    address: SocketAddr,
    stop: Stop,
    serving: JoinHandle<()>,
}

impl Monitoring {
    async fn start(
        config: &Config,
        state: &AppState,
        limits: Limits,
    ) -> anyhow::Result<Option<Self>> {
        let Some(address) = config.sockets.metrics_listen else {
            return Ok(None);
        };
        let listener = Listener::bind(address, limits, None).await?;
        let address = listener.address();
        let app = stockroom_http::monitoring(state.clone());
        let stop = Stop::default();
        let stopping = stop.clone();
        let serving = tokio::spawn(async move { listener.serve(app, Vec::new(), &stopping).await });
        Ok(Some(Self {
            address,
            stop,
            serving,
        }))
    }

    async fn stopped(self) {
        self.stop.drain();
        let _ = self.serving.await;
    }
}

/// Opens the store and starts the service on it.
pub(crate) async fn start(config: &Config, open: Open) -> anyhow::Result<Started> {
    start_by(config, open, Arc::new(SystemClock)).await
}

type Open = fn(&Location, Timestamp) -> Result<Store, stockroom_store::Error>;

async fn start_by(config: &Config, open: Open, clock: Arc<dyn Clock>) -> anyhow::Result<Started> {
    let location = config.database.location()?;
    let secrets = config.secrets()?;
    stockroom_store::limit_memory(memory::available());
    let store = open(&location, SystemClock.now())
        .with_context(|| format!("cannot open the store in {location}"))?;
    store.limit_log(config.database.log_bytes());
    let started = Service::start(
        store,
        config.service(),
        secrets,
        clock,
        Arc::new(SystemEntropy),
    )
    .await;
    started.context("the service cannot start")
}

fn start_backups(config: &Config) -> anyhow::Result<Option<ScheduledBackups>> {
    let settings = &config.backups;
    let Some(directory) = settings.directory() else {
        return Ok(None);
    };
    let schedule = Schedule {
        interval: settings.interval(),
        keep: settings.keep(),
    };
    let location = config.database.location()?;
    ScheduledBackups::start(location, directory, schedule).map(Some)
}

fn install_metrics() -> anyhow::Result<PrometheusHandle> {
    let builder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &BUCKETS);
    let recorder = builder
        .and_then(PrometheusBuilder::install_recorder)
        .context("metrics cannot be recorded")?;
    stockroom_http::describe_metrics();
    Ok(recorder)
}

fn announce(config: &Config, address: SocketAddr, monitoring: Option<&Monitoring>) {
    let scheme = if config.sockets.is_encrypted() {
        "https"
    } else {
        "http"
    };
    let base = &config.http.base_path;
    say(&format!("Stockroom serves {scheme}://{address}{base}"));
    say(&format!(
        "  API reference  {scheme}://{address}{base}/docs/"
    ));
    if let Some(monitoring) = monitoring {
        say(&format!(
            "  Metrics        http://{}{base}/metrics",
            monitoring.address
        ));
    }
    if config.demo {
        say(&format!(
            "  Log in         admin, or one of the demo users such as birgit.schaefer with the password {:?}",
            stockroom_demo::PASSWORD
        ));
    }
}

fn work_in_background(
    background: &mut Background,
    service: &Arc<Service>,
    metrics: PrometheusHandle,
) {
    background.spawn(index_loaded_objects(Arc::clone(service)));
    background.spawn(aggregate_metrics(metrics));
    for task in tasks(service) {
        background.spawn(task);
    }
}

/// Indexes objects that a load left unindexed.
async fn index_loaded_objects(service: Arc<Service>) {
    if let Err(error) = service.index_objects().await {
        tracing::warn!(%error, "objects could not be indexed; lists find them slowly until the next start");
    }
}

/// Aggregates metrics, which use memory for each measurement until then.
async fn aggregate_metrics(metrics: PrometheusHandle) {
    let mut interval = tokio::time::interval(UPKEEP_INTERVAL);
    loop {
        interval.tick().await;
        metrics.run_upkeep();
    }
}
