//! Requests that consist of other requests.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use stockroom_service::Caller;

use super::call;
use crate::problem::Problem;
use crate::request_info::{RequestInfo, Route};
use crate::state::AppState;

/// The router, for a request that consists of other requests.
#[derive(Clone)]
pub(super) struct Routes(pub(super) Router);

/// Sends the parts of a request to the router.
pub(crate) struct Dispatcher {
    routes: Router,
    parts: Parts,
}

impl FromRequestParts<AppState> for Dispatcher {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, Problem> {
        let routes = parts.extensions.get::<Routes>().cloned();
        let internal = || Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error");
        Ok(Self {
            routes: routes.ok_or_else(internal)?.0,
            parts: parts.clone(),
        })
    }
}

impl Dispatcher {
    /// A request with the headers of the whole one, in the name of `caller`.
    pub(crate) fn request(&self, uri: Uri, body: Body, caller: &Caller) -> Request {
        let mut request = Request::new(body);
        request.headers_mut().clone_from(&self.parts.headers);
        let extensions = request.extensions_mut();
        if let Some(info) = RequestInfo::of(&self.parts.extensions) {
            extensions.insert(Arc::new(RequestInfo {
                target: uri.clone(),
                request_id: Arc::clone(&info.request_id),
                route: Route::new(),
            }));
        }
        if let Some(peer) = self.parts.extensions.get::<ConnectInfo<SocketAddr>>() {
            extensions.insert(*peer);
        }
        extensions.insert(Arc::new(caller.clone()));
        *request.uri_mut() = uri;
        request
    }

    /// Sends a request.
    ///
    /// # Errors
    ///
    /// The problem that it is answered with.
    pub(crate) async fn send(&self, request: Request) -> Result<Response, Problem> {
        let mut response = call(self.routes.clone(), request).await;
        match response.extensions_mut().remove::<Problem>() {
            Some(problem) => Err(problem),
            None => Ok(response),
        }
    }
}
