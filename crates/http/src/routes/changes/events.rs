//! The feed as server-sent events.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName};
use axum::response::Response;
use futures_util::stream;
use stockroom_access::permission::LogView;
use stockroom_service::Permit;
use stockroom_service::history::feed::{self, FeedPage, FeedRequest};
use stockroom_service::list::Paging;

use crate::answer::Problem;
use crate::answer::event_stream::{self, KEEP_ALIVE};
use crate::budget::AnswerShare;
use crate::state::AppState;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// The answer, which ends when the client leaves, when token or right end, or when the process
/// stops.
pub(super) async fn answer(
    permit: Permit<LogView>,
    mut request: FeedRequest,
    headers: &HeaderMap,
    state: &AppState,
) -> Result<Response, Problem> {
    if let Some(last) = headers
        .get(LAST_EVENT_ID)
        .and_then(|value| value.to_str().ok())
    {
        request.list.paging = Paging::After(last.to_owned());
    }
    // A wrong cursor or filter is refused before the answer begins.
    request.wait = Duration::ZERO;
    let first = feed::changes(&permit, &request).await?;
    request.wait = KEEP_ALIVE;
    let answers = state.answers.share(permit.caller().requester());
    let events = Events {
        permit,
        request,
        first: Some(first),
        answers,
    };
    let events = stream::unfold(events, Events::next);
    Ok(event_stream::answer(state.service.lifecycle(), events))
}

struct Events {
    permit: Permit<LogView>,
    request: FeedRequest,
    first: Option<FeedPage>,
    answers: AnswerShare,
}

impl Events {
    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        let page = match self.first.take() {
            Some(page) => page,
            // The client connects again, and is told why not.
            None => feed::changes(&self.permit, &self.request).await.ok()?,
        };
        let events = self.answers.try_reserve(Bytes::from(text(&page))).ok()?;
        self.request.list.paging = Paging::After(page.next);
        Some((Ok(events), self))
    }
}

/// The changes of a page as events, each with its cursor.
fn text(page: &FeedPage) -> String {
    let mut text = String::new();
    for (change, cursor) in page.results.iter().zip(&page.cursors) {
        // Writing to a String cannot fail. JSON has no line breaks of its own.
        let _ = write!(text, "event: change\nid: {cursor}\ndata: {change}\n\n");
    }
    // An event without data only sets the id, and shows that the connection is alive.
    let _ = write!(text, "id: {}\n\n", page.next);
    text
}
