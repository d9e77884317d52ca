//! `Prefer` (RFC 7240): the preferences of a client, and which of them were applied.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;

use crate::state::AppState;

const PREFER: HeaderName = HeaderName::from_static("prefer");
const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// The preferences that the service supports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Prefer {
    /// `handling=strict`: warnings are errors.
    pub(crate) strict: bool,
    /// `revisions`: listed objects include their revision.
    pub(crate) revisions: bool,
}

impl Prefer {
    /// Reads the header; unknown preferences are ignored.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let mut prefer = Self::default();
        let preferences = headers
            .get_all(PREFER)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split([',', ';']))
            .map(|preference| preference.replace([' ', '"'], "").to_ascii_lowercase());
        for preference in preferences {
            match preference.as_str() {
                "handling=strict" => prefer.strict = true,
                "revisions" => prefer.revisions = true,
                _ => {}
            }
        }
        prefer
    }

    /// Confirms in the answer of a list that its objects include their revisions, if requested.
    pub(crate) fn revisions_applied(self, mut answer: Response) -> Response {
        if self.revisions {
            let applied = HeaderValue::from_static("revisions");
            answer.headers_mut().insert(PREFERENCE_APPLIED, applied);
        }
        answer
    }
}

impl FromRequestParts<AppState> for Prefer {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.headers))
    }
}
