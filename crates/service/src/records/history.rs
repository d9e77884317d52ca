//! The history of records (`docs/guide/src/history.md`).

mod entries;
pub mod feed;
mod logins;
pub(crate) mod restore;
pub(crate) mod retention;
mod revert;
mod revision;
mod views;
mod visibility;

use stockroom_access::permission::LogView;
use stockroom_filter::{Literal, Node, Paths, Predicate};
use stockroom_model::json::Value;
use stockroom_store::{HistoryEntry, HistoryPosition, HistoryRange, ReadTx};

use crate::core::list::{ListRequest, Paging, TimedFilter};
use crate::{Error, Permit};

pub use self::entries::Change;
pub use self::logins::{LoginEvent, logins};
pub use self::restore::RestoreRequest;
pub use self::revert::{Undo, revert};
pub use self::revision::{PastRecord, read_revision};
pub(crate) use self::revision::{check_revision, deleted, unknown};
pub(crate) use self::visibility::HistoryScope;
pub use stockroom_store::{Action, RecordKey, Resource};

const PATHS: Paths = Paths {
    timestamps: &["at"],
    secrets: &[],
};

/// Changes on a page at most.
const MAX_PAGE: usize = 1_000;
/// Changes read at once.
const CHUNK: usize = 500;
/// Changes that one request tests against its filter. A page ends there, even if it has room.
const MAX_TESTED: usize = 20_000;

/// A page of changes, the newest first.
#[derive(Debug)]
pub struct HistoryPage {
    /// The changes.
    pub results: Vec<Value>,
    /// The cursor of the next page; `None` at the end.
    pub next: Option<String>,
}

/// The changes of a record, with the differences that each one made.
pub async fn of_record(
    permit: &Permit<LogView>,
    record: RecordKey,
    request: ListRequest,
) -> Result<HistoryPage, Error> {
    list(permit, HistoryRange::Record(record), request).await
}

/// The changes of all records that the caller may see.
pub async fn of_everything(
    permit: &Permit<LogView>,
    request: ListRequest,
) -> Result<HistoryPage, Error> {
    let filter = request.checked(&PATHS)?;
    let range = match request_of(filter.root()) {
        Some(id) => HistoryRange::Request(id.to_owned()),
        None => HistoryRange::Everything,
    };
    list(permit, range, request).await
}

/// The only request whose changes can match, which an index finds.
fn request_of(node: &Node) -> Option<&str> {
    match node {
        Node::And(nodes) => nodes.iter().find_map(request_of),
        Node::Field {
            path,
            predicate: Predicate::Equal(Literal::Text(id)),
        } if path.to_dotted() == "request_id" => Some(id),
        Node::Or(_) | Node::Nor(_) | Node::Field { .. } => None,
    }
}

async fn list(
    permit: &Permit<LogView>,
    range: HistoryRange,
    request: ListRequest,
) -> Result<HistoryPage, Error> {
    let list = HistoryList {
        permit: permit.clone(),
        start: start(&request.paging)?,
        filter: TimedFilter::of(request.checked(&PATHS)?),
        limit: page_limit(&request),
        range,
    };
    permit.read(move |tx| list.run(tx)).await
}

fn page_limit(request: &ListRequest) -> usize {
    request
        .limit
        .map_or(MAX_PAGE, |limit| limit.get().min(MAX_PAGE))
}

/// A list of changes, run in a view of the store.
struct HistoryList {
    permit: Permit<LogView>,
    range: HistoryRange,
    filter: TimedFilter,
    start: HistoryPosition,
    limit: usize,
}

impl HistoryList {
    fn run(&self, tx: &mut ReadTx<'_>) -> Result<HistoryPage, Error> {
        let scope = HistoryScope::new(self.permit.access(tx)?);
        if let HistoryRange::Record(record) = &self.range {
            scope.check_record(tx, record)?;
        }
        let found = self.find(tx, &scope)?;
        let mut results = entries::documents(&found.entries);
        let mut next = found.next;
        if let HistoryRange::Record(record) = &self.range {
            let shown = entries::add_differences(tx, record, &found.entries, &mut results)?;
            if shown < results.len() {
                results.truncate(shown);
                next = found.entries.get(shown - 1).map(|entry| entry.position);
            }
        }
        Ok(HistoryPage {
            results,
            next: next.map(cursor),
        })
    }

    fn find(&self, tx: &mut ReadTx<'_>, scope: &HistoryScope) -> Result<HistoryMatches, Error> {
        tx.leave_inline_if(self.filter.may_take_long())?;
        let mut found = HistoryMatches {
            entries: Vec::new(),
            next: None,
        };
        let (mut after, mut tested) = (self.start, 0);
        loop {
            let chunk = tx.history(&self.range, after, CHUNK)?;
            let is_last = chunk.len() < CHUNK;
            let chunk = scope.visible(tx, chunk)?;
            for (position, entry) in chunk {
                if found.entries.len() == self.limit || tested == MAX_TESTED {
                    found.next = Some(after);
                    return Ok(found);
                }
                (after, tested) = (position, tested + 1);
                if let Some(entry) = entry
                    && self.matches(&entry)?
                {
                    found.entries.push(entry);
                }
            }
            if is_last {
                return Ok(found);
            }
        }
    }

    fn matches(&self, entry: &HistoryEntry) -> Result<bool, Error> {
        if self.filter.is_everything() {
            return Ok(true);
        }
        let document = crate::core::list::filterable(&entries::document(entry), &PATHS);
        self.filter.matches(&document)
    }
}

struct HistoryMatches {
    entries: Vec<HistoryEntry>,
    next: Option<HistoryPosition>,
}

fn start(paging: &Paging) -> Result<HistoryPosition, Error> {
    let Paging::After(text) = paging else {
        return Ok(HistoryPosition::START);
    };
    let numbers = text.split_once('.');
    let numbers = numbers.and_then(|(one, two)| Some((one.parse().ok()?, two.parse().ok()?)));
    let (transaction, seq) =
        numbers.ok_or_else(|| Error::invalid("after", "is no cursor that this list gave"))?;
    Ok(HistoryPosition(transaction, seq))
}

fn cursor(HistoryPosition(transaction, seq): HistoryPosition) -> String {
    format!("{transaction}.{seq}")
}
