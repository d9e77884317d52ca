//! `/tokens` (`docs/guide/src/tokens.md`)

mod history;
mod insert;
mod list;
mod read;
mod revoke;

use axum::routing::post;

use crate::request::WriteKind;
use crate::routing::{Routes, routes};

pub(crate) fn router() -> Routes {
    Routes::new()
        .writes(
            WriteKind::Secret,
            routes!(list::handle, insert::handle).with_query(post(list::handle)),
        )
        .writes(WriteKind::Operation, routes!(read::handle, revoke::handle))
        .routes(routes!(history::list).with_query(post(history::list)))
        .routes(routes!(history::read))
        .private()
}
