//! `/changes` (`docs/guide/src/changes.md`)

mod events;

use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use stockroom_access::permission::LogView;
use stockroom_service::history::feed::{self, FeedRequest};

use crate::answer::{Model, Problem, event_stream};
use crate::request::{ListQuery, Permit};
use crate::routing::{Routes, routes};
use crate::schema::{Change, FeedParameters, List};
use crate::state::AppState;

/// The longest wait for a change, in seconds.
const MAX_WAIT: usize = 60;

pub(crate) fn router() -> Routes {
    Routes::new().routes(routes!(list).with_query(post(list)))
}

/// Follow the changes of all records
///
/// Those that the caller may see, the oldest first. No change is skipped or repeated, also where
/// many nodes write. With `Accept: text/event-stream`, the changes are sent as events as they
/// happen; the id of an event is its cursor, and `Last-Event-ID` continues after it.
#[utoipa::path(
    get, path = "/rest/changes", tag = "History", operation_id = "list_changes",
    params(FeedParameters),
    responses((
        status = 200, description = "The next changes",
        content((List<Change> = "application/json"), (String = "text/event-stream")),
    )),
)]
async fn list(
    Permit(permit): Permit<LogView>,
    headers: HeaderMap,
    State(state): State<AppState>,
    mut query: ListQuery,
) -> Result<Response, Problem> {
    let wait = query.parameters.number("wait", 0, 0)?;
    if wait > MAX_WAIT {
        let detail = format!("may be at most {MAX_WAIT} seconds");
        return Err(Problem::invalid("wait", detail));
    }
    let request = FeedRequest {
        images: query.parameters.flag("images")?.unwrap_or_default(),
        wait: Duration::from_secs(wait as u64),
        list: query.oldest_first(),
    };
    if event_stream::is_accepted(&headers) {
        return events::answer(permit, request, &headers, &state).await;
    }
    let page = feed::changes(&permit, &request).await?;
    let envelope = query.envelope(Model::Change, None, Some(&page.next));
    let mut response = envelope.answer(&page.results).into_response();
    response.headers_mut().insert(
        header::CACHE_CONTROL,
        header::HeaderValue::from_static("no-store"),
    );
    Ok(response)
}
