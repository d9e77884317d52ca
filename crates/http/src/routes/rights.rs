//! `/rights` (spec, "Rights")

mod levels;
mod list;
mod read;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handle))
        .routes(routes!(levels::handle))
        .routes(routes!(read::handle))
}
