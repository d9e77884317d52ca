//! The state that all handlers share.

use std::ops::Deref;
use std::sync::Arc;

use axum::http::HeaderValue;
use metrics_exporter_prometheus::PrometheusHandle;
use stockroom_auth::Network;
use stockroom_model::Timestamp;
use stockroom_service::Service;

use crate::answer::compression::Compression;
use crate::backup_requests::BackupRequests;
use crate::budget::{AnswerBudget, BodyBudget, BodyLimits};
use crate::web_page::WebPage;

/// The HTTP settings of the operator.
#[derive(Debug, Clone)]
pub struct HttpConfig {
    /// The URL where clients reach the service, with the base path; `None` derives it from each
    /// request.
    pub public_url: Option<String>,
    /// The path prefix of all routes: empty, or `/…` without a trailing slash.
    pub base_path: String,
    /// Proxies whose `X-Forwarded-*` headers are trusted.
    pub trusted_proxies: Vec<Network>,
    /// Maximum bytes of path and query of a URL; longer ones are refused with 414.
    pub max_url_bytes: usize,
    /// Maximum number of operations in a batch.
    pub batch_operations: usize,
    /// Whether a change of an existing record needs `If-Match`.
    pub requires_if_match: bool,
    /// Whether clients connect by TLS, without a proxy.
    pub is_encrypted: bool,
    /// For how many seconds browsers connect by HTTPS alone, once they did; 0 ends that.
    pub hsts_seconds: u32,
    /// Whether health and metrics have a separate listener, see [`crate::monitoring`].
    pub has_monitoring_listener: bool,
    /// Limits of request bodies and answers.
    pub bodies: BodyLimits,
    /// Where to ask for a backup; `None` if the server makes none.
    pub backups: Option<BackupRequests>,
}

impl Default for HttpConfig {
    fn default() -> Self {
        Self {
            public_url: None,
            base_path: String::new(),
            trusted_proxies: Vec::new(),
            max_url_bytes: 32 * 1024,
            batch_operations: 1_000,
            requires_if_match: false,
            is_encrypted: false,
            hsts_seconds: 365 * 24 * 3_600,
            has_monitoring_listener: false,
            bodies: BodyLimits::default(),
            backups: None,
        }
    }
}

/// Shared by all requests.
#[derive(Clone)]
pub struct AppState(Arc<Shared>);

/// A single allocation, because every layer and handler gets a clone of the state.
pub struct Shared {
    pub(crate) service: Arc<Service>,
    pub(crate) config: HttpConfig,
    /// The value of `Strict-Transport-Security`.
    pub(crate) hsts: Option<HeaderValue>,
    pub(crate) metrics: Option<PrometheusHandle>,
    pub(crate) bodies: Arc<BodyBudget>,
    pub(crate) answers: AnswerBudget,
    pub(crate) compression: Compression,
    pub(crate) web_page: WebPage,
}

impl Deref for AppState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl AppState {
    /// The state. Metrics are served only where a recorder is installed.
    #[must_use]
    pub fn new(
        service: Arc<Service>,
        config: HttpConfig,
        metrics: Option<PrometheusHandle>,
    ) -> Self {
        Self(Arc::new(Shared {
            service,
            bodies: BodyBudget::new(config.bodies.clone()),
            answers: AnswerBudget::new(config.bodies.answer_bytes),
            web_page: WebPage::new(&config.base_path),
            hsts: HeaderValue::try_from(format!("max-age={}", config.hsts_seconds)).ok(),
            config,
            metrics,
            compression: Compression::default(),
        }))
    }

    /// The path below the base path; empty if it is not below it.
    pub(crate) fn below_base<'p>(&self, path: &'p str) -> &'p str {
        let base_path = self.config.base_path.as_str();
        path.strip_prefix(base_path).unwrap_or_default()
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.service.clock().now()
    }
}
