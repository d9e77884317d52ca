//! `/integrations`: objects as other programs read them (`docs/guide/src/integrations.md`)

mod http_sd;

use crate::routing::{Routes, routes};

pub(crate) fn router() -> Routes {
    Routes::new().routes(routes!(http_sd::handle))
}
