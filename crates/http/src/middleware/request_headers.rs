//! What the headers of any request say, and which requests go no further.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri, Version, header};
use stockroom_service::CommitToken;

use super::{REQUEST_ID_HEADER, STORE_VERSION_HEADER};
use crate::answer::Problem;
use crate::request::field_bytes;
use crate::state::AppState;

const MAX_REQUEST_ID: usize = 64;
const COMMENT_HEADER: HeaderName = HeaderName::from_static("x-comment");
/// The most header fields of a request, as in HTTP/1, and their bytes.
const MAX_FIELDS: usize = 100;
const MAX_FIELD_BYTES: usize = 16 * 1_024;
/// Bytes of the reason for a write.
pub(crate) const MAX_COMMENT: usize = 1_024;

/// The client's own id if it is well-formed, else a new one.
pub(super) fn request_id(headers: &HeaderMap, state: &AppState) -> Arc<str> {
    let sent = headers
        .get(REQUEST_ID_HEADER)
        .and_then(|value| value.to_str().ok());
    let decent = |id: &&str| {
        (1..=MAX_REQUEST_ID).contains(&id.len())
            && id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    sent.filter(decent)
        .map_or_else(|| state.service.new_request_id(), Arc::from)
}

/// The client's commit token, if reads may go to replicas. A malformed number counts as 0.
pub(super) fn commit_token(state: &AppState, headers: &HeaderMap) -> Option<Arc<CommitToken>> {
    let number = || {
        let sent = headers.get(STORE_VERSION_HEADER)?.to_str().ok()?;
        sent.parse().ok()
    };
    let has_replicas = state.service.has_replicas();
    has_replicas.then(|| CommitToken::of(number().unwrap_or_default()))
}

/// The reason for a write that the client gives, for its history.
pub(super) fn comment(headers: &HeaderMap) -> Result<Option<Arc<str>>, Problem> {
    let Some(sent) = headers.get(COMMENT_HEADER) else {
        return Ok(None);
    };
    let text = std::str::from_utf8(sent.as_bytes()).ok();
    let text = text.filter(|text| text.len() <= MAX_COMMENT);
    match text {
        Some("") => Ok(None),
        Some(text) => Ok(Some(text.into())),
        None => Err(Problem::new(
            StatusCode::BAD_REQUEST,
            format!("X-Comment takes a text in UTF-8 of at most {MAX_COMMENT} bytes"),
        )),
    }
}

/// Refuses a request that names no server, or several (RFC 9112, 3.2).
pub(super) fn check_host(request: &Request) -> Result<(), Problem> {
    let names = request.headers().get_all(header::HOST).iter().count();
    let needs_one = request.version() == Version::HTTP_11;
    if names == 1 || names == 0 && !needs_one {
        return Ok(());
    }
    let detail = format!("a request needs one Host header, not {names}");
    Err(Problem::new(StatusCode::BAD_REQUEST, detail))
}

/// Refuses heads of very many or long fields before a body is waited for: in HTTP/2, a few bytes
/// repeat a field of kilobytes.
pub(super) fn check_fields(headers: &HeaderMap) -> Result<(), Problem> {
    let bytes = field_bytes(headers);
    if headers.len() <= MAX_FIELDS && bytes <= MAX_FIELD_BYTES {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        format!(
            "the request has {} header fields of {bytes} bytes in all; the limits are {MAX_FIELDS} \
             fields and {MAX_FIELD_BYTES} bytes",
            headers.len()
        ),
    ))
}

/// Refuses a URL that is too long, and points to query routes.
pub(super) fn check_length(uri: &Uri, most: usize) -> Result<(), Problem> {
    let bytes = uri
        .path_and_query()
        .map_or(0, |target| target.as_str().len());
    if bytes <= most {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::URI_TOO_LONG,
        format!(
            "the URL has {bytes} bytes and may have {most}; a list takes its parameters as the JSON body of POST …/query, too"
        ),
    ))
}
