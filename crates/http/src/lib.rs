//! The HTTP side: routes, envelopes, problems and the OpenAPI document.

mod answer;
mod backup_requests;
mod budget;
mod metrics_text;
mod middleware;
mod open_transaction;
mod openapi;
mod request;
mod routes;
mod routing;
mod schema;
mod state;
mod web_page;

use std::sync::LazyLock;

use axum::Router;
use tower::util::MapRequestLayer;

use crate::answer::Problem;
use crate::middleware::request_metrics;
use crate::request::RouteTable;
use crate::routing::Routes;

pub use backup_requests::BackupRequests;
pub use budget::BodyLimits;
pub use metrics_text::{describe_metrics, metric_names};
pub use middleware::App;
pub use openapi::document;
pub use request::forwarded;
pub use state::{AppState, HttpConfig};

static TABLE: LazyLock<RouteTable> = LazyLock::new(|| {
    let facts = openapi::all_routes().into_facts();
    RouteTable::new(facts, openapi::parameter_names)
});

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
    let pages = Router::new().fallback(async || Problem::not_found());
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
        .method_not_allowed_fallback(async || Problem::method_not_allowed())
        .layer(MapRequestLayer::new(request_metrics::record_route))
        .with_state(state.clone());
    App::new(state, routes, &TABLE)
}
