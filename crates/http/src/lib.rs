//! The HTTP side: routes, envelopes, problems and the OpenAPI document.

mod border;
mod envelope;
mod extract;
mod openapi;
mod problem;
mod process;
mod routes;
mod schema;
mod state;

use std::convert::Infallible;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::Response;
use tower::ServiceBuilder;
use tower::util::BoxCloneSyncService;
use tower_http::catch_panic::CatchPanicLayer;

pub use openapi::document;
pub use state::{AppState, HttpConfig};

use extract::body::MAX_BODY_BYTES;
use extract::origin::OriginalTarget;

/// The whole service: a tower service that any server can run.
pub type App = BoxCloneSyncService<Request, Response, Infallible>;

/// Puts the routes together with what happens to every request.
pub fn app(state: AppState) -> App {
    let (routes, _) = openapi::routes().split_for_parts();
    let base_path = state.config.base_path.as_str();
    let routes = if base_path.is_empty() {
        routes
    } else {
        Router::new().nest(base_path, routes)
    };
    let routes = routes
        .merge(routes::system::pages(base_path))
        .fallback(border::not_found)
        .method_not_allowed_fallback(border::method_not_allowed)
        .layer(from_fn(border::note_route))
        .layer(from_fn_with_state(state.clone(), border::authenticate))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(CatchPanicLayer::custom(border::panicked))
        .with_state(state.clone());
    // Outside of the router: the path that it matches is changed here, and it is the router that empties answers to HEAD.
    let app = ServiceBuilder::new()
        .layer(from_fn_with_state(state, border::border))
        .map_request(without_trailing_slash)
        .service(routes);
    BoxCloneSyncService::new(app)
}

/// Every route answers with and without a slash at its end (contract, "Transport").
fn without_trailing_slash(mut request: Request) -> Request {
    let original = request.uri().clone();
    let path = original.path();
    if path.contains("/rest/")
        && let Some(shorter) = path.strip_suffix('/')
    {
        let target = original
            .query()
            .map_or_else(|| shorter.to_owned(), |query| format!("{shorter}?{query}"));
        let mut parts = original.clone().into_parts();
        if let Ok(target) = target.parse() {
            parts.path_and_query = Some(target);
        }
        if let Ok(uri) = axum::http::Uri::from_parts(parts) {
            *request.uri_mut() = uri;
        }
    }
    request.extensions_mut().insert(OriginalTarget(original));
    request
}
