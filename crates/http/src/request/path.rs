//! Ids in paths. A malformed id names no record: 404.

use std::str::FromStr;

use axum::extract::{FromRequestParts, Path};
use axum::http::StatusCode;
use axum::http::request::Parts;

use stockroom_model::Revision;

use crate::answer::Problem;
use crate::state::AppState;

/// The only parameter of a path, as an id.
pub(crate) struct Id<T>(pub(crate) T);

impl<T: FromStr + Send> FromRequestParts<AppState> for Id<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let Path(text) = Path::<String>::from_request_parts(parts, state)
            .await
            .map_err(|_| not_found("that"))?;
        parse(&text).map(Self)
    }
}

/// The id and the revision in a path.
pub(crate) struct IdAndRevision<T>(pub(crate) T, pub(crate) Revision);

impl<T: FromStr + Send> FromRequestParts<AppState> for IdAndRevision<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let Path((id, _)) = Path::<(String, String)>::from_request_parts(parts, state)
            .await
            .map_err(|_| not_found("that"))?;
        Ok(Self(parse(&id)?, last_revision(parts, state).await?))
    }
}

/// The revision that is the last parameter of a path.
pub(crate) async fn last_revision(
    parts: &mut Parts,
    state: &AppState,
) -> Result<Revision, Problem> {
    let Path(segments) = Path::<Vec<String>>::from_request_parts(parts, state)
        .await
        .map_err(|_| not_found("that"))?;
    let last = segments.last().map_or("", String::as_str);
    let revision = last.parse().ok().filter(|revision| *revision >= 1);
    revision.map(Revision).ok_or_else(|| {
        Problem::new(
            StatusCode::NOT_FOUND,
            format!("{last:?} is no revision; revisions are whole numbers from 1 on"),
        )
    })
}

/// Parses an id in a path.
pub(crate) fn parse<T: FromStr>(text: &str) -> Result<T, Problem> {
    text.parse().map_err(|_| not_found(text))
}

fn not_found(text: &str) -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        format!("{text:?} is no id; ids are whole numbers from 1 on"),
    )
}
