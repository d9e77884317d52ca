//! `/users/{public_id}/settings` (`docs/guide/src/users.md`)
//!
//! The list calls the user `user_id`, but the router needs a single name.

mod delete;
mod history;
mod insert;
mod list;
pub(crate) mod path;
mod read;
mod restore;
mod update;

use axum::routing::post;

use crate::routing::{Routes, routes};

pub(crate) fn router() -> Routes {
    Routes::new()
        .routes(routes!(list::handle, insert::handle))
        .route(
            "/rest/users/{public_id}/settings/query",
            // The query route of the list; a setting may have this name, too.
            post(list::handle)
                .get(read::handle)
                .put(update::handle)
                .patch(update::handle)
                .delete(delete::handle),
        )
        .routes(routes!(read::handle, update::handle, delete::handle))
        .routes(routes!(history::list))
        .route(
            "/rest/users/{public_id}/settings/{identifier}/history/query",
            post(history::list),
        )
        .routes(routes!(history::read))
        .routes(routes!(restore::handle))
}
