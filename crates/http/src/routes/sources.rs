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
            routes!(read::handle, update::handle, delete::handle),
        )
        .routes(routes!(objects::handle).with_query(post(objects::handle)))
        .routes(routes!(history::list).with_query(post(history::list)))
        .routes(routes!(history::read))
        .writes(WriteKind::Operation, routes!(restore::handle))
}
