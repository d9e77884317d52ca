//! JSON bodies.

use std::error::Error as _;
use std::io;
use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{FromRequest, Request};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, Method, StatusCode, Uri, header};
use futures_util::StreamExt as _;
use stockroom_fair::{Full, Requester};
use stockroom_model::json::{self, Malformed, Value};
use stockroom_service::{Caller, Change};

use super::requester;
use crate::answer::Problem;
use crate::budget::{Exhausted, Reservation, Sharer};
use crate::request::Client;
use crate::state::AppState;

/// Bodies of more bytes or values are parsed on a thread where no other request waits.
const MAX_PARSED_INLINE: usize = 64 * 1_024;
const MAX_VALUES_INLINE: usize = 1_000;

/// A body that is JSON. The use case checks its content.
pub(crate) struct JsonBody(pub(crate) Value);

/// A body that is JSON and always short.
pub(crate) struct SmallJsonBody(pub(crate) Value);

impl FromRequest<AppState> for JsonBody {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Problem> {
        let limit = state.bodies.limits().bytes;
        read(request, state, limit).await.map(Self)
    }
}

impl FromRequest<AppState> for SmallJsonBody {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Problem> {
        let limit = state.bodies.limits().small_bytes;
        read(request, state, limit).await.map(Self)
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

async fn read(request: Request, state: &AppState, limit: usize) -> Result<Value, Problem> {
    check_encoding(request.headers())?;
    check_content_type(request.headers())?;
    let (parts, body) = request.into_parts();
    let mut reservation = state.bodies.reservation(sharer(&parts, state));
    // The head waits with the body.
    reservation.grow(target_bytes(&parts.uri) + field_bytes(&parts.headers))?;
    let bytes = collect(body, limit, &mut reservation).await?;
    if bytes.is_empty() {
        return Err(Problem::invalid("", "a JSON body is needed"));
    }
    let max_values = state.bodies.limits().values;
    let values = json::count_values(&bytes);
    if values > max_values {
        let (found, limit) = (values, max_values);
        return Err(Malformed::TooMany { found, limit }.into());
    }
    reservation.grow_for_values(bytes.len(), values)?;
    hold(reservation, &parts.extensions);
    if bytes.len() <= MAX_PARSED_INLINE && values <= MAX_VALUES_INLINE {
        return Ok(json::parse_within(&bytes, max_values)?);
    }
    parse(bytes, max_values, requester(&parts.extensions), state).await
}

fn target_bytes(uri: &Uri) -> usize {
    let target = uri.path_and_query();
    target.map_or(0, |target| target.as_str().len())
}

/// The bytes of all header fields.
pub(crate) fn field_bytes(headers: &HeaderMap) -> usize {
    let fields = headers.iter();
    fields
        .map(|(name, value)| name.as_str().len() + value.len())
        .sum()
}

/// Whose share of the memory the body takes. The body of a request in a transaction has come
/// already, and a share was taken for it then.
fn sharer(parts: &Parts, state: &AppState) -> Option<Sharer> {
    match parts.extensions.get::<Arc<Caller>>() {
        Some(caller) if caller.has_transaction() => None,
        Some(caller) => Some(Sharer::User(caller.requester())),
        None => Some(Sharer::at(Client::address(parts, state))),
    }
}

/// Keeps the reservation until the use case has ended completely, even if the client disconnects
/// before.
fn hold(reservation: Reservation, extensions: &Extensions) {
    if let Some(caller) = extensions.get::<Arc<Caller>>() {
        caller.request.resource.attach(reservation);
    }
}

pub(crate) async fn collect(
    body: Body,
    limit: usize,
    reservation: &mut Reservation,
) -> Result<Bytes, Problem> {
    if body.size_hint().lower() > limit as u64 {
        return Err(too_long(limit));
    }
    let announced = body.size_hint().exact();
    let most = announced.map_or(limit, |bytes| usize::try_from(bytes).unwrap_or(limit));
    let mut stream = body.into_data_stream();
    let mut first = Bytes::new();
    let mut all = Vec::new();
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|error| unreadable(&error))?;
        let length = first.len() + all.len() + chunk.len();
        if length > limit {
            return Err(too_long(limit));
        }
        if first.is_empty() && all.is_empty() {
            reservation.grow(chunk.len())?;
            first = chunk;
        } else {
            grow_buffer(&mut all, length, most, reservation)?;
            // Most bodies are one chunk and need no copy.
            all.extend_from_slice(&std::mem::take(&mut first));
            all.extend_from_slice(&chunk);
        }
    }
    Ok(if all.is_empty() { first } else { all.into() })
}

/// Makes room for this many bytes, and for more to come, but for no more than `most`. The charge is
/// for the capacity.
fn grow_buffer(
    all: &mut Vec<u8>,
    bytes: usize,
    most: usize,
    reservation: &mut Reservation,
) -> Result<(), Exhausted> {
    let old = all.capacity();
    if bytes > old {
        let new = bytes.saturating_mul(2).min(most).max(bytes);
        reservation.grow(new - old)?;
        all.reserve_exact(new - all.len());
    }
    Ok(())
}

fn too_long(limit: usize) -> Problem {
    Problem::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        format!("the body is longer than {limit} bytes"),
    )
}

/// Reports a missed deadline as such; the error may be wrapped.
fn unreadable(error: &axum::Error) -> Problem {
    let mut cause = error.source();
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>()
            && error.kind() == io::ErrorKind::TimedOut
        {
            return Problem::new(StatusCode::REQUEST_TIMEOUT, error.to_string());
        }
        cause = error.source();
    }
    Problem::invalid("", "the body could not be read")
}

/// Parses a body while others are answered.
async fn parse(
    bytes: Bytes,
    max_values: usize,
    requester: Requester,
    state: &AppState,
) -> Result<Value, Problem> {
    let slot = state.bodies.parsers.acquire(requester).await;
    let _slot = slot.map_err(|_: Full| Exhausted::Now)?;
    #[expect(
        clippy::disallowed_methods,
        reason = "a long body would hold up other requests for longer than the hand-over takes"
    )]
    let parsing = tokio::task::spawn_blocking(move || json::parse_within(&bytes, max_values));
    let parsed = parsing.await.map_err(|error| {
        tracing::error!(%error, "a body was not parsed");
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error")
    })?;
    Ok(parsed?)
}

impl From<Malformed> for Problem {
    fn from(error: Malformed) -> Self {
        match error {
            Malformed::TooMany { .. } => {
                let detail = format!("the body is too large: {error}");
                Self::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
            }
            Malformed::Syntax(_) | Malformed::Unfinished(_) => {
                Self::invalid("", format!("the body is not acceptable JSON: {error}"))
            }
        }
    }
}

impl From<Exhausted> for Problem {
    fn from(exhausted: Exhausted) -> Self {
        match exhausted {
            Exhausted::Now => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "the bodies of other requests take all memory that is meant for bodies; try again",
            )
            .with_header(header::RETRY_AFTER, "1"),
            Exhausted::Always => Self::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "the body needs more memory than this server has for all bodies; send it in parts",
            ),
        }
    }
}

/// A missing type means JSON; `*+json` counts.
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
    if !is_json {
        return Err(unsupported(format!(
            "the body must be application/json, not {essence}"
        )));
    }
    let lower = text.to_ascii_lowercase();
    let charset = (lower.split(';').skip(1)).find_map(|part| part.trim().strip_prefix("charset="));
    match charset.map(|charset| charset.trim_matches('"')) {
        None | Some("utf-8" | "utf8") => Ok(()),
        Some(other) => Err(unsupported(format!("the body must be UTF-8, not {other}"))),
    }
}

fn check_encoding(headers: &HeaderMap) -> Result<(), Problem> {
    let encoding = headers.get(header::CONTENT_ENCODING);
    match encoding.map(|encoding| encoding.to_str().unwrap_or_default()) {
        None | Some("" | "identity") => Ok(()),
        Some(other) => Err(unsupported(format!(
            "the body must not be encoded, and it is {other}"
        ))),
    }
}

fn unsupported(detail: String) -> Problem {
    Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail)
}
