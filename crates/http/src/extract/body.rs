//! JSON bodies.

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, Request};
use axum::http::{HeaderMap, Method, StatusCode, header};
use stockroom_model::json::{self, Value};
use stockroom_service::Change;

use crate::problem::Problem;
use crate::state::AppState;

/// Longer bodies are refused (contract, "Transport").
const MAX_BODY_BYTES: usize = 16 * 1024 * 1024;

/// A body that is JSON; everything else about it is for the use case to say.
pub(crate) struct JsonBody(pub(crate) Value);

impl FromRequest<AppState> for JsonBody {
    type Rejection = Problem;

    async fn from_request(mut request: Request, state: &AppState) -> Result<Self, Problem> {
        check_content_type(request.headers())?;
        DefaultBodyLimit::max(MAX_BODY_BYTES).apply(&mut request);
        let bytes =
            Bytes::from_request(request, state)
                .await
                .map_err(|rejection| match rejection.status() {
                    StatusCode::PAYLOAD_TOO_LARGE => Problem::new(
                        StatusCode::PAYLOAD_TOO_LARGE,
                        format!("the body is longer than {MAX_BODY_BYTES} bytes"),
                    ),
                    _ => Problem::invalid("", "the body could not be read"),
                })?;
        if bytes.is_empty() {
            return Err(Problem::invalid("", "a JSON body is needed"));
        }
        json::parse(&bytes).map(Self).map_err(|error| {
            Problem::invalid("", format!("the body is not acceptable JSON: {error}"))
        })
    }
}

/// A body that changes a record: PUT replaces, PATCH merges.
pub(crate) struct ChangeBody(pub(crate) Change);

impl FromRequest<AppState> for ChangeBody {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Problem> {
        let is_patch = request.method() == Method::PATCH;
        let JsonBody(body) = JsonBody::from_request(request, state).await?;
        Ok(Self(if is_patch {
            Change::Merge(body)
        } else {
            Change::Replace(body)
        }))
    }
}

/// No type means JSON; `*+json` counts.
fn check_content_type(headers: &HeaderMap) -> Result<(), Problem> {
    let Some(value) = headers.get(header::CONTENT_TYPE) else {
        return Ok(());
    };
    let text = value.to_str().unwrap_or_default();
    let essence = text
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let is_json = essence.is_empty() || essence == "application/json" || essence.ends_with("+json");
    if is_json {
        Ok(())
    } else {
        Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            format!("the body must be application/json, not {essence}"),
        ))
    }
}
