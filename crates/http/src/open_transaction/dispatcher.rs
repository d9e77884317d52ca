//! Requests that consist of other requests.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, Uri};
use axum::response::Response;
use stockroom_service::Caller;

use super::call;
use crate::answer::Problem;
use crate::request::{RequestInfo, RouteFacts, WriteKind};
use crate::state::AppState;

/// The router, for a request that consists of other requests.
#[derive(Clone)]
pub(super) struct Routes(pub(super) Router);

/// The target of a request that may be a part of another one.
pub(crate) struct Target {
    uri: Uri,
    facts: RouteFacts,
}

/// Sends the parts of a request to the router.
pub(crate) struct Dispatcher {
    routes: Router,
    parts: Parts,
    info: RequestInfo,
    state: AppState,
}

impl FromRequestParts<AppState> for Dispatcher {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let routes = parts.extensions.get::<Routes>().cloned();
        let info = RequestInfo::of(&parts.extensions).cloned();
        let (Some(Routes(routes)), Some(info)) = (routes, info) else {
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            return Err(Problem::new(status, "internal error"));
        };
        Ok(Self {
            routes,
            parts: parts.clone(),
            info,
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
        let facts = self
            .info
            .table
            .of(method, self.state.below_base(uri.path()));
        match facts.write {
            Some(WriteKind::Operation) => Ok(Target { uri, facts }),
            Some(WriteKind::Secret) => Err("makes a token, which is only possible alone"),
            Some(WriteKind::Alone) => Err("is only possible alone"),
            None => Err("is no write of a record"),
        }
    }

    /// A request with the headers of the whole one, in the name of `caller`.
    pub(crate) fn request(
        &self,
        method: Method,
        Target { uri, facts }: Target,
        body: Body,
        caller: &Caller,
    ) -> Request {
        let mut request = Request::new(body);
        *request.method_mut() = method;
        request.headers_mut().clone_from(&self.parts.headers);
        let extensions = request.extensions_mut();
        // It may consist of requests, too.
        extensions.insert(Routes(self.routes.clone()));
        let request_id = Arc::clone(&self.info.request_id);
        let info = RequestInfo::new(uri.clone(), request_id, facts, self.info.table);
        extensions.insert(Arc::new(info));
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
