//! What is counted of every request.

use std::cell::RefCell;
use std::time::Duration;

use axum::extract::{MatchedPath, Request};
use axum::http::{Method, StatusCode};
use metrics::{Counter, Histogram};

use crate::request_info::{RequestInfo, Route};

/// Inside the router: notes which route it is.
pub(crate) fn note_route(request: Request) -> Request {
    let extensions = request.extensions();
    if let (Some(info), Some(path)) = (RequestInfo::of(extensions), extensions.get::<MatchedPath>())
    {
        // It is matched once.
        let _ = info.route.set(path.clone());
    }
    request
}

/// Counts an answer and the time that it took.
pub(crate) fn record(method: &Method, route: &Route, status: StatusCode, elapsed: Duration) {
    let route = route.get().map_or("none", MatchedPath::as_str);
    let kind = (method_label(method), status);
    KNOWN.with_borrow_mut(|known| {
        let place = known
            .iter()
            .position(|figure| figure.kind == kind && figure.route == route)
            .unwrap_or_else(|| {
                known.push(Figure::new(kind, route));
                known.len() - 1
            });
        let figure = &known[place];
        figure.count.increment(1);
        figure.seconds.record(elapsed);
        // What is asked for often moves to the front.
        if place > 0 {
            known.swap(place, place / 2);
        }
    });
}

type Kind = (&'static str, StatusCode);

/// What is counted of one kind of answers.
struct Figure {
    kind: Kind,
    route: String,
    count: Counter,
    seconds: Histogram,
}

thread_local! {
    /// What was registered already: to register costs more than to count. There are few, and a look
    /// at the first costs less than a hash.
    static KNOWN: RefCell<Vec<Figure>> = const { RefCell::new(Vec::new()) };
}

impl Figure {
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

/// Methods are whatever a client sends; a metric takes only known ones.
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
