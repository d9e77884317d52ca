//! `/rights` (`docs/guide/src/rights.md`)

mod levels;
mod list;
mod read;

use axum::routing::post;

use crate::routing::{Routes, routes};

pub(crate) fn router() -> Routes {
    Routes::new()
        .routes(routes!(list::handle).with_query(post(list::handle)))
        .routes(routes!(levels::handle))
        .routes(routes!(read::handle))
}
