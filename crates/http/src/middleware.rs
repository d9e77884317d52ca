//! The middleware of every request: request id, log span, metrics, token, version header, problem
//! bodies.

use std::any::Any;
use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Instant;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, Version, header};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;
use stockroom_fair::Requester;
use stockroom_service::{CommitToken, RequestContext, Via};
use tower::Service;
use tracing::field::{Empty, display};
use tracing::{Instrument as _, Span};

use crate::budget::AnswerBudget;
use crate::compression::AcceptEncoding;
use crate::credentials::Credentials;
use crate::envelope::TOTAL_COUNT_HEADER;
use crate::extract::{Client, Prefer, is_https};
use crate::open_transaction;
use crate::openapi::query;
use crate::problem::Problem;
use crate::request_info::{RequestInfo, Route};
use crate::request_metrics;
use crate::route_facts::RouteFacts;
use crate::state::AppState;
use crate::trace_context::TraceContext;

/// The version of the API (`docs/guide/src/http.md`).
pub(crate) const API_VERSION: HeaderValue = HeaderValue::from_static("1.0");
const API_VERSION_HEADER: HeaderName = HeaderName::from_static("x-api-version");
/// The commit token: in an answer the state of the store, in a request the least state to read.
/// Only with replicas.
pub(crate) const STORE_VERSION_HEADER: HeaderName = HeaderName::from_static("x-store-version");
const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");
const MAX_REQUEST_ID: usize = 64;
const COMMENT_HEADER: HeaderName = HeaderName::from_static("x-comment");
/// Bytes of the reason for a write.
pub(crate) const MAX_COMMENT: usize = 1_024;

/// The whole service, as a tower service for any server. It wraps the router instead of being
/// layers of it, which would be boxed and cloned for each route and request.
#[derive(Clone)]
pub struct App {
    state: AppState,
    routes: Router,
}

impl App {
    pub(crate) const fn new(state: AppState, routes: Router) -> Self {
        Self { state, routes }
    }
}

impl Service<Request> for App {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let app = self.clone();
        Box::pin(async move { Ok(app.answer(request).await) })
    }
}

impl App {
    async fn answer(mut self, request: Request) -> Response {
        let started = Instant::now();
        let (parts, body) = request.into_parts();
        let is_https = is_https(&parts, &self.state);
        let request = Request::from_parts(parts, body);
        let request_id = request_id(request.headers(), &self.state);
        let (method, uri) = (request.method().clone(), request.uri().clone());
        let info = Arc::new(RequestInfo {
            target: uri.clone(),
            request_id: Arc::clone(&request_id),
            route: Route::new(),
            requester: OnceLock::new(),
        });
        let span = request_span(&request, &request_id);
        let commit_token = commit_token(&self.state, request.headers());
        let accepted = AcceptEncoding::of(request.headers());
        let routed = self.authenticate_and_route(request, &info, &request_id, commit_token.clone());
        // Pinned where they are made, as they are large to move.
        let mut response = pin!(routed.instrument(span.clone())).await;
        // The answer to a write must be sent; a read can be repeated.
        let is_query = || method == Method::POST && uri.path().ends_with(query::SUFFIX);
        let is_read = || method == Method::GET || is_query();
        if AnswerBudget::needs_reservation(&response) && is_read() {
            let requester = info.requester.get().copied();
            let share = self
                .state
                .answers
                .share(requester.unwrap_or(Requester::SERVICE));
            let reserved = share.try_reserve_response(response).await;
            response = reserved.unwrap_or_else(IntoResponse::into_response);
        }
        let mut response = Problem::complete(response, &request_id, uri.path());
        add_headers(response.headers_mut(), &request_id);
        // Browsers ignore it on connections without TLS, where anybody could have added it.
        if let Some(hsts) = self.state.hsts.as_ref().filter(|_| is_https) {
            let name = header::STRICT_TRANSPORT_SECURITY;
            response.headers_mut().insert(name, hsts.clone());
        }
        if is_private(self.state.below_base(uri.path())) {
            let no_store = HeaderValue::from_static("no-store");
            response
                .headers_mut()
                .insert(header::CACHE_CONTROL, no_store);
        }
        let mut response = self.state.compression.apply(&accepted, response);
        if let Some(commit_token) = commit_token {
            response
                .headers_mut()
                .insert(STORE_VERSION_HEADER, commit_token.number().into());
        }
        without_misleading_length(&method, &mut response);
        let (status, elapsed) = (response.status(), started.elapsed());
        span.in_scope(|| {
            tracing::info!(
                status = status.as_u16(),
                bytes = response.body().size_hint().exact(),
                seconds = elapsed.as_secs_f64(),
                "answered"
            );
        });
        request_metrics::record(&method, &info.route, status, elapsed);
        // Under load, answers of requests that arrived together leave together: waking up a client
        // costs more than an answer.
        tokio::task::yield_now().await;
        response
    }

    /// Authenticates the caller and calls the router.
    async fn authenticate_and_route(
        &mut self,
        request: Request,
        info: &Arc<RequestInfo>,
        request_id: &Arc<str>,
        commit_token: Option<Arc<CommitToken>>,
    ) -> Response {
        let (most, is_named) = (self.state.config.max_url_bytes, check_host(&request));
        if let Err(problem) = is_named.and_then(|()| check_length(request.uri(), most)) {
            return problem.into_response();
        }
        let comment = match comment(request.headers()) {
            Ok(comment) => comment,
            Err(problem) => return problem.into_response(),
        };
        let request = without_trailing_slash(request);
        let path = self.state.below_base(request.uri().path());
        let facts = RouteFacts::of(request.method(), path);
        let context = RequestContext {
            request_id: Arc::clone(request_id),
            via: Via::Session,
            may_use_reserve: facts.is_vital,
            comment,
            strict: Prefer::of(request.headers()).strict,
            commit_token,
            ..RequestContext::default()
        };
        let (mut parts, body) = request.into_parts();
        let authenticated = match Credentials::of(&self.state, &parts, request_id) {
            Ok(None) => None,
            Ok(Some(credentials)) => match credentials.check(&self.state, context).await {
                Ok(caller) => Some((Arc::new(caller), credentials.cookie)),
                Err(error) => return Problem::from(error).into_response(),
            },
            Err(problem) => return problem.into_response(),
        };
        let span = Span::current();
        if !span.is_disabled() {
            let Client(client) = Client::of(&parts, &self.state, Arc::clone(request_id));
            span.record("client", display(client.address));
        }
        parts.extensions.insert(Arc::clone(info));
        if let Some((caller, cookie)) = &authenticated {
            span.record("user", caller.user_id().get());
            let _ = info.requester.set(caller.requester());
            parts.extensions.insert(Arc::clone(caller));
            parts.extensions.insert(cookie.clone());
        }
        let request = Request::from_parts(parts, body);
        let routed = AssertUnwindSafe(open_transaction::route(
            &self.state,
            &self.routes,
            facts.write,
            request,
        ));
        let routed = pin!(routed.catch_unwind()).await;
        let mut response = routed.unwrap_or_else(|cause| panicked(&*cause));
        if let Some((caller, cookie)) = &authenticated {
            cookie.complete(caller, &mut response).await;
        }
        response
    }
}

/// The span of the log lines of a request. Client and user are known later.
fn request_span(request: &Request, request_id: &Arc<str>) -> Span {
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

/// The reason for a write that the client gives, for its history.
fn comment(headers: &HeaderMap) -> Result<Option<Arc<str>>, Problem> {
    let Some(sent) = headers.get(COMMENT_HEADER) else {
        return Ok(None);
    };
    let text = std::str::from_utf8(sent.as_bytes()).ok();
    let text = text.filter(|text| text.len() <= MAX_COMMENT);
    match text {
        Some("") => Ok(None),
        Some(text) => Ok(Some(text.into())),
        None => Err(Problem::new(
            StatusCode::BAD_REQUEST,
            format!("X-Comment takes a text in UTF-8 of at most {MAX_COMMENT} bytes"),
        )),
    }
}

/// Refuses a request that names no server, or several (RFC 9112, 3.2).
fn check_host(request: &Request) -> Result<(), Problem> {
    let names = request.headers().get_all(header::HOST).iter().count();
    let needs_one = request.version() == Version::HTTP_11;
    if names == 1 || names == 0 && !needs_one {
        return Ok(());
    }
    let detail = format!("a request needs one Host header, not {names}");
    Err(Problem::new(StatusCode::BAD_REQUEST, detail))
}

/// Refuses a URL that is too long, and points to query routes.
fn check_length(uri: &Uri, most: usize) -> Result<(), Problem> {
    let bytes = uri
        .path_and_query()
        .map_or(0, |target| target.as_str().len());
    if bytes <= most {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::URI_TOO_LONG,
        format!(
            "the URL has {bytes} bytes and may have {most}; a list takes its parameters as the JSON body of POST …/query, too"
        ),
    ))
}

fn add_headers(headers: &mut HeaderMap, request_id: &str) {
    headers.insert(API_VERSION_HEADER, API_VERSION);
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    if let Ok(value) = HeaderValue::from_str(request_id) {
        headers.insert(REQUEST_ID_HEADER, value);
    }
}

/// Whether answers may contain tokens or encoded passwords, which must not be cached.
fn is_private(path: &str) -> bool {
    let area = path
        .strip_prefix("/rest/")
        .map(|path| path.split('/').next());
    matches!(area, Some(Some("auth" | "tokens" | "users")))
}

/// Every route answers with and without a slash at its end (`docs/guide/src/http.md`).
fn without_trailing_slash(mut request: Request) -> Request {
    let uri = request.uri();
    let path = uri.path();
    let is_rest = |path: &&str| path.ends_with("/rest") || path.contains("/rest/");
    let Some(path) = path.strip_suffix('/').filter(is_rest) else {
        return request;
    };
    let target = uri
        .query()
        .map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"));
    let mut parts = uri.clone().into_parts();
    if let Ok(target) = target.try_into() {
        parts.path_and_query = Some(target);
    }
    if let Ok(uri) = Uri::from_parts(parts) {
        *request.uri_mut() = uri;
    }
    request
}

/// An answer without a body carries the length that GET or 200 would have had, or no length (RFC
/// 9110, 8.6).
fn without_misleading_length(method: &Method, response: &mut Response) {
    let headers = response.headers_mut();
    // For a list only the total was computed, so its length is unknown, and whether it would be
    // compressed.
    let is_list = headers.contains_key(TOTAL_COUNT_HEADER);
    let is_head = *method == Method::HEAD;
    let is_unknown = is_head && (is_list || headers.contains_key(header::CONTENT_ENCODING));
    if is_head && is_list {
        headers.remove(header::CONTENT_ENCODING);
    }
    if is_head {
        *response.body_mut() = Body::empty();
    }
    if is_unknown || response.status() == StatusCode::NOT_MODIFIED {
        // With an empty body of known length, the server would add the length 0.
        *response.body_mut() =
            Body::from_stream(futures_util::stream::empty::<Result<Bytes, Infallible>>());
        response.headers_mut().remove(header::CONTENT_LENGTH);
    }
}

/// The client's commit token, if reads may go to replicas. A malformed number counts as 0.
fn commit_token(state: &AppState, headers: &HeaderMap) -> Option<Arc<CommitToken>> {
    let number = || {
        let sent = headers.get(STORE_VERSION_HEADER)?.to_str().ok()?;
        sent.parse().ok()
    };
    let has_replicas = state.service.has_replicas();
    has_replicas.then(|| CommitToken::of(number().unwrap_or_default()))
}

/// The client's own id if it is well-formed, else a new one.
fn request_id(headers: &HeaderMap, state: &AppState) -> Arc<str> {
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
        .map_or_else(|| state.service.new_request_id(), Arc::from)
}

/// The answer for an unknown path.
pub(crate) async fn not_found() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "there is nothing at this path")
}

/// The answer for a method that the path does not support; the router adds `Allow`.
pub(crate) async fn method_not_allowed() -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "this path does not know that method; see the header Allow",
    )
}

/// The answer when a handler panicked; the request id leads to the log.
fn panicked(cause: &(dyn Any + Send)) -> Response {
    let cause = cause
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| cause.downcast_ref::<&str>().copied());
    tracing::error!(cause, "a handler panicked");
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error").into_response()
}
