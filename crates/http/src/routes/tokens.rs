//! `/tokens` (`docs/guide/src/tokens.md`)

mod history;
mod insert;
mod list;
mod read;
mod revoke;

use axum::routing::post;

use crate::routing::{Routes, routes};
use crate::write_kind::WriteKind;

pub(crate) fn router() -> Routes {
    Routes::new()
        .writes(WriteKind::Secret, routes!(list::handle, insert::handle))
        .route("/rest/tokens/query", post(list::handle))
        .writes(WriteKind::Operation, routes!(read::handle, revoke::handle))
        .routes(routes!(history::list))
        .route(
            "/rest/tokens/{public_id}/history/query",
            post(history::list),
        )
        .routes(routes!(history::read))
}
