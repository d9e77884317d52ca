//! What operators and readers of the API ask for: health, metrics, the resources, the OpenAPI document and its browsable page.

mod docs;
mod health;
mod metrics;
mod resources;

use axum::Router;
use axum::routing::get;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

/// Routes that stand in the document.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(health::healthz))
        .routes(routes!(health::readyz))
        .routes(routes!(metrics::handle))
        .routes(routes!(docs::openapi))
        .routes(routes!(resources::handle))
}

/// Pages for people, below a base path.
pub(crate) fn pages(base_path: &str) -> Router<AppState> {
    Router::new()
        .route(&format!("{base_path}/"), get(docs::root))
        .merge(docs::page(base_path))
}
