//! `/tokens` (`docs/guide/src/tokens.md`)

mod history;
mod insert;
mod list;
mod read;
mod revoke;

use axum::http::Method;
use axum::routing::post;

use crate::routing::{Routes, routes};

const PATH: &str = "/rest/tokens";

pub(crate) fn router() -> Routes {
    Routes::new()
        .routes(routes!(list::handle, insert::handle))
        .route("/rest/tokens/query", post(list::handle))
        .routes(routes!(read::handle, revoke::handle))
        .routes(routes!(history::list))
        .route(
            "/rest/tokens/{public_id}/history/query",
            post(history::list),
        )
        .routes(routes!(history::read))
}

/// Whether the answer to a request has a secret, which must not be stored.
pub(crate) fn makes_secret(method: &Method, path: &str) -> bool {
    *method == Method::POST && path.ends_with(PATH)
}
