//! What every handler can reach.

use std::net::IpAddr;
use std::ops::Deref;
use std::sync::Arc;

use axum::http::StatusCode;
use metrics_exporter_prometheus::PrometheusHandle;
use stockroom_model::Timestamp;
use stockroom_model::json::Value;
use stockroom_service::{Service, Written};

use crate::budget::{AnswerBudget, BodyBudget, BodyLimits};
use crate::compression::Compression;
use crate::envelope::{Answer, Model};

/// What an operator may set about the HTTP side.
#[derive(Debug, Clone)]
pub struct HttpConfig {
    /// Where clients reach the service, base path included; `None` takes it from each request.
    pub public_url: Option<String>,
    /// Path under which everything stands: empty, or `/…` without a slash at its end.
    pub base_path: String,
    /// Addresses whose `X-Forwarded-*` headers are believed.
    pub trusted_proxies: Vec<IpAddr>,
    /// Bytes of the path and query of a URL; longer ones are refused with 414.
    pub max_url_bytes: usize,
    /// Whether clients reach the service by TLS without a proxy.
    pub is_encrypted: bool,
    /// Whether health and metrics have a listener of their own, see [`crate::monitoring`].
    pub has_monitoring_listener: bool,
    /// Bounds of the bodies of requests and answers.
    pub bodies: BodyLimits,
}

impl Default for HttpConfig {
    fn default() -> Self {
        Self {
            public_url: None,
            base_path: String::new(),
            trusted_proxies: Vec::new(),
            max_url_bytes: 32 * 1024,
            is_encrypted: false,
            has_monitoring_listener: false,
            bodies: BodyLimits::default(),
        }
    }
}

/// Shared by all requests.
#[derive(Clone)]
pub struct AppState(Arc<Shared>);

/// One allocation, because every layer and every handler gets a clone of the state.
pub struct Shared {
    pub(crate) service: Arc<Service>,
    pub(crate) config: HttpConfig,
    pub(crate) metrics: Option<PrometheusHandle>,
    pub(crate) bodies: Arc<BodyBudget>,
    pub(crate) answers: AnswerBudget,
    pub(crate) compression: Compression,
}

impl Deref for AppState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl AppState {
    /// Metrics are answered only where a recorder was installed.
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
            config,
            metrics,
            compression: Compression::default(),
        }))
    }

    /// A path below the base path; empty for one that is elsewhere.
    pub(crate) fn below_base<'p>(&self, path: &'p str) -> &'p str {
        let base_path = self.config.base_path.as_str();
        path.strip_prefix(base_path).unwrap_or_default()
    }
}

/// Answers to writes of the small collections.
impl AppState {
    pub(crate) fn now(&self) -> Timestamp {
        self.service.clock().now()
    }

    /// An insert; `url` gives the record's URL by its id, which is its `public_id` or, for
    /// settings, its `identifier`.
    pub(crate) fn inserted(
        &self,
        status: StatusCode,
        model: Model,
        written: &Written,
        url: impl FnOnce(&Value) -> String,
    ) -> Answer {
        let value = &written.document.value;
        let id = value
            .get("public_id")
            .or_else(|| value.get("identifier"))
            .cloned()
            .unwrap_or_default();
        Answer::inserted(
            status,
            model,
            &id,
            &value.to_string(),
            &written.warnings,
            self.now(),
        )
        .revision(written.document.revision)
        .location(&url(&id))
    }

    /// An update of the record at `url`.
    pub(crate) fn updated(
        &self,
        status: StatusCode,
        model: Model,
        written: &Written,
        url: &str,
    ) -> Answer {
        Answer::updated(
            status,
            model,
            &written.document.value.to_string(),
            &written.warnings,
            self.now(),
        )
        .revision(written.document.revision)
        .location(url)
    }

    /// A delete.
    pub(crate) fn deleted(&self, status: StatusCode, model: Model, removed: &Written) -> Answer {
        Answer::deleted(
            status,
            model,
            &removed.document.value.to_string(),
            &removed.warnings,
            self.now(),
        )
    }
}
