//! The HTTP side: routes, envelopes, problems and the OpenAPI document.

mod backup_requests;
mod budget;
mod compression;
mod credentials;
mod envelope;
mod event_stream;
mod extract;
pub mod forwarded;
mod metrics_text;
mod middleware;
mod open_transaction;
mod openapi;
mod problem;
mod request_info;
mod request_metrics;
mod route_facts;
mod routes;
mod routing;
mod schema;
mod session_cookie;
mod state;
mod trace_context;
mod write_kind;

use crate::routing::Routes;
use axum::Router;
use tower::util::MapRequestLayer;

pub use backup_requests::BackupRequests;
pub use budget::BodyLimits;
pub use metrics_text::{describe_metrics, metric_names};
pub use middleware::App;
pub use openapi::document;
pub use state::{AppState, HttpConfig};

/// The routes with the middleware around them.
#[must_use]
pub fn app(state: AppState) -> App {
    let mut routes = openapi::routes();
    if !state.config.has_monitoring_listener {
        routes = routes.merge(routes::system::monitoring());
    }
    let base_path = &state.config.base_path;
    let pages = routes::system::pages(base_path).merge(routes::web::pages(base_path));
    assemble(state, routes, pages)
}

/// Only health and metrics, for a separate listener.
#[must_use]
pub fn monitoring(state: AppState) -> App {
    let pages = Router::new().fallback(middleware::not_found);
    assemble(state, routes::system::monitoring(), pages)
}

fn assemble(state: AppState, routes: Routes, pages: Router<AppState>) -> App {
    let routes = routes.into_router();
    let base_path = state.config.base_path.as_str();
    let routes = if base_path.is_empty() {
        routes
    } else {
        Router::new().nest(base_path, routes)
    };
    let routes = routes
        .merge(pages)
        .method_not_allowed_fallback(middleware::method_not_allowed)
        .layer(MapRequestLayer::new(request_metrics::note_route))
        .with_state(state.clone());
    App::new(state, routes)
}
