//! Permission in a handler's signature. The middleware has checked the token; this checks the
//! right, and that a write has no parameter that its route would ignore.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use stockroom_access::Permission;
use stockroom_service::{Caller, Error};

use super::RequestInfo;
use super::parameters::Parameters;
use crate::answer::Problem;
use crate::state::AppState;

/// The permit that a handler's use case needs.
pub(crate) struct Permit<P>(pub(crate) stockroom_service::Permit<P>);

impl<P: Permission> FromRequestParts<AppState> for Permit<P> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let caller = parts
            .extensions
            .get::<Arc<Caller>>()
            .ok_or(Error::Unauthenticated)?;
        let permit = stockroom_service::Permit::new(caller).await?;
        if parts.uri.query().is_some() && RequestInfo::is_write(parts) {
            Parameters::read(parts, None, state)?;
        }
        Ok(Self(permit))
    }
}
