//! `?dry_run=true`: the answer that a write would get, from a transaction that is rolled back.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use stockroom_service::Caller;
use stockroom_service::open_transaction::{End, effects};

use super::{Replay, call};
use crate::answer::{Problem, with_effects};
use crate::request::Parameters;

/// The parameter.
pub(crate) const PARAMETER: &str = "dry_run";

const HEADER: HeaderName = HeaderName::from_static("x-dry-run");

/// The parameter of a request that is not false.
pub(super) enum Flag {
    True,
    /// Neither true nor false.
    Invalid(Problem),
}

impl Flag {
    /// The flag in a query; `None` without it. What else is wrong with the query is left to the
    /// router.
    pub(super) fn of(uri: &Uri) -> Option<Self> {
        let parameters = Parameters::of_query(uri.query()?).ok()?;
        match parameters.flag(PARAMETER) {
            Ok(flag) => flag?.then_some(Self::True),
            Err(problem) => Some(Self::Invalid(problem)),
        }
    }

    pub(super) async fn answer(
        self,
        caller: &Caller,
        routes: &Router,
        replay: &Replay,
    ) -> Response {
        let attempt = |caller: Caller| {
            let answered = call(routes.clone(), replay.request(&caller));
            async move {
                let response = tell_effects(answered.await, &caller).await;
                let response = response.unwrap_or_else(IntoResponse::into_response);
                (response, End::RollBack)
            }
        };
        let answered = caller.transact(attempt).await;
        let mut response = match (answered, self) {
            // A caller without the right learns of that first.
            (Ok(response), Self::Invalid(problem)) if is_bad_or_done(response.status()) => {
                problem.into_response()
            }
            (Ok(response), _) => response,
            (Err(error), _) => Problem::from(error).into_response(),
        };
        let headers = response.headers_mut();
        headers.insert(HEADER, HeaderValue::from_static("true"));
        response
    }
}

fn is_bad_or_done(status: StatusCode) -> bool {
    status.is_success() || status == StatusCode::BAD_REQUEST
}

/// Adds the effects to a successful answer.
async fn tell_effects(response: Response, caller: &Caller) -> Result<Response, Problem> {
    if !response.status().is_success() {
        return Ok(response);
    }
    let effects = effects(caller).await?;
    let (mut parts, body) = response.into_parts();
    // The body of a write is complete, so this neither waits nor fails.
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let body = with_effects(&body, &effects);
    parts
        .headers
        .insert(header::CONTENT_LENGTH, body.len().into());
    Ok(Response::from_parts(parts, Body::from(body)))
}
