//! The progress of an import as server-sent events.

use std::convert::Infallible;

use axum::body::Bytes;
use axum::response::Response;
use futures_util::stream;
use stockroom_access::permission::ObjectImport;
use stockroom_model::ImportId;
use stockroom_service::import::{self, Watched};
use stockroom_service::{Lifecycle, Permit};

use crate::answer::Problem;
use crate::answer::event_stream::{self, KEEP_ALIVE};

/// The answer, which ends with the step, or when the process stops.
pub(super) async fn answer(
    permit: Permit<ObjectImport>,
    id: ImportId,
    lifecycle: &Lifecycle,
) -> Result<Response, Problem> {
    let first = import::watch(&permit, id, None, KEEP_ALIVE).await?;
    let events = Events {
        permit,
        id,
        first: Some(first),
        known: None,
    };
    let events = stream::unfold(events, Events::next);
    Ok(event_stream::answer(lifecycle, events))
}

struct Events {
    permit: Permit<ObjectImport>,
    id: ImportId,
    first: Option<Watched>,
    /// What was sent last.
    known: Option<Watched>,
}

impl Events {
    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        let known = self.known.as_ref();
        let news = match self.first.take() {
            Some(first) => first,
            None if known.is_some_and(|known| !known.is_running) => return None,
            // The client connects again, and is told why not.
            None => import::watch(&self.permit, self.id, known, KEEP_ALIVE)
                .await
                .ok()?,
        };
        if known == Some(&news) {
            return Some((Ok(Bytes::from_static(b": alive\n\n")), self));
        }
        // JSON has no line breaks of its own.
        let event = format!("event: import\ndata: {}\n\n", news.import);
        self.known = Some(news);
        Some((Ok(Bytes::from(event)), self))
    }
}
