//! Health, metrics, backups, the list of resources, the OpenAPI document, its browsable page and the guide.

pub(crate) mod backup;
mod docs;
mod guide;
mod health;
mod metrics;
mod resources;

use axum::Router;

use crate::routing::{Routes, routes};
use crate::state::AppState;

/// Routes for clients of the API.
pub(crate) fn router() -> Routes {
    Routes::new()
        .routes(routes!(docs::openapi).open())
        .routes(routes!(resources::handle))
        .routes(routes!(backup::handle))
}

/// Routes for operators, possibly on a separate listener.
pub(crate) fn monitoring() -> Routes {
    Routes::new()
        .routes(routes!(health::healthz).open())
        .routes(routes!(health::readyz).open())
        .routes(routes!(metrics::handle).open())
}

/// Pages for people, under a base path.
pub(crate) fn pages(base_path: &str) -> Router<AppState> {
    Router::new()
        .merge(docs::page(base_path))
        .merge(guide::pages(base_path))
}
