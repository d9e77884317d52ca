//! `If-Match` and `If-None-Match` (RFC 9110). Our entity tags are strong: the revision in quotes.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use stockroom_model::Revision;
use stockroom_service::Precondition;

use crate::envelope::Answer;
use crate::problem::Problem;
use crate::state::AppState;

/// The revisions of a record that the caller agrees to change.
pub(crate) struct IfMatch(pub(crate) Precondition);

/// The revisions of a record that the caller has already.
pub(crate) struct IfNoneMatch(Precondition);

impl FromRequestParts<AppState> for IfMatch {
    type Rejection = Problem;

    /// A revision without quotes would never match, and say that the record was changed.
    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let sent = values(&parts.headers, &header::IF_MATCH);
        if let Some(wrong) = sent.into_iter().find(|tag| !is_tag(tag)) {
            let detail = format!("must be the ETag in quotes, such as \"3\", or *, not {wrong}");
            return Err(Problem::invalid("If-Match", detail));
        }
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

fn values<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Vec<&'h str> {
    let values = headers.get_all(name).iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .collect()
}

fn is_tag(text: &str) -> bool {
    let tag = text.strip_prefix("W/").unwrap_or(text);
    text == "*" || tag.len() >= 2 && tag.starts_with('"') && tag.ends_with('"')
}

/// Weak tags never match strongly (RFC 9110, 8.8.3.2); reads use the weak comparison.
fn tags(headers: &HeaderMap, name: &HeaderName, weak: bool) -> Precondition {
    if !headers.contains_key(name) {
        return Precondition::None;
    }
    let values = values(headers, name);
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
