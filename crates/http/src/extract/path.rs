//! Ids in paths. A malformed id names no record: 404.

use std::str::FromStr;

use axum::extract::{FromRequestParts, Path};
use axum::http::StatusCode;
use axum::http::request::Parts;

use crate::problem::Problem;
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
