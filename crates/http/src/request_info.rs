//! Request data that extractors and metrics need, passed along in the extensions.

use std::sync::{Arc, OnceLock};

use axum::extract::MatchedPath;
use axum::http::{Extensions, Uri};
use stockroom_fair::Requester;

/// Request data that extractors and metrics need.
pub(crate) struct RequestInfo {
    /// The request target as it was sent; middleware and router change the URI of the request.
    pub(crate) target: Uri,
    /// The id of the request.
    pub(crate) request_id: Arc<str>,
    /// The matched route, set by the router.
    pub(crate) route: Route,
    /// Whose work it is, set when the caller is known.
    pub(crate) requester: OnceLock<Requester>,
}

impl RequestInfo {
    /// The information in the extensions of a request.
    pub(crate) fn of(extensions: &Extensions) -> Option<&Self> {
        extensions.get::<Arc<Self>>().map(AsRef::as_ref)
    }
}

/// The matched route of a request. It is known only inside the router.
pub(crate) type Route = OnceLock<MatchedPath>;
