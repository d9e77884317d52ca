//! Requests whose reads and writes are one transaction. The router handles them like any other
//! request, perhaps several times; see `store/src/open_transaction.rs`.

mod dispatcher;
pub(crate) mod dry_run;
pub(crate) mod idempotency;

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use stockroom_service::Caller;
use tower::Service as _;

pub(crate) use self::dispatcher::Dispatcher;
use self::dispatcher::Routes;
use crate::answer::Problem;
use crate::budget::{Reservation, Sharer};
use crate::request::body::collect;
use crate::request::{WriteKind, requester};
use crate::state::AppState;

/// Calls the router, in a transaction if the request asks for it.
pub(crate) async fn route(
    state: &AppState,
    routes: &Router,
    kind: Option<WriteKind>,
    mut request: Request,
) -> Response {
    let caller = request.extensions().get::<Arc<Caller>>().map(Arc::clone);
    if let (Some(kind), Some(caller)) = (kind, caller) {
        request.extensions_mut().insert(Routes(routes.clone()));
        let answered = route_write(state, routes, &caller, kind, request).await;
        return answered.unwrap_or_else(IntoResponse::into_response);
    }
    call(routes.clone(), request).await
}

async fn route_write(
    state: &AppState,
    routes: &Router,
    caller: &Caller,
    kind: WriteKind,
    request: Request,
) -> Result<Response, Problem> {
    // A dry run stores nothing, so it needs no key.
    if let Some(dry_run) = dry_run::Flag::of(request.uri()) {
        let replay = Replay::of(request, state).await?;
        return Ok(dry_run.answer(caller, routes, &replay).await);
    }
    if let Some(key) = idempotency::key_of(request.headers())? {
        let replay = Replay::of(request, state).await?;
        return Ok(idempotency::answer(key, caller, routes, kind, &replay).await);
    }
    Ok(call(routes.clone(), request).await)
}

async fn call(mut routes: Router, request: Request) -> Response {
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
        let sharer = Sharer::User(requester(&parts.extensions));
        let mut reservation = state.bodies.reservation(Some(sharer));
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
