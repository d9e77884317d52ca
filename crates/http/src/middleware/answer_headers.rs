//! The headers that every answer has, and those that some must not have.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;

use super::REQUEST_ID_HEADER;
use crate::answer::TOTAL_COUNT_HEADER;

/// The version of the API (`docs/guide/src/http.md`).
const API_VERSION: HeaderValue = HeaderValue::from_static("1.0");
const API_VERSION_HEADER: HeaderName = HeaderName::from_static("x-api-version");

pub(super) fn add_headers(headers: &mut HeaderMap, request_id: &str) {
    headers.insert(API_VERSION_HEADER, API_VERSION);
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    if let Ok(value) = HeaderValue::from_str(request_id) {
        headers.insert(REQUEST_ID_HEADER, value);
    }
}

/// An answer without a body carries the length that GET or 200 would have had, or no length (RFC
/// 9110, 8.6).
pub(super) fn without_misleading_length(method: &Method, response: &mut Response) {
    let headers = response.headers_mut();
    // For a list only the total was computed, so its length is unknown, and whether it would be
    // compressed.
    let is_list = headers.contains_key(TOTAL_COUNT_HEADER);
    let is_head = *method == Method::HEAD;
    let is_unknown = is_head && (is_list || headers.contains_key(header::CONTENT_ENCODING));
    if is_head && is_list {
        headers.remove(header::CONTENT_ENCODING);
    }
    if is_head {
        *response.body_mut() = Body::empty();
    }
    if is_unknown || response.status() == StatusCode::NOT_MODIFIED {
        // With an empty body of known length, the server would add the length 0.
        *response.body_mut() =
            Body::from_stream(futures_util::stream::empty::<Result<Bytes, Infallible>>());
        response.headers_mut().remove(header::CONTENT_LENGTH);
    }
}
