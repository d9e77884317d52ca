//! `/groups` (`docs/guide/src/users.md`)

mod delete;
mod history;
mod insert;
mod list;
mod read;
mod restore;
mod update;

use axum::routing::post;

use crate::routing::{Routes, routes};

pub(crate) fn router() -> Routes {
    Routes::new()
        .routes(routes!(list::handle, insert::handle))
        .route("/rest/groups/query", post(list::handle))
        .routes(routes!(read::handle, update::handle, delete::handle))
        .routes(routes!(history::list))
        .route(
            "/rest/groups/{public_id}/history/query",
            post(history::list),
        )
        .routes(routes!(history::read))
        .routes(routes!(restore::handle))
}
