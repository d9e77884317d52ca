//! What happens to every request, whatever its route: an id, a log line, metrics, the token, the version header, problem bodies.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Instant;

use axum::body::{Body, Bytes};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use stockroom_auth::token::from_authorization_header;
use stockroom_service::{Error, RequestContext};
use tracing::Instrument;

use crate::problem::Problem;
use crate::state::AppState;

/// The version of the API (spec, "Versioning").
pub(crate) const API_VERSION: HeaderValue = HeaderValue::from_static("1.0");
const API_VERSION_HEADER: HeaderName = HeaderName::from_static("x-api-version");
const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");
const TOTAL_COUNT_HEADER: HeaderName = HeaderName::from_static("x-total-count");
const MAX_REQUEST_ID: usize = 64;

/// The outermost layer.
pub(crate) async fn border(
    State(state): State<AppState>,
    mut request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let request_id: Arc<str> = request_id(request.headers(), &state).into();
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    request
        .extensions_mut()
        .insert(RequestId(Arc::clone(&request_id)));
    let span = tracing::info_span!("request", id = %request_id, %method, path);
    let response = next.run(request).instrument(span.clone()).await;
    let mut response = Problem::complete(response, &request_id, &path);
    let is_wrong_method = response.status() == StatusCode::METHOD_NOT_ALLOWED;
    let headers = response.headers_mut();
    if !is_wrong_method {
        // The router adds it even where the token was refused, and would tell strangers which paths there are.
        headers.remove(header::ALLOW);
    }
    headers.insert(API_VERSION_HEADER, API_VERSION);
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    if let Ok(value) = HeaderValue::from_str(&request_id) {
        headers.insert(REQUEST_ID_HEADER, value);
    }
    without_misleading_length(&method, &mut response);
    let elapsed = started.elapsed();
    span.in_scope(|| {
        tracing::info!(
            status = response.status().as_u16(),
            micros = elapsed.as_micros(),
            "answered"
        );
    });
    let route = response
        .extensions()
        .get::<Route>()
        .map_or_else(|| "none".to_owned(), |route| route.0.clone());
    let labels = [
        ("method", method_label(&method).to_owned()),
        ("route", route),
        ("status", response.status().as_str().to_owned()),
    ];
    metrics::counter!("stockroom_http_requests_total", &labels).increment(1);
    metrics::histogram!("stockroom_http_request_seconds", &labels).record(elapsed);
    response
}

/// An answer without a body tells the length of the one that GET or 200 would have had, or none (RFC 9110, 8.6).
fn without_misleading_length(method: &Method, response: &mut Response) {
    let headers = response.headers_mut();
    // Of a list only the total was computed, so nobody knows how long it would be.
    let is_unknown = *method == Method::HEAD && headers.contains_key(TOTAL_COUNT_HEADER);
    if *method == Method::HEAD {
        *response.body_mut() = Body::empty();
    }
    if is_unknown || response.status() == StatusCode::NOT_MODIFIED {
        // An empty body of known length would be noted as such.
        *response.body_mut() =
            Body::from_stream(futures_util::stream::empty::<Result<Bytes, Infallible>>());
        response.headers_mut().remove(header::CONTENT_LENGTH);
    }
}

/// The id of a request.
#[derive(Clone)]
struct RequestId(Arc<str>);

/// The route of an answer, for metrics.
#[derive(Clone)]
struct Route(String);

/// Inside the routes: notes which one it was.
pub(crate) async fn note_route(request: Request, next: Next) -> Response {
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map(|path| Route(path.as_str().to_owned()));
    let mut response = next.run(request).await;
    if let Some(route) = route {
        response.extensions_mut().insert(route);
    }
    response
}

/// Under `/rest` nothing is answered without a valid token but logging in and the OpenAPI document.
pub(crate) async fn authenticate(
    State(state): State<AppState>,
    mut request: Request,
    next: Next,
) -> Response {
    let path = request
        .uri()
        .path()
        .strip_prefix(state.config.base_path.as_str())
        .unwrap_or_default();
    let is_rest = path == "/rest" || path.starts_with("/rest/");
    if !is_rest || matches!(path, "/rest/auth/login" | "/rest/openapi.json") {
        return next.run(request).await;
    }
    let token = request
        .headers()
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(from_authorization_header);
    let context = RequestContext {
        request_id: request
            .extensions()
            .get::<RequestId>()
            .map(|id| id.0.to_string())
            .unwrap_or_default(),
        strict: is_strict(request.headers()),
    };
    match token
        .ok_or(Error::Unauthenticated)
        .and_then(|token| state.service.authenticate(token, context))
    {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(error) => Problem::from(error).into_response(),
    }
}

/// `Prefer: handling=strict` (RFC 7240)
fn is_strict(headers: &HeaderMap) -> bool {
    let preferences = headers
        .get_all("prefer")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split([',', ';']));
    preferences
        .map(|preference| preference.replace([' ', '"'], ""))
        .any(|preference| preference.eq_ignore_ascii_case("handling=strict"))
}

/// The client's own id if it is a decent one, else a new one.
fn request_id(headers: &HeaderMap, state: &AppState) -> String {
    let sent = headers
        .get(REQUEST_ID_HEADER)
        .and_then(|value| value.to_str().ok());
    let decent = |id: &&str| {
        (1..=MAX_REQUEST_ID).contains(&id.len())
            && id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    sent.filter(decent)
        .map_or_else(|| state.service.new_request_id(), str::to_owned)
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

/// The answer to a path that is none of ours.
pub(crate) async fn not_found() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "there is nothing at this path")
}

/// The answer to a method that a path does not know; `Allow` is added by the router.
pub(crate) async fn method_not_allowed() -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "this path does not know that method; see the header Allow",
    )
}

/// The answer when a handler panicked; the request's id leads to the log.
#[expect(clippy::needless_pass_by_value, reason = "the layer hands it over")]
pub(crate) fn panicked(cause: Box<dyn std::any::Any + Send + 'static>) -> Response {
    let cause = cause
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| cause.downcast_ref::<&str>().copied());
    tracing::error!(cause, "a handler panicked");
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error").into_response()
}
