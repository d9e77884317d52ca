//! Permission in a handler's signature. The middleware has checked the token; this checks the
//! right, and that a write has no parameter that its route would ignore.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use stockroom_access::Permission;
use stockroom_service::{Caller, Error};

use super::parameters::Parameters;
use crate::problem::Problem;
use crate::route_facts::RouteFacts;
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
        let path = state.below_base(parts.uri.path());
        if parts.uri.query().is_some() && RouteFacts::of(&parts.method, path).write.is_some() {
            Parameters::read(parts, None, state)?;
        }
        Ok(Self(permit))
    }
}
