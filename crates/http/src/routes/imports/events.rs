//! The progress of an import as server-sent events.

use std::convert::Infallible;

use axum::body::Bytes;
use axum::response::Response;
use futures_util::stream;
use stockroom_access::permission::ObjectImport;
use stockroom_model::ImportId;
use stockroom_model::json::Value;
use stockroom_service::Permit;
use stockroom_service::object::import;

use crate::event_stream::{self, KEEP_ALIVE};
use crate::problem::Problem;

/// The answer, which ends with the step.
pub(super) async fn answer(
    permit: Permit<ObjectImport>,
    id: ImportId,
) -> Result<Response, Problem> {
    let first = import::watch(&permit, id, None, KEEP_ALIVE).await?;
    let watch = Watch {
        permit,
        id,
        news: Some(first),
        known: Value::Null,
    };
    Ok(event_stream::answer(stream::unfold(watch, Watch::next)))
}

struct Watch {
    permit: Permit<ObjectImport>,
    id: ImportId,
    news: Option<Value>,
    known: Value,
}

impl Watch {
    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        let news = match self.news.take() {
            Some(news) => news,
            None if import::is_running(&self.known) => {
                let watched = import::watch(&self.permit, self.id, Some(&self.known), KEEP_ALIVE);
                // The client connects again, and is told why not.
                watched.await.ok()?
            }
            None => return None,
        };
        if news == self.known {
            return Some((Ok(Bytes::from_static(b": alive\n\n")), self));
        }
        // JSON has no line breaks of its own.
        let event = format!("event: import\ndata: {news}\n\n");
        self.known = news;
        Some((Ok(Bytes::from(event)), self))
    }
}
