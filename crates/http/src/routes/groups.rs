//! `/groups` (`docs/guide/src/users.md`)

mod delete;
mod history;
mod insert;
mod list;
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
            routes!(list::handle, insert::handle).with_query(post(list::handle)),
        )
        .writes(
            WriteKind::Operation,
            // Without rights, nobody fills the disk any further.
            routes!(read::handle, update::handle, delete::handle).vital(),
        )
        .routes(routes!(history::list).with_query(post(history::list)))
        .routes(routes!(history::read))
        .writes(WriteKind::Operation, routes!(restore::handle))
}
