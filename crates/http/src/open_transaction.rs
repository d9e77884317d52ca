//! Requests whose reads and writes are one transaction. The router handles them like any other
//! request, perhaps several times; see `store/src/open_transaction.rs`.

pub(crate) mod dry_run;
pub(crate) mod idempotency;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, Request};
use axum::http::request::Parts;
use axum::http::{Method, Uri};
use axum::response::{IntoResponse, Response};
use stockroom_service::Caller;
use tower::Service as _;

use crate::budget::Reservation;
use crate::extract::body::collect;
use crate::openapi::query;
use crate::problem::Problem;
use crate::request_info::{RequestInfo, Route};
use crate::routes::batch;
use crate::state::AppState;

/// Calls the router, in a transaction if the request asks for it.
pub(crate) async fn route(state: &AppState, routes: &Router, mut request: Request) -> Response {
    if state.below_base(request.uri().path()) == batch::PATH {
        request.extensions_mut().insert(Routes(routes.clone()));
    }
    let path = state.below_base(request.uri().path());
    let caller = request.extensions().get::<Arc<Caller>>().map(Arc::clone);
    if let Some(caller) = caller
        && is_write(request.method(), path)
    {
        let answered = route_write(state, routes, &caller, request).await;
        return answered.unwrap_or_else(IntoResponse::into_response);
    }
    call(routes.clone(), request).await
}

async fn route_write(
    state: &AppState,
    routes: &Router,
    caller: &Caller,
    request: Request,
) -> Result<Response, Problem> {
    // A dry run stores nothing, so it needs no key.
    if let Some(dry_run) = dry_run::Flag::of(request.uri()) {
        let replay = Replay::of(request, state).await?;
        return Ok(dry_run.answer(caller, routes, &replay).await);
    }
    if let Some(key) = idempotency::key_of(request.headers())? {
        let replay = Replay::of(request, state).await?;
        return Ok(idempotency::answer(key, caller, routes, &replay).await);
    }
    Ok(call(routes.clone(), request).await)
}

/// Whether a request may change records. Sessions are not records.
pub(crate) fn is_write(method: &Method, path: &str) -> bool {
    let is_query = *method == Method::POST && path.ends_with(query::SUFFIX);
    !method.is_safe() && path.starts_with("/rest/") && !path.starts_with("/rest/auth/") && !is_query
}

/// The router, for a request that consists of other requests.
#[derive(Clone)]
pub(crate) struct Routes(pub(crate) Router);

/// A request of a client who sent `parts`, with another target.
pub(crate) fn request_in(parts: &Parts, uri: Uri, body: Body, caller: &Caller) -> Request {
    let mut request = Request::new(body);
    request.headers_mut().clone_from(&parts.headers);
    let extensions = request.extensions_mut();
    if let Some(info) = RequestInfo::of(&parts.extensions) {
        extensions.insert(Arc::new(RequestInfo {
            target: uri.clone(),
            request_id: Arc::clone(&info.request_id),
            route: Route::new(),
        }));
    }
    if let Some(peer) = parts.extensions.get::<ConnectInfo<SocketAddr>>() {
        extensions.insert(*peer);
    }
    extensions.insert(Arc::new(caller.clone()));
    *request.uri_mut() = uri;
    request
}

pub(crate) async fn call(mut routes: Router, request: Request) -> Response {
    let answered: Result<Response, Infallible> = routes.call(request).await;
    match answered {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

/// A request that can be sent to the router several times.
pub(crate) struct Replay {
    parts: Parts,
    body: Bytes,
    _reservation: Reservation,
}

impl Replay {
    /// Reads the whole body: nothing may wait for a client while a transaction is open.
    async fn of(request: Request, state: &AppState) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        let mut reservation = state.bodies.reservation();
        let limit = state.bodies.limits().bytes;
        Ok(Self {
            parts,
            body: collect(body, limit, &mut reservation).await?,
            _reservation: reservation,
        })
    }

    /// The request in the name of `caller`.
    fn request(&self, caller: &Caller) -> Request {
        let body = Body::from(self.body.clone());
        let mut request = Request::from_parts(self.parts.clone(), body);
        request.extensions_mut().insert(Arc::new(caller.clone()));
        request
    }
}
