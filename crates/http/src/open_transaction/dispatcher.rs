//! Requests that consist of other requests.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, Uri};
use axum::response::Response;
use stockroom_service::Caller;

use super::call;
use crate::problem::Problem;
use crate::request_info::{RequestInfo, Route};
use crate::route_facts::RouteFacts;
use crate::state::AppState;
use crate::write_kind::WriteKind;

/// The router, for a request that consists of other requests.
#[derive(Clone)]
pub(super) struct Routes(pub(super) Router);

/// The target of a request that may be a part of another one.
pub(crate) struct Target(Uri);

/// Sends the parts of a request to the router.
pub(crate) struct Dispatcher {
    routes: Router,
    parts: Parts,
    state: AppState,
}

impl FromRequestParts<AppState> for Dispatcher {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let routes = parts.extensions.get::<Routes>().cloned();
        let internal = || Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error");
        Ok(Self {
            routes: routes.ok_or_else(internal)?.0,
            parts: parts.clone(),
            state: state.clone(),
        })
    }
}

impl Dispatcher {
    /// The target of a request for a path below the base path, with its query. Its route decides
    /// whether the request may be a part of another one.
    ///
    /// # Errors
    ///
    /// Says why it may not.
    pub(crate) fn target(&self, method: &Method, path: &str) -> Result<Target, &'static str> {
        let uri = format!("{}{path}", self.state.config.base_path).parse();
        let uri: Uri = uri.map_err(|_| "is not a valid path")?;
        match RouteFacts::of(method, self.state.below_base(uri.path())).write {
            Some(WriteKind::Operation) => Ok(Target(uri)),
            Some(WriteKind::Secret) => Err("makes a token, which is only possible alone"),
            Some(WriteKind::Alone) => Err("is only possible alone"),
            None => Err("is no write of a record"),
        }
    }

    /// A request with the headers of the whole one, in the name of `caller`.
    pub(crate) fn request(
        &self,
        method: Method,
        Target(uri): Target,
        body: Body,
        caller: &Caller,
    ) -> Request {
        let mut request = Request::new(body);
        *request.method_mut() = method;
        request.headers_mut().clone_from(&self.parts.headers);
        let extensions = request.extensions_mut();
        // It may consist of requests, too.
        extensions.insert(Routes(self.routes.clone()));
        if let Some(info) = RequestInfo::of(&self.parts.extensions) {
            extensions.insert(Arc::new(RequestInfo {
                requester: OnceLock::new(),
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
