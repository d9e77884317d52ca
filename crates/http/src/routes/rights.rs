//! `/rights` (`docs/guide/src/rights.md`)

mod levels;
mod list;
mod read;

use axum::routing::post;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handle))
        .route("/rest/rights/query", post(list::handle))
        .routes(routes!(levels::handle))
        .routes(routes!(read::handle))
}
