//! The metrics of the server in the text format of Prometheus (`docs/guide/src/monitoring.md`).

use metrics::{describe_counter, describe_gauge, describe_histogram};
use metrics_exporter_prometheus::PrometheusHandle;
use metrics_process::Collector;
use stockroom_service::Service;

/// The kind of a metric.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Counter,
    Gauge,
    Histogram,
}

use Kind::{Counter, Gauge, Histogram};

/// Every metric of our own, with what it tells.
const METRICS: &[(&str, Kind, &str)] = &[
    (
        "stockroom_backup_bytes",
        Gauge,
        "Size of the newest scheduled backup",
    ),
    (
        "stockroom_backup_duration_seconds",
        Gauge,
        "How long the newest scheduled backup took",
    ),
    (
        "stockroom_backup_failures_total",
        Counter,
        "Scheduled backups that failed",
    ),
    (
        "stockroom_backup_last_success_timestamp_seconds",
        Gauge,
        "Unix time of the newest scheduled backup",
    ),
    (
        "stockroom_build_info",
        Gauge,
        "1, with the version of the program as a label",
    ),
    (
        "stockroom_connections",
        Gauge,
        "Open connections of clients",
    ),
    (
        "stockroom_connections_dropped_total",
        Counter,
        "Connections that were closed because the client was too slow, idle or flooding, or for a new one",
    ),
    (
        "stockroom_connections_refused_total",
        Counter,
        "Connections that were refused because there were too many",
    ),
    (
        "stockroom_database_failovers_total",
        Counter,
        "How often this node went on with another server of the database URL",
    ),
    (
        "stockroom_database_up",
        Gauge,
        "1 if the database answered when it was last asked, else 0",
    ),
    (
        "stockroom_http_request_seconds",
        Histogram,
        "Time from a request to its answer",
    ),
    (
        "stockroom_http_requests_total",
        Counter,
        "Requests that were answered",
    ),
    (
        "stockroom_log_lines_dropped_total",
        Counter,
        "Lines of the log that were dropped because nobody read standard error",
    ),
    (
        "stockroom_replica_lag_seconds",
        Gauge,
        "How far the replica for reads is behind",
    ),
    (
        "stockroom_store_busy_threads",
        Gauge,
        "Threads of a queue that work",
    ),
    (
        "stockroom_store_group_size",
        Histogram,
        "Writes that shared a commit of SQLite",
    ),
    (
        "stockroom_store_log_bytes",
        Gauge,
        "Size of the write-ahead log of SQLite",
    ),
    (
        "stockroom_store_queue_depth",
        Gauge,
        "Reads or writes that wait for a thread",
    ),
    (
        "stockroom_store_retries_total",
        Counter,
        "Transactions that were repeated after a conflict",
    ),
    (
        "stockroom_store_wait_seconds",
        Histogram,
        "How long reads or writes waited for a thread",
    ),
    (
        "stockroom_task_failures_total",
        Counter,
        "Steps of background tasks that failed; they are repeated",
    ),
    (
        "stockroom_task_running",
        Gauge,
        "1 while a background task works, 0 while it rests",
    ),
    (
        "stockroom_task_steps_total",
        Counter,
        "Steps of background tasks after which more may have been due",
    ),
    (
        "stockroom_tls_certificate_expiry_timestamp_seconds",
        Gauge,
        "Unix time at which the certificate of the server ends",
    ),
    (
        "stockroom_token_cache_total",
        Counter,
        "Tokens that were found in the cache, or not",
    ),
];

/// Makes the descriptions known to the recorder that is installed.
pub fn describe_metrics() {
    for (name, kind, help) in METRICS {
        match kind {
            Counter => describe_counter!(*name, *help),
            Gauge => describe_gauge!(*name, *help),
            Histogram => describe_histogram!(*name, *help),
        }
    }
    Collector::default().describe();
    metrics::gauge!("stockroom_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
}

/// The names of all metrics of our own.
pub fn metric_names() -> impl Iterator<Item = &'static str> {
    METRICS.iter().map(|(name, _, _)| *name)
}

/// All metrics as they are now.
pub(crate) async fn render(recorder: &PrometheusHandle, service: &Service) -> String {
    Collector::default().collect();
    service.record_metrics().await;
    recorder.render()
}
