//! Problems are the same for every operation, so they are components of the document that
//! operations reference.

use axum::http::StatusCode;
use serde_json::{Map, Value, json};

use super::operation::{required, text_header};

/// All statuses of problems.
const STATUSES: [u16; 19] = [
    400, 401, 403, 404, 405, 408, 409, 410, 412, 413, 414, 415, 422, 428, 429, 431, 500, 503, 507,
];
/// Those that no GET is answered with, so no HEAD either.
const OF_WRITES: [u16; 8] = [408, 409, 412, 413, 415, 422, 428, 507];
/// Suffix of the responses for HEAD, which have no body.
const WITHOUT_BODY: &str = "WithoutBody";
const PATH: &str = "#/components/responses/";

/// The responses by name.
pub(super) fn responses() -> Value {
    let mut responses = Map::new();
    for status in STATUSES {
        let mut response = response(status);
        responses.insert(name(status), response.clone());
        if OF_WRITES.contains(&status) {
            continue;
        }
        if let Some(members) = response.as_object_mut() {
            members.remove("content");
        }
        responses.insert(name(status) + WITHOUT_BODY, response);
    }
    Value::Object(responses)
}

/// The reference to the response of a status.
pub(super) fn reference(status: u16) -> String {
    format!("{PATH}{}", name(status))
}

/// The reference to the same response for HEAD.
pub(super) fn without_body(reference: &Value) -> String {
    format!("{}{WITHOUT_BODY}", reference.as_str().unwrap_or_default())
}

fn response(status: u16) -> Value {
    let mut headers =
        json!({ "X-API-Version": required(text_header()), "X-Store-Version": text_header() });
    if matches!(status, 429 | 503 | 507) {
        headers["Retry-After"] =
            json!({ "description": "Seconds", "required": true, "schema": { "type": "integer" } });
    }
    json!({
        "description": reason(status),
        "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/ProblemDocument" } } },
        "headers": headers,
    })
}

fn name(status: u16) -> String {
    reason(status).split(' ').collect()
}

fn reason(status: u16) -> &'static str {
    let known = StatusCode::from_u16(status).ok();
    known
        .and_then(|status| status.canonical_reason())
        .unwrap_or_default()
}
