//! What goes with a request through the router, for extractors and metrics.

use std::sync::{Arc, OnceLock};

use axum::extract::MatchedPath;
use axum::http::{Extensions, Uri};

/// What goes with a request through the router.
pub(crate) struct RequestInfo {
    /// The request target as it was sent: the router takes parts off.
    pub(crate) target: Uri,
    /// The id of the request.
    pub(crate) request_id: Arc<str>,
    /// What the router tells on the way back.
    pub(crate) route: Route,
}

impl RequestInfo {
    /// That of the request with these extensions.
    pub(crate) fn of(extensions: &Extensions) -> Option<&Self> {
        extensions.get::<Arc<Self>>().map(AsRef::as_ref)
    }
}

/// The route that answers a request; only the router knows it, and only inside.
pub(crate) type Route = OnceLock<MatchedPath>;
