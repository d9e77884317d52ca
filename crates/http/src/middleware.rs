//! The middleware of every request: request id, log, metrics, token, version header, problem
//! bodies.

mod access_log;
mod answer_headers;
mod request_headers;
pub(crate) mod request_metrics;
mod trace_context;
mod trailing_slash;

use std::any::Any;
use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;
use stockroom_fair::Requester;
use stockroom_service::{CommitToken, RequestContext, Via};
use tower::Service;
use tracing::Instrument as _;

use self::access_log::{AccessLog, request_span};
use self::answer_headers::{add_headers, without_misleading_length};
use self::request_headers::{
    check_fields, check_host, check_length, comment, commit_token, request_id,
};
use self::trailing_slash::without_trailing_slash;
use crate::answer::Problem;
use crate::answer::compression::AcceptEncoding;
use crate::budget::AnswerBudget;
use crate::open_transaction;
use crate::request::{Client, Credentials, Prefer, RequestInfo, RouteTable, is_https};
use crate::state::AppState;

pub(crate) use self::request_headers::MAX_COMMENT;

/// The commit token: in an answer the state of the store, in a request the least state to read.
/// Only with replicas.
pub(crate) const STORE_VERSION_HEADER: HeaderName = HeaderName::from_static("x-store-version");
const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The whole service, as a tower service for any server. It wraps the router instead of being
/// layers of it, which would be boxed and cloned for each route and request.
#[derive(Clone)]
pub struct App {
    state: AppState,
    routes: Router,
    table: &'static RouteTable,
}

impl App {
    pub(crate) const fn new(state: AppState, routes: Router, table: &'static RouteTable) -> Self {
        Self {
            state,
            routes,
            table,
        }
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
        let client = Client::address(&parts, &self.state);
        let trace_parent = parts.headers.get("traceparent").cloned();
        let request = Request::from_parts(parts, body);
        let (method, target) = (request.method().clone(), request.uri().clone());
        let request_id = request_id(request.headers(), &self.state);
        let span = request_span(&request_id);
        let commit_token = commit_token(&self.state, request.headers());
        let accepted = AcceptEncoding::of(request.headers());
        let request = without_trailing_slash(request);
        let path = self.state.below_base(request.uri().path());
        let facts = self.table.of(&method, path);
        let info = Arc::new(RequestInfo::new(target, request_id, facts, self.table));
        let access_log = AccessLog {
            info: Arc::clone(&info),
            method: method.clone(),
            client,
            trace_parent,
            started,
            is_written: false,
        };
        let routed = self.authenticate_and_route(request, &info, commit_token.clone());
        // Pinned where they are made, as they are large to move.
        let response = pin!(routed.instrument(span)).await;
        let response = self.reserve(response, &method, &info).await;
        let response = Problem::complete(response, &info.request_id, info.target.path());
        let response = self.with_headers(response, &info, is_https);
        let requester = info.requester.get().copied().unwrap_or(Requester::SERVICE);
        let mut response = self.state.compression.apply(&accepted, requester, response);
        if let Some(commit_token) = commit_token {
            response
                .headers_mut()
                .insert(STORE_VERSION_HEADER, commit_token.number().into());
        }
        without_misleading_length(&method, &mut response);
        let elapsed = started.elapsed();
        access_log.answered(&response, elapsed);
        request_metrics::record(&method, &info.route, response.status(), elapsed);
        // Under load, answers of requests that arrived together leave together: waking up a client
        // costs more than an answer.
        tokio::task::yield_now().await;
        response
    }

    /// Takes memory for a long answer. The answer to a write must be sent; a read can be repeated.
    async fn reserve(&self, response: Response, method: &Method, info: &RequestInfo) -> Response {
        let is_read = *method == Method::GET || info.facts.is_query;
        if !is_read || !AnswerBudget::needs_reservation(&response) {
            return response;
        }
        let requester = info.requester.get().copied();
        let share = self
            .state
            .answers
            .share(requester.unwrap_or(Requester::SERVICE));
        let reserved = share.try_reserve_response(response).await;
        reserved.unwrap_or_else(IntoResponse::into_response)
    }

    fn with_headers(&self, mut response: Response, info: &RequestInfo, is_https: bool) -> Response {
        let headers = response.headers_mut();
        add_headers(headers, &info.request_id);
        // Browsers ignore it on connections without TLS, where anybody could have added it.
        if let Some(hsts) = self.state.hsts.as_ref().filter(|_| is_https) {
            headers.insert(header::STRICT_TRANSPORT_SECURITY, hsts.clone());
        }
        if info.facts.is_private {
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        response
    }

    /// Authenticates the caller and calls the router.
    async fn authenticate_and_route(
        &mut self,
        request: Request,
        info: &Arc<RequestInfo>,
        commit_token: Option<Arc<CommitToken>>,
    ) -> Response {
        let (most, is_named) = (self.state.config.max_url_bytes, check_host(&request));
        let is_short = is_named.and_then(|()| check_length(&info.target, most));
        if let Err(problem) = is_short.and_then(|()| check_fields(request.headers())) {
            return problem.into_response();
        }
        let comment = match comment(request.headers()) {
            Ok(comment) => comment,
            Err(problem) => return problem.into_response(),
        };
        let context = RequestContext {
            request_id: Arc::clone(&info.request_id),
            via: Via::Session,
            reserve: info.facts.reserve,
            comment,
            strict: Prefer::of(request.headers()).strict,
            commit_token,
            ..RequestContext::default()
        };
        let (mut parts, body) = request.into_parts();
        let authenticated = match Credentials::of(&self.state, &parts, info) {
            Ok(None) => None,
            Ok(Some(credentials)) => match credentials.check(&self.state, context).await {
                Ok(caller) => Some((Arc::new(caller), credentials.cookie)),
                Err(error) => return Problem::from(error).into_response(),
            },
            Err(problem) => return problem.into_response(),
        };
        parts.extensions.insert(Arc::clone(info));
        if let Some((caller, cookie)) = &authenticated {
            let _ = info.requester.set(caller.requester());
            parts.extensions.insert(Arc::clone(caller));
            parts.extensions.insert(cookie.clone());
        }
        let request = Request::from_parts(parts, body);
        let routed = AssertUnwindSafe(open_transaction::route(
            &self.state,
            &self.routes,
            info.facts.write,
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

/// The answer when a handler panicked; the request id leads to the log.
fn panicked(cause: &(dyn Any + Send)) -> Response {
    let cause = cause
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| cause.downcast_ref::<&str>().copied());
    tracing::error!(cause, "a handler panicked");
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error").into_response()
}
