//! Whose work a request is.

use std::sync::Arc;

use axum::http::Extensions;
use stockroom_fair::Requester;
use stockroom_service::Caller;

/// The user of a request with these extensions. Before a login there is none.
pub(crate) fn requester(extensions: &Extensions) -> Requester {
    let caller = extensions.get::<Arc<Caller>>();
    caller.map_or(Requester::SERVICE, |caller| caller.requester())
}
