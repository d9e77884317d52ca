//! `/users` (`docs/guide/src/users.md`)

mod delete;
mod history;
mod insert;
mod list;
mod password;
mod read;
mod restore;
mod update;

use axum::routing::post;

use crate::routing::{Routes, routes};

pub(crate) fn router() -> Routes {
    Routes::new()
        .routes(routes!(list::handle, insert::handle))
        .route("/rest/users/query", post(list::handle))
        .routes(routes!(read::handle, update::handle, delete::handle))
        .routes(routes!(history::list))
        .route("/rest/users/{public_id}/history/query", post(history::list))
        .routes(routes!(history::read))
        .routes(routes!(restore::handle))
        .routes(routes!(password::handle))
}
