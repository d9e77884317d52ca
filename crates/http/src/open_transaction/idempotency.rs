//! `Idempotency-Key`: the answer to a write is stored with it, and given again when the client
//! repeats the request.

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use stockroom_service::Caller;
use stockroom_service::open_transaction::{
    End, IdempotencyKey, KeyState, StoredAnswer, digest, keep_answer, take_key,
};

use super::{Replay, call};
use crate::answer::Problem;
use crate::request::WriteKind;

/// The header of a request.
pub(crate) const HEADER: &str = "idempotency-key";

const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const MAX_KEY_BYTES: usize = 255;
/// Longer answers are not stored.
const MAX_BODY_BYTES: usize = 1_024 * 1_024;

/// The headers that are stored.
const STORED: [HeaderName; 4] = [
    header::CONTENT_TYPE,
    header::ETAG,
    header::LOCATION,
    header::CACHE_CONTROL,
];

/// The key of a request, if it has one.
pub(super) fn key_of(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let mut values = headers.get_all(HEADER).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    let bytes = value.as_bytes();
    let is_good = (1..=MAX_KEY_BYTES).contains(&bytes.len())
        && bytes.iter().all(u8::is_ascii_graphic)
        && values.next().is_none();
    match value.to_str() {
        Ok(text) if is_good => Ok(Some(text.to_owned())),
        _ => Err(Problem::invalid(
            "Idempotency-Key",
            format!("must be 1 to {MAX_KEY_BYTES} visible ASCII characters"),
        )),
    }
}

pub(super) async fn answer(
    key: String,
    caller: &Caller,
    routes: &Router,
    kind: WriteKind,
    replay: &Replay,
) -> Response {
    let key = IdempotencyKey {
        user: caller.user_id(),
        token: caller.token_id(),
        key,
        fingerprint: fingerprint_of(caller, replay),
    };
    let is_secret = kind == WriteKind::Secret;
    let attempt = |caller: Caller| {
        let answered = call(routes.clone(), replay.request(&caller));
        let key = &key;
        async move { answer_once(key, &caller, answered, is_secret).await }
    };
    match caller.transact(attempt).await {
        Ok(response) => response,
        Err(error) => Problem::from(error).into_response(),
    }
}

/// The same request with another API token of the user is another one: the answer may be beyond the
/// limits of that token.
fn fingerprint_of(caller: &Caller, replay: &Replay) -> String {
    let token = caller.token_id().map(|id| id.to_string());
    let target = replay.parts.uri.path_and_query();
    let target = target.map_or("", |target| target.as_str());
    let method = replay.parts.method.as_str();
    let request = [method.as_bytes(), target.as_bytes(), &replay.body];
    let token = token.as_ref().map(String::as_bytes);
    let parts: Vec<&[u8]> = request.into_iter().chain(token).collect();
    digest(caller, &parts)
}

async fn answer_once(
    key: &IdempotencyKey,
    caller: &Caller,
    answered: impl Future<Output = Response>,
    is_secret: bool,
) -> (Response, End) {
    let room = match take_key(caller, key).await {
        Ok(KeyState::New { room }) => room,
        Ok(KeyState::Answered(answer)) => return (replayed(answer), End::RollBack),
        Ok(KeyState::Taken) => return (taken().into_response(), End::RollBack),
        Err(error) => return (Problem::from(error).into_response(), End::RollBack),
    };
    let response = answered.await;
    if !response.status().is_success() {
        return (response, End::RollBack);
    }
    let (parts, body) = response.into_parts();
    // The body of a write is complete, so this neither waits nor fails.
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let mut answer = stored(key, parts.status, &parts.headers, &body);
    answer.body = answer.body.filter(|body| !is_secret && body.len() <= room);
    match keep_answer(caller, key, answer).await {
        Ok(()) => (Response::from_parts(parts, Body::from(body)), End::Commit),
        Err(error) => (Problem::from(error).into_response(), End::RollBack),
    }
}

fn taken() -> Problem {
    Problem::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "another request was sent with this Idempotency-Key; use a new key for each write",
    )
}

fn stored(
    key: &IdempotencyKey,
    status: StatusCode,
    headers: &HeaderMap,
    body: &Bytes,
) -> StoredAnswer {
    let header = |name: &HeaderName| {
        let value = headers.get(name)?.to_str().ok()?;
        Some((name.as_str().to_owned(), serde_json::Value::from(value)))
    };
    let headers: serde_json::Map<_, _> = STORED.iter().filter_map(header).collect();
    let text = String::from_utf8(body.to_vec()).ok();
    StoredAnswer {
        fingerprint: key.fingerprint.clone(),
        status: status.as_u16().into(),
        headers: serde_json::Value::from(headers).to_string(),
        body: text.filter(|text| text.len() <= MAX_BODY_BYTES),
    }
}

/// The stored answer.
fn replayed(answer: StoredAnswer) -> Response {
    let status = u16::try_from(answer.status).ok();
    let status = status.and_then(|status| StatusCode::from_u16(status).ok());
    let status = status.unwrap_or(StatusCode::OK);
    let mut response = match answer.body {
        Some(body) => (status, body).into_response(),
        None => Problem::new(
            StatusCode::CONFLICT,
            format!(
                "the write was done and answered with {status}; that answer was too long or too secret to keep, so read the record instead"
            ),
        )
        .into_response(),
    };
    let is_kept = response.status() == status;
    let headers = response.headers_mut();
    headers.insert(REPLAYED, HeaderValue::from_static("true"));
    let stored: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(&answer.headers).unwrap_or_default();
    for (name, value) in stored.iter().filter(|_| is_kept) {
        if let (Ok(name), Some(Ok(value))) = (
            name.parse::<HeaderName>(),
            value.as_str().map(HeaderValue::from_str),
        ) {
            headers.insert(name, value);
        }
    }
    response
}
