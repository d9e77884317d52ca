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

use crate::request::WriteKind;
use crate::routing::{Routes, routes};

pub(crate) fn router() -> Routes {
    Routes::new()
        .writes(
            WriteKind::Operation,
            // A setting may be called "query", too.
            routes!(list::handle, insert::handle).with_query(
                post(list::handle)
                    .get(read::handle)
                    .put(update::handle)
                    .patch(update::handle)
                    .delete(delete::handle),
            ),
        )
        .writes(
            WriteKind::Operation,
            routes!(read::handle, update::handle, delete::handle),
        )
        .like(
            "/rest/users/{public_id}/settings/query",
            "/rest/users/{public_id}/settings/{identifier}",
        )
        .routes(routes!(history::list).with_query(post(history::list)))
        .routes(routes!(history::read))
        .writes(WriteKind::Operation, routes!(restore::handle))
        .private()
}
