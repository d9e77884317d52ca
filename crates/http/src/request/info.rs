//! What middleware, extractors and metrics tell each other of a request, in its extensions.

use std::sync::{Arc, OnceLock};

use axum::extract::MatchedPath;
use axum::http::request::Parts;
use axum::http::{Extensions, Uri};
use stockroom_fair::Requester;

use super::facts::{RouteFacts, RouteTable};

/// What is known of a request.
#[derive(Clone)]
pub(crate) struct RequestInfo {
    /// The request target as it was sent; middleware and router change the URI of the request.
    pub(crate) target: Uri,
    /// The id of the request.
    pub(crate) request_id: Arc<str>,
    pub(crate) facts: RouteFacts,
    /// Where the facts of other requests are.
    pub(crate) table: &'static RouteTable,
    /// The matched route, set by the router.
    pub(crate) route: Route,
    /// Whose work it is, set when the caller is known.
    pub(crate) requester: OnceLock<Requester>,
}

impl RequestInfo {
    pub(crate) const fn new(
        target: Uri,
        request_id: Arc<str>,
        facts: RouteFacts,
        table: &'static RouteTable,
    ) -> Self {
        Self {
            target,
            request_id,
            facts,
            table,
            route: Route::new(),
            requester: OnceLock::new(),
        }
    }

    /// The information in the extensions of a request.
    pub(crate) fn of(extensions: &Extensions) -> Option<&Self> {
        extensions.get::<Arc<Self>>().map(AsRef::as_ref)
    }

    /// Whether the route of a request writes records.
    pub(crate) fn is_write(parts: &Parts) -> bool {
        Self::of(&parts.extensions).is_some_and(|info| info.facts.write.is_some())
    }
}

/// The matched route of a request. It is known only inside the router.
pub(crate) type Route = OnceLock<MatchedPath>;
