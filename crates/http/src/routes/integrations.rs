//! `/integrations`: objects as other programs read them (`docs/guide/src/integrations.md`)

mod http_sd;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(http_sd::handle))
}
