//! The change feed (`docs/guide/src/changes.md`): what changed since a cursor, in an order that never
//! changes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use stockroom_access::permission::LogView;
use stockroom_fair::FairSlots;
use stockroom_model::Revision;
use stockroom_model::json::Value;
use stockroom_store::{FeedPosition, FeedState, HistoryEntry, Past, READ_BYTES, ReadTx};
use tokio::sync::Mutex;

use super::visibility::HistoryScope;
use super::{CHUNK, MAX_PAGE, MAX_TESTED, PATHS, entries};
use crate::core::list::{ListRequest, Paging, TimedFilter};
use crate::{Error, Permit, Service};

/// Requests that may wait for changes at once, half of them of one user.
const MAX_WAITING: usize = 1_000;
/// How often the database is asked for new changes while requests wait.
const INTERVAL: Duration = Duration::from_millis(100);

/// The cursor after all changes.
const NOW: &str = "now";

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
struct Feed {
    waiting: FairSlots,
    asked: Mutex<Option<(Instant, FeedState)>>,
}

impl Default for Feed {
    fn default() -> Self {
        Self {
            waiting: FairSlots::new(MAX_WAITING, 0),
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
            filter: TimedFilter::of(filter.clone()),
            limit: request
                .list
                .limit
                .map_or(MAX_PAGE, |limit| limit.get().min(MAX_PAGE)),
            images: request.images,
        };
        let (changes, next) = permit.read_newest(move |tx| page.run(tx)).await?;
        let is_late = Instant::now() >= ends || permit.service().lifecycle.is_stopping();
        if !changes.is_empty() || is_late {
            let cursors = changes.iter().map(|(at, _)| cursor(*at)).collect();
            return Ok(FeedPage {
                results: changes.into_iter().map(|(_, change)| change).collect(),
                cursors,
                next: cursor(next),
            });
        }
        after = Beginning::At(next);
        if waiting.is_none() {
            let slots = &permit.service().features.get::<Feed>().waiting;
            let slot = slots.try_acquire(permit.caller().requester());
            waiting = Some(slot.map_err(|full| Error::no_place("long polls", full))?);
        }
        permit.service().wait_for_changes(state, ends).await?;
    }
}

impl Service {
    /// Returns when the feed is no longer in this state, at the end, or when the process stops.
    async fn wait_for_changes(&self, known: FeedState, ends: Instant) -> Result<(), Error> {
        while self.feed_state().await? == known {
            let left = ends.saturating_duration_since(Instant::now());
            if left.is_zero() || self.lifecycle.is_stopping() {
                return Ok(());
            }
            tokio::select! {
                () = tokio::time::sleep(INTERVAL.min(left)) => {}
                () = self.lifecycle.clone().stopping() => {}
            }
        }
        Ok(())
    }

    /// The state of the feed, at most [`INTERVAL`] old.
    async fn feed_state(&self) -> Result<FeedState, Error> {
        let feed: Arc<Feed> = self.features.get();
        let mut asked = feed.asked.lock().await;
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

/// Where a read of the feed begins.
#[derive(Debug, Clone, Copy)]
enum Beginning {
    Start,
    /// After all changes.
    Now,
    /// After a change.
    At(FeedPosition),
}

/// A change, and the position after it.
type Placed = (FeedPosition, Value);

/// A read of the feed, run in a view of the store.
struct FeedRead {
    permit: Permit<LogView>,
    after: Beginning,
    filter: TimedFilter,
    limit: usize,
    images: bool,
}

impl FeedRead {
    /// The changes with the positions after them, and the position after the last one tested.
    fn run(&self, tx: &mut ReadTx<'_>) -> Result<(Vec<Placed>, FeedPosition), Error> {
        tx.leave_inline_if(self.images || self.filter.may_take_long())?;
        let scope = HistoryScope::new(self.permit.access(tx)?);
        let start = tx.feed_start()?;
        let mut after = match self.after {
            Beginning::Start => start,
            Beginning::Now => return Ok((Vec::new(), tx.feed_end()?)),
            Beginning::At(position) if position.database != start.database => return Err(foreign()),
            Beginning::At(position) if !tx.has_feed_position(position)? => return Err(lost()),
            Beginning::At(position) => position,
        };
        let mut page = Vec::new();
        let (mut tested, mut bytes) = (0, 0);
        loop {
            let changes = tx.changes_after(after, CHUNK)?;
            let is_last = changes.len() < CHUNK;
            let positions: Vec<FeedPosition> =
                changes.iter().map(|change| start.after(change)).collect();
            for (position, (_, entry)) in positions.into_iter().zip(scope.visible(tx, changes)?) {
                if page.len() == self.limit || tested == MAX_TESTED || bytes > READ_BYTES {
                    return Ok((page, after));
                }
                after = position;
                tested += 1;
                if let Some(change) = self.change(tx, entry)? {
                    bytes += change.to_string().len();
                    page.push((after, change));
                }
            }
            if is_last {
                return Ok((page, after));
            }
        }
    }

    /// A change as the answer shows it, if it matches.
    fn change(
        &self,
        tx: &mut ReadTx<'_>,
        entry: Option<HistoryEntry>,
    ) -> Result<Option<Value>, Error> {
        let Some(entry) = entry else {
            return Ok(None);
        };
        let mut change = entries::document(&entry);
        let view = crate::core::list::filterable(&change, &PATHS);
        if !self.filter.matches(&view)? {
            return Ok(None);
        }
        if self.images {
            let before = Revision(entry.revision.0 - 1);
            for (member, revision) in [("before", before), ("after", entry.revision)] {
                let past = tx.record_at_revision(&entry.record, revision)?;
                change[member] = match past {
                    Past::Document { document, .. } => {
                        serde_json::from_str(&document).map_err(Error::internal)?
                    }
                    Past::Missing | Past::Unknown { .. } => Value::Null,
                };
            }
        }
        Ok(Some(change))
    }
}

fn read_cursor(paging: &Paging) -> Result<Beginning, Error> {
    let Paging::After(text) = paging else {
        return Ok(Beginning::Start);
    };
    if text == NOW {
        return Ok(Beginning::Now);
    }
    let numbers: Result<Vec<i64>, _> = text.split('.').map(str::parse).collect();
    match numbers.as_deref() {
        Ok(&[database, transaction, seq, mark]) if let Ok(mark) = u32::try_from(mark) => {
            Ok(Beginning::At(FeedPosition {
                database,
                transaction,
                seq,
                mark,
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
        mark,
    } = position;
    format!("{database}.{transaction}.{seq}.{mark}")
}

/// The database was restored or moved, so that its changes have another order.
fn foreign() -> Error {
    gone("is a cursor of another database: this one was restored or moved")
}

/// The database is the same, but an older state of it.
fn lost() -> Error {
    gone("names a change that the database has lost, by a failover or the restore of a backup")
}

fn gone(what: &str) -> Error {
    Error::Gone(format!(
        "after {what}; take a new cursor with after=now, then read the records again"
    ))
}
