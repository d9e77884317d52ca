//! `/history`, and what the histories of all resources share (`docs/guide/src/history.md`)

pub(crate) mod revert;

use axum::routing::post;
use stockroom_access::permission::LogView;
use stockroom_service::history::{self, HistoryPage};

use crate::answer::{Answer, Model, Problem};
use crate::request::{ListQuery, Permit, WriteKind};
use crate::routing::{Routes, routes};
use crate::schema::{Change, HistoryParameters, List, LoginEvent};

pub(crate) fn router() -> Routes {
    Routes::new()
        .routes(routes!(list).with_query(post(list)))
        .routes(routes!(list_logins).with_query(post(list_logins)))
        .writes(WriteKind::Operation, routes!(revert::handle))
}

/// List the changes of all records
///
/// Those that the caller may see, the newest first.
#[utoipa::path(
    get, path = "/rest/history", tag = "History", operation_id = "list_history",
    params(HistoryParameters),
    responses((status = 200, description = "A page of the changes", body = List<Change>)),
)]
async fn list(Permit(permit): Permit<LogView>, mut query: ListQuery) -> Result<Answer, Problem> {
    let page = history::of_everything(&permit, query.newest_first()).await?;
    Ok(answer(&query, Model::Change, &page))
}

/// List logins
///
/// Logins and failed attempts, the newest first. Who may not view users sees only their own.
#[utoipa::path(
    get, path = "/rest/history/logins", tag = "History", operation_id = "list_logins",
    params(HistoryParameters),
    responses((status = 200, description = "A page of the logins", body = List<LoginEvent>)),
)]
async fn list_logins(
    Permit(permit): Permit<LogView>,
    mut query: ListQuery,
) -> Result<Answer, Problem> {
    let page = history::logins(&permit, query.newest_first()).await?;
    Ok(answer(&query, Model::Login, &page))
}

/// The answer to a list of changes.
pub(super) fn answer(query: &ListQuery, model: Model, page: &HistoryPage) -> Answer {
    query
        .envelope(model, None, page.next.as_deref())
        .answer(&page.results)
}
