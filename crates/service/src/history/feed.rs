//! The change feed (`docs/guide/src/changes.md`): what changed since a cursor, in an order that never
//! changes.

use std::time::{Duration, Instant};

use stockroom_access::permission::LogView;
use stockroom_filter::Checked;
use stockroom_model::json::Value;
use stockroom_store::{FeedPosition, FeedState, Past, READ_BYTES, ReadTx};
use tokio::sync::{Mutex, Semaphore};

use super::visibility::HistoryScope;
use super::{MAX_PAGE, PATHS, entries};
use crate::list::{ListRequest, Paging};
use crate::{Error, Permit, Service};

/// Requests that may wait for changes at once.
const MAX_WAITING: usize = 1_000;
/// How often the database is asked for new changes while requests wait.
const INTERVAL: Duration = Duration::from_millis(100);

/// What a request asks of the feed.
#[derive(Debug, Clone)]
pub struct FeedRequest {
    /// Filter, limit and cursor.
    pub list: ListRequest,
    /// Whether to add the record before and after each change.
    pub images: bool,
    /// How long to wait for a change if there is none.
    pub wait: Duration,
}

/// Changes, the oldest first.
#[derive(Debug)]
pub struct FeedPage {
    /// The changes.
    pub results: Vec<Value>,
    /// The cursor after each of them.
    pub cursors: Vec<String>,
    /// The cursor after them, also at the end.
    pub next: String,
}

/// The state of the feed that waiting requests share, so that they ask the database once.
pub(crate) struct Feed {
    waiting: Semaphore,
    asked: Mutex<Option<(Instant, FeedState)>>,
}

impl Default for Feed {
    fn default() -> Self {
        Self {
            waiting: Semaphore::new(MAX_WAITING),
            asked: Mutex::new(None),
        }
    }
}

/// The changes after a cursor that the caller may see.
pub async fn changes(permit: &Permit<LogView>, request: &FeedRequest) -> Result<FeedPage, Error> {
    let ends = Instant::now() + request.wait;
    let mut after = read_cursor(&request.list.paging)?;
    let filter = request.list.checked(&PATHS)?;
    let mut waiting = None;
    loop {
        let state = permit.service().feed_state().await?;
        let page = FeedRead {
            permit: permit.clone(),
            after,
            filter: filter.clone(),
            limit: request
                .list
                .limit
                .map_or(MAX_PAGE, |limit| limit.get().min(MAX_PAGE)),
            images: request.images,
        };
        let (changes, next) = permit.read_newest(move |tx| page.run(tx)).await?;
        let is_late = Instant::now() >= ends;
        if !changes.is_empty() || is_late {
            let cursors = changes.iter().map(|(at, _)| cursor(*at)).collect();
            return Ok(FeedPage {
                results: changes.into_iter().map(|(_, change)| change).collect(),
                cursors,
                next: cursor(next),
            });
        }
        after = Some(next);
        if waiting.is_none() {
            let turn = permit.service().feed.waiting.try_acquire();
            waiting = Some(turn.map_err(|_| Error::Unavailable)?);
        }
        permit.service().wait_for_changes(state, ends).await?;
    }
}

impl Service {
    /// Returns when the feed is no longer in this state, or at the end.
    async fn wait_for_changes(&self, known: FeedState, ends: Instant) -> Result<(), Error> {
        while self.feed_state().await? == known {
            let left = ends.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            tokio::time::sleep(INTERVAL.min(left)).await;
        }
        Ok(())
    }

    /// The state of the feed, at most [`INTERVAL`] old.
    async fn feed_state(&self) -> Result<FeedState, Error> {
        let mut asked = self.feed.asked.lock().await;
        if let Some((at, state)) = &*asked
            && at.elapsed() < INTERVAL
        {
            return Ok(*state);
        }
        let at = Instant::now();
        let state = self
            .store
            .read(|tx| Ok::<_, Error>(tx.feed_state()?))
            .await?;
        *asked = Some((at, state));
        Ok(state)
    }
}

/// A read of the feed, run in a view of the store.
struct FeedRead {
    permit: Permit<LogView>,
    after: Option<FeedPosition>,
    filter: Checked,
    limit: usize,
    images: bool,
}

impl FeedRead {
    fn run(
        &self,
        tx: &mut ReadTx<'_>,
    ) -> Result<(Vec<(FeedPosition, Value)>, FeedPosition), Error> {
        let scope = HistoryScope::new(self.permit.access(tx)?);
        let start = tx.feed_start()?;
        let mut after = self.after.unwrap_or(start);
        if after.database != start.database {
            return Err(foreign());
        }
        let mut results = Vec::new();
        let mut bytes = 0;
        let changes = tx.changes_after(after, self.limit)?;
        for (position, entry) in scope.visible(tx, changes)? {
            if bytes > READ_BYTES {
                break;
            }
            (after.transaction, after.seq) = (position.0, position.1);
            let Some(entry) = entry else {
                continue;
            };
            let mut document = entries::document(&entry);
            let view = crate::list::filterable(&document, &PATHS);
            let matches = self.filter.matches(&view);
            if !matches.map_err(stockroom_store::Error::from)? {
                continue;
            }
            if self.images {
                let mut add = |member: &str, past: Past| -> Result<(), Error> {
                    if let Past::Document { document: text, .. } = past {
                        bytes += text.len();
                        document[member] = serde_json::from_str(&text).map_err(Error::internal)?;
                    } else {
                        document[member] = Value::Null;
                    }
                    Ok(())
                };
                let before = stockroom_model::Revision(entry.revision.0 - 1);
                add("before", tx.record_at_revision(&entry.record, before)?)?;
                add(
                    "after",
                    tx.record_at_revision(&entry.record, entry.revision)?,
                )?;
            }
            results.push((after, document));
        }
        Ok((results, after))
    }
}

fn read_cursor(paging: &Paging) -> Result<Option<FeedPosition>, Error> {
    let Paging::After(text) = paging else {
        return Ok(None);
    };
    let mut numbers = text.split('.').map(|number| number.parse().ok());
    match (
        numbers.next(),
        numbers.next(),
        numbers.next(),
        numbers.next(),
    ) {
        (Some(Some(database)), Some(Some(transaction)), Some(Some(seq)), None) => {
            Ok(Some(FeedPosition {
                database,
                transaction,
                seq,
            }))
        }
        _ => Err(Error::invalid("after", "is no cursor that this list gave")),
    }
}

fn cursor(position: FeedPosition) -> String {
    let FeedPosition {
        database,
        transaction,
        seq,
    } = position;
    format!("{database}.{transaction}.{seq}")
}

/// The database was restored or moved, so that its changes have another order.
fn foreign() -> Error {
    Error::invalid(
        "after",
        "is a cursor of another database: this one was restored or moved; begin with an empty one",
    )
}
