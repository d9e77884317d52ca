//! `/sources` (`docs/guide/src/sources.md`)

mod delete;
mod history;
mod insert;
mod list;
mod objects;
mod read;
mod restore;
mod update;

use axum::routing::post;

use crate::routing::{Routes, routes};

pub(crate) fn router() -> Routes {
    Routes::new()
        .routes(routes!(list::handle, insert::handle))
        .route("/rest/sources/query", post(list::handle))
        .routes(routes!(read::handle, update::handle, delete::handle))
        .routes(routes!(objects::handle))
        .route(
            "/rest/sources/{public_id}/objects/query",
            post(objects::handle),
        )
        .routes(routes!(history::list))
        .route(
            "/rest/sources/{public_id}/history/query",
            post(history::list),
        )
        .routes(routes!(history::read))
        .routes(routes!(restore::handle))
}
