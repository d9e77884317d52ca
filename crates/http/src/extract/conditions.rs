//! `If-Match` and `If-None-Match` (RFC 9110). Our entity tags are strong: the revision in quotes.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use stockroom_model::Revision;
use stockroom_service::Precondition;

use crate::envelope::Answer;
use crate::state::AppState;

/// The revisions of a record that the caller agrees to change.
pub(crate) struct IfMatch(pub(crate) Precondition);

/// The revisions of a record that the caller has already.
pub(crate) struct IfNoneMatch(Precondition);

impl FromRequestParts<AppState> for IfMatch {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        Ok(Self(match tags(&parts.headers, &header::IF_MATCH, false) {
            Precondition::None if state.config.requires_if_match => Precondition::Missing,
            sent => sent,
        }))
    }
}

impl FromRequestParts<AppState> for IfNoneMatch {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, Infallible> {
        Ok(Self(tags(&parts.headers, &header::IF_NONE_MATCH, true)))
    }
}

impl IfNoneMatch {
    /// The answer, or 304 if the caller has this revision.
    pub(crate) fn answer(&self, revision: Revision, answer: impl FnOnce() -> Answer) -> Response {
        let known = match &self.0 {
            Precondition::None | Precondition::Missing => false,
            Precondition::Any => true,
            Precondition::Revisions(revisions) => revisions.contains(&revision.0),
        };
        if known {
            return (
                StatusCode::NOT_MODIFIED,
                [(header::ETAG, format!("\"{}\"", revision.0))],
            )
                .into_response();
        }
        answer().revision(revision).into_response()
    }
}

/// Weak tags never match strongly (RFC 9110, 8.8.3.2); reads use the weak comparison.
fn tags(headers: &HeaderMap, name: &HeaderName, weak: bool) -> Precondition {
    if !headers.contains_key(name) {
        return Precondition::None;
    }
    let values: Vec<&str> = headers
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .collect();
    if values.is_empty() {
        return Precondition::None;
    }
    if values.contains(&"*") {
        return Precondition::Any;
    }
    let revision = |tag: &&str| {
        let tag = if weak {
            tag.strip_prefix("W/").unwrap_or(tag)
        } else {
            tag
        };
        tag.strip_prefix('"')?.strip_suffix('"')?.parse().ok()
    };
    Precondition::Revisions(values.iter().filter_map(revision).collect())
}
