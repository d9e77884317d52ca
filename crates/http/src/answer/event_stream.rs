//! Answers as server-sent events.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use futures_util::{Stream, StreamExt as _};
use stockroom_service::Lifecycle;

const EVENTS: &str = "text/event-stream";
/// After that time without news, something is sent that tells that the connection is alive.
pub(crate) const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Whether the client wants events.
pub(crate) fn is_accepted(headers: &HeaderMap) -> bool {
    let accepted = headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains(EVENTS))
}

/// The answer with these events. It ends when the process stops; the client goes on elsewhere.
pub(crate) fn answer(
    lifecycle: &Lifecycle,
    events: impl Stream<Item = Result<Bytes, Infallible>> + Send + 'static,
) -> Response {
    let events = events.take_until(lifecycle.clone().stopping());
    let mut response = Response::new(Body::from_stream(events));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(EVENTS));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Otherwise a proxy may collect events before it sends them.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}
