//! The metrics of every request.

use std::cell::RefCell;
use std::time::Duration;

use axum::extract::{MatchedPath, Request};
use axum::http::{Method, StatusCode};
use metrics::{Counter, Histogram};

use crate::request::{RequestInfo, Route};

/// Runs inside the router and notes the matched route.
pub(crate) fn record_route(request: Request) -> Request {
    let extensions = request.extensions();
    if let (Some(info), Some(path)) = (RequestInfo::of(extensions), extensions.get::<MatchedPath>())
    {
        // A request is matched once.
        let _ = info.route.set(path.clone());
    }
    request
}

/// Counts an answer and its duration.
pub(crate) fn record(method: &Method, route: &Route, status: StatusCode, elapsed: Duration) {
    let route = route.get().map_or("none", MatchedPath::as_str);
    let kind = (method_label(method), status);
    KNOWN.with_borrow_mut(|known| {
        let index = known
            .iter()
            .position(|entry| entry.kind == kind && entry.route == route)
            .unwrap_or_else(|| {
                known.push(RouteMetrics::new(kind, route));
                known.len() - 1
            });
        let entry = &known[index];
        entry.count.increment(1);
        entry.seconds.record(elapsed);
        // Move frequent kinds to the front.
        if index > 0 {
            known.swap(index, index / 2);
        }
    });
}

type Kind = (&'static str, StatusCode);

/// The metrics of one kind of answer.
struct RouteMetrics {
    kind: Kind,
    route: String,
    count: Counter,
    seconds: Histogram,
}

thread_local! {
    /// The registered metrics, because registering costs more than counting. There are few, and
    /// finding one of the first costs less than hashing.
    static KNOWN: RefCell<Vec<RouteMetrics>> = const { RefCell::new(Vec::new()) };
}

impl RouteMetrics {
    fn new(kind: Kind, route: &str) -> Self {
        let (count, seconds) = register(kind, route);
        Self {
            kind,
            route: route.to_owned(),
            count,
            seconds,
        }
    }
}

fn register((method, status): Kind, route: &str) -> (Counter, Histogram) {
    let labels = [
        ("method", method.to_owned()),
        ("route", route.to_owned()),
        ("status", status.as_str().to_owned()),
    ];
    (
        metrics::counter!("stockroom_http_requests_total", &labels),
        metrics::histogram!("stockroom_http_request_seconds", &labels),
    )
}

/// Limits the label to known methods, as clients may send any.
fn method_label(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        _ => "other",
    }
}
