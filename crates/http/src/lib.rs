//! The HTTP side: routes, envelopes, problems and the OpenAPI document.

mod border;
mod envelope;
mod extract;
mod figures;
pub mod forwarded;
mod openapi;
mod problem;
mod process;
mod routes;
mod schema;
mod state;

use axum::Router;
use tower::util::MapRequestLayer;

pub use border::App;
pub use openapi::document;
pub use state::{AppState, HttpConfig};

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
        .layer(MapRequestLayer::new(figures::note_route))
        .with_state(state.clone());
    App::new(state, routes)
}
