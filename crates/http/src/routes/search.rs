//! `/search` (`docs/guide/src/search.md`)

use axum::extract::State;
use stockroom_access::permission::Authenticated;
use stockroom_service::search::{self, SearchRequest};

use crate::answer::{Answer, Problem};
use crate::request::{Parameters, Permit};
use crate::routing::{Routes, routes};
use crate::schema::{SearchParameters, SearchResults};
use crate::state::AppState;

const DEFAULT_LIMIT: usize = 10;

pub(crate) fn router() -> Routes {
    Routes::new().routes(routes!(find))
}

/// Search all records
///
/// Objects, types, categories, users and groups with all words of `q`, the best matches first:
/// whole values, beginnings of values, words, beginnings of words, then anything inside, where
/// separators do not matter. Each kind of record needs the right to view it. Only the best 500
/// objects are ranked and counted.
#[utoipa::path(
    get, path = "/rest/search", tag = "Search", operation_id = "search",
    params(SearchParameters),
    responses((status = 200, description = "The best results", body = SearchResults)),
)]
async fn find(
    Permit(permit): Permit<Authenticated>,
    parameters: Parameters,
    State(state): State<AppState>,
) -> Result<Answer, Problem> {
    let Some(q) = parameters.get("q")? else {
        return Err(Problem::invalid("q", "must be the words to search for"));
    };
    let limit = parameters.number("limit", DEFAULT_LIMIT, 1)?;
    let request = SearchRequest::new(q, limit, parameters.get("after")?)?;
    let page = search::search(&permit, request).await?;
    Ok(Answer::search(
        &page,
        limit,
        parameters.warnings(),
        state.now(),
    ))
}
