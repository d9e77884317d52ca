use axum::extract::{FromRequestParts, Path};
use axum::http::StatusCode;
use axum::http::request::Parts;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use stockroom_model::{Revision, UserId};

use crate::answer::Problem;
use crate::request::path::{last_revision, parse};
use crate::state::AppState;

/// User and identifier in the path of a setting.
pub(super) struct SettingPath {
    pub(super) user: UserId,
    pub(super) identifier: String,
}

impl FromRequestParts<AppState> for SettingPath {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let Path(segments) = Path::<Vec<String>>::from_request_parts(parts, state)
            .await
            .map_err(|_| Problem::new(StatusCode::NOT_FOUND, "the path is not valid UTF-8"))?;
        let mut segments = segments.into_iter();
        let user = segments.next().unwrap_or_default();
        // The path of the query route has no parameter for the identifier.
        let identifier = segments.next().unwrap_or_else(|| "query".to_owned());
        if identifier.contains('\0') {
            // As in bodies. Neither engine can store NUL, so the store need not be queried.
            let detail = "the character NUL stands in no identifier";
            return Err(Problem::new(StatusCode::NOT_FOUND, detail));
        }
        Ok(Self {
            user: parse(&user)?,
            identifier,
        })
    }
}

/// User, identifier and revision in a path.
pub(super) struct SettingRevisionPath {
    pub(super) user: UserId,
    pub(super) identifier: String,
    pub(super) revision: Revision,
}

impl FromRequestParts<AppState> for SettingRevisionPath {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let SettingPath { user, identifier } =
            SettingPath::from_request_parts(parts, state).await?;
        Ok(Self {
            user,
            identifier,
            revision: last_revision(parts, state).await?,
        })
    }
}

/// The unreserved characters of RFC 3986 are not percent-encoded.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The path of a setting.
pub(crate) fn to(user: UserId, identifier: &str) -> String {
    let identifier = utf8_percent_encode(identifier, SEGMENT);
    format!("/rest/users/{user}/settings/{identifier}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_stays_one_segment() {
        let user = UserId::new(7).unwrap();
        for (identifier, segment) in [
            ("grid-1_a.b~c", "grid-1_a.b~c"),
            ("a/b", "a%2Fb"),
            ("50% ?#", "50%25%20%3F%23"),
            ("größe", "gr%C3%B6%C3%9Fe"),
        ] {
            assert_eq!(
                to(user, identifier),
                format!("/rest/users/7/settings/{segment}")
            );
        }
    }
}
