//! The log line of a request, and the span of other lines that are written while it is worked on.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::HttpBody as _;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::Response;
use stockroom_fair::Requester;
use tracing::Span;

use super::trace_context::TraceContext;
use crate::request::RequestInfo;

/// Writes the line of a request: when it is answered, else when it is dropped because its client
/// has left. A write may have been done by then.
pub(super) struct AccessLog {
    pub(super) info: Arc<RequestInfo>,
    pub(super) method: Method,
    pub(super) client: IpAddr,
    /// The header `traceparent`.
    pub(super) trace_parent: Option<HeaderValue>,
    pub(super) started: Instant,
    pub(super) is_written: bool,
}

impl AccessLog {
    /// Writes the line of an answered request.
    pub(super) fn answered(mut self, response: &Response, elapsed: Duration) {
        self.is_written = true;
        let bytes = response.body().size_hint().exact();
        self.write("answered", Some(response.status()), bytes, elapsed);
    }

    /// The line names everything itself: the fields of a span are written and read again for each
    /// line, which took half the time of a short read.
    fn write(
        &self,
        message: &str,
        status: Option<StatusCode>,
        bytes: Option<u64>,
        elapsed: Duration,
    ) {
        let trace = self.trace_parent.as_ref().and_then(TraceContext::of);
        tracing::info!(
            parent: None,
            request_id = &*self.info.request_id,
            method = self.method.as_str(),
            path = self.info.target.path(),
            client = display(self.client),
            user = self.info.requester.get().and_then(Requester::user_id),
            trace_id = trace.as_ref().map(|trace| trace.trace_id),
            parent_id = trace.as_ref().map(|trace| trace.parent_id),
            status = status.map(|status| status.as_u16()),
            bytes,
            seconds = elapsed.as_secs_f64(),
            "{message}"
        );
    }
}

impl Drop for AccessLog {
    fn drop(&mut self) {
        if !self.is_written {
            self.write("abandoned", None, None, self.started.elapsed());
        }
    }
}

/// A new span; its id leads to the line of the answer.
pub(super) fn request_span(request_id: &str) -> Span {
    tracing::info_span!("request", request_id)
}
