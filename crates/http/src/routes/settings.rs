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
use crate::write_kind::WriteKind;

pub(crate) fn router() -> Routes {
    Routes::new()
        .writes(WriteKind::Operation, routes!(list::handle, insert::handle))
        .route(
            "/rest/users/{public_id}/settings/query",
            // The query route of the list; a setting may have this name, too.
            post(list::handle)
                .get(read::handle)
                .put(update::handle)
                .patch(update::handle)
                .delete(delete::handle),
        )
        .writes(
            WriteKind::Operation,
            routes!(read::handle, update::handle, delete::handle),
        )
        .routes(routes!(history::list))
        .route(
            "/rest/users/{public_id}/settings/{identifier}/history/query",
            post(history::list),
        )
        .routes(routes!(history::read))
        .writes(WriteKind::Operation, routes!(restore::handle))
}
