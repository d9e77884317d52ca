//! Permission in a handler's signature. The middleware has checked the token; this checks the
//! right.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use stockroom_access::Permission;
use stockroom_service::{Caller, Error};

use crate::problem::Problem;
use crate::state::AppState;

/// The permit that a handler's use case needs.
pub(crate) struct Permit<P>(pub(crate) stockroom_service::Permit<P>);

impl<P: Permission> FromRequestParts<AppState> for Permit<P> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, Problem> {
        let caller = parts
            .extensions
            .get::<Arc<Caller>>()
            .ok_or(Error::Unauthenticated)?;
        Ok(Self(stockroom_service::Permit::new(caller).await?))
    }
}
