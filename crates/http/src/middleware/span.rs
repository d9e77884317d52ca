//! The span of the log lines of a request.

use std::sync::Arc;

use axum::extract::Request;
use tracing::Span;
use tracing::field::Empty;

use super::trace_context::TraceContext;

/// A new span. Client and user are known later.
pub(super) fn request_span(request: &Request, request_id: &Arc<str>) -> Span {
    let span = tracing::info_span!(
        "request",
        id = %request_id,
        method = %request.method(),
        path = request.uri().path(),
        client = Empty,
        user = Empty,
        trace_id = Empty,
        parent_id = Empty,
    );
    if !span.is_disabled()
        && let Some(TraceContext {
            trace_id,
            parent_id,
        }) = TraceContext::of(request.headers())
    {
        span.record("trace_id", trace_id);
        span.record("parent_id", parent_id);
    }
    span
}
