//! What is counted of every request.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::OnceLock;
use std::time::Duration;

use axum::extract::{MatchedPath, Request};
use axum::http::{Method, StatusCode};
use metrics::{Counter, Histogram};

use crate::border::Passage;

/// The route that answers a request; only the router knows it, and only inside.
pub(crate) type Route = OnceLock<MatchedPath>;

/// Inside the router: notes which route it is.
pub(crate) fn note_route(request: Request) -> Request {
    let extensions = request.extensions();
    if let (Some(passage), Some(path)) = (Passage::of(extensions), extensions.get::<MatchedPath>())
    {
        // It is matched once.
        let _ = passage.route.set(path.clone());
    }
    request
}

/// Counts an answer and the time that it took.
pub(crate) fn record(method: &Method, route: &Route, status: StatusCode, elapsed: Duration) {
    let route = route.get().map_or("none", MatchedPath::as_str);
    let kind = (method_label(method), status);
    KNOWN.with_borrow_mut(|known| {
        // Looked up in two steps, because the route is owned only when it is new.
        if !known.contains_key(route) {
            known.insert(route.to_owned(), Kinds::new());
        }
        if let Some(kinds) = known.get_mut(route) {
            let (count, seconds) = kinds.entry(kind).or_insert_with(|| register(kind, route));
            count.increment(1);
            seconds.record(elapsed);
        }
    });
}

type Kind = (&'static str, StatusCode);
type Kinds = HashMap<Kind, (Counter, Histogram)>;

thread_local! {
    /// By route, what was registered already: to register costs more than to count.
    static KNOWN: RefCell<HashMap<String, Kinds>> = RefCell::default();
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
