//! `If-Match` and `If-None-Match` (RFC 9110). Our entity tags are strong: the revision in quotes.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use stockroom_model::Revision;
use stockroom_service::Precondition;

use crate::answer::compression::without_coding;
use crate::answer::{Answer, Problem};
use crate::state::AppState;

/// The revisions of a record that the caller agrees to change.
pub(crate) struct IfMatch(pub(crate) Precondition);

/// The entity tags of a record that the caller has already.
pub(crate) struct IfNoneMatch(Vec<String>);

impl FromRequestParts<AppState> for IfMatch {
    type Rejection = Problem;

    /// A revision without quotes would never match, and say that the record was changed.
    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let sent = values(&parts.headers, &header::IF_MATCH);
        if let Some(wrong) = sent.iter().find(|tag| !is_tag(tag)) {
            let detail = format!("must be the ETag in quotes, such as \"3\", or *, not {wrong}");
            return Err(Problem::invalid("If-Match", detail));
        }
        Ok(Self(match precondition(&sent) {
            Precondition::None if state.config.requires_if_match => Precondition::Missing,
            sent => sent,
        }))
    }
}

impl FromRequestParts<AppState> for IfNoneMatch {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, Infallible> {
        let sent = values(&parts.headers, &header::IF_NONE_MATCH);
        Ok(Self(sent.into_iter().map(str::to_owned).collect()))
    }
}

impl IfNoneMatch {
    /// The answer, or 304 if the caller has this revision. Reads compare weakly.
    pub(crate) fn answer(&self, revision: Revision, answer: impl FnOnce() -> Answer) -> Response {
        let strong = self.0.iter().map(|tag| tag.trim_start_matches("W/"));
        let mut known = strong.filter(|tag| *tag == "*" || revision_of(tag) == Some(revision.0));
        match known.next() {
            None => answer().revision(revision).into_response(),
            Some("*") => not_modified(&format!("\"{}\"", revision.0)),
            // With the coding of the answer that the caller has.
            Some(tag) => not_modified(tag),
        }
    }
}

fn not_modified(tag: &str) -> Response {
    (StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response()
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

/// The revision that a strong tag names.
fn revision_of(tag: &str) -> Option<i64> {
    let opaque = tag.strip_prefix('"')?.strip_suffix('"')?;
    let number = without_coding(opaque);
    let revision: i64 = number.parse().ok()?;
    // `01` is another tag than `1`.
    (revision.to_string() == number).then_some(revision)
}

/// What `If-Match` asks for. Weak tags match nothing (RFC 9110, 8.8.3.2).
fn precondition(tags: &[&str]) -> Precondition {
    if tags.is_empty() {
        Precondition::None
    } else if tags.contains(&"*") {
        Precondition::Any
    } else {
        Precondition::Revisions(tags.iter().filter_map(|tag| revision_of(tag)).collect())
    }
}
