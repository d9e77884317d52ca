//! Lists of the small collections, filtered in memory by the evaluator.

pub(crate) mod request;
mod timed_filter;

use std::cmp::Ordering;

use serde_json::json;
use stockroom_filter::{Datum, Key, Paths, Sort};
use stockroom_model::Timestamp;
use stockroom_model::json::Value;

pub use request::{ListRequest, Paging, Total};
pub(crate) use timed_filter::TimedFilter;

use crate::core::cursor::Cursor;
use crate::{Caller, Error};

/// The values of documents that take about a millisecond.
const SMALL: usize = 10_000;

/// One page of a list.
#[derive(Debug, Clone)]
pub struct Page {
    /// The records of the page.
    pub results: Vec<Value>,
    /// How many records match in all, if requested.
    pub total: Option<usize>,
    /// The cursor of the next page, if requested and if there is one.
    pub next: Option<String>,
}

/// How the records of a collection are listed.
pub(crate) struct Collection {
    /// The members that filters treat specially.
    pub(crate) paths: Paths,
    /// How records are told apart.
    pub(crate) tie_breaker: TieBreaker,
}

/// How the records of a collection are told apart; also orders those with equal keys.
pub(crate) enum TieBreaker {
    /// By this member.
    Member(&'static str),
    /// By the position in a table that never changes.
    Position,
}

/// A record that matches.
struct Match {
    key: Key,
    position: usize,
    document: Value,
}

/// Filters, sorts and pages `documents`, which are in the order of the tie breaker.
pub(crate) async fn page(
    caller: &Caller,
    documents: Vec<Value>,
    request: &ListRequest,
    collection: &'static Collection,
) -> Result<Page, Error> {
    let filter = TimedFilter::of(request.checked(&collection.paths)?);
    if !filter.may_take_long() && !are_large(&documents) {
        return page_of(documents, request, collection, &filter);
    }
    let request = request.clone();
    let page = move || page_of(documents, &request, collection, &filter);
    caller.run_blocking(page).await?
}

/// Whether work on all of these takes too long for a thread for which other requests wait.
fn are_large(documents: &[Value]) -> bool {
    let mut left = SMALL;
    !documents.iter().all(|document| fits(document, &mut left))
}

/// Takes the values and the texts of a document, 64 bytes at a time, from what is left.
fn fits(value: &Value, left: &mut usize) -> bool {
    let own = match value {
        Value::String(text) => text.len() / 64,
        _ => 0,
    };
    let Some(rest) = left.checked_sub(own + 1) else {
        return false;
    };
    *left = rest;
    match value {
        Value::Array(items) => items.iter().all(|item| fits(item, left)),
        Value::Object(members) => members.values().all(|member| fits(member, left)),
        _ => true,
    }
}

fn page_of(
    documents: Vec<Value>,
    request: &ListRequest,
    collection: &Collection,
    filter: &TimedFilter,
) -> Result<Page, Error> {
    let paths = &collection.paths;
    let cursor = request.cursor()?;
    let sort = Sort::records(&request.sort, request.order, paths);
    let mut found = Vec::new();
    for (position, document) in documents.into_iter().enumerate() {
        let view = filterable(&document, paths);
        if filter.matches(&view)? {
            let key = sort.key(&view);
            found.push(Match {
                key,
                position,
                document,
            });
        }
    }
    let total = found.len();
    found.sort_by(|left, right| sort.compare(&left.key, &right.key));
    let (skip, take) = request.window();
    let start = match &cursor {
        Some(cursor) => {
            found.partition_point(|record| collection.compare(&sort, record, cursor).is_le())
        }
        None => skip,
    };
    let mut rest = found.split_off(start.min(total));
    let has_more = rest.len() > take;
    rest.truncate(if request.total == Total::Only {
        0
    } else {
        take
    });
    let last = rest.last().filter(|_| has_more && request.is_by_cursor());
    Ok(Page {
        next: last.map(|last| collection.cursor(last).write(request)),
        results: rest
            .into_iter()
            .map(|record| project(record.document, request, paths))
            .collect(),
        total: (request.total != Total::Skipped).then_some(total),
    })
}

impl Collection {
    /// The cursor of a page whose last record is `last`.
    fn cursor(&self, last: &Match) -> Cursor {
        Cursor {
            key: last.key.clone(),
            tie: self.tie(last),
        }
    }

    fn tie(&self, record: &Match) -> Vec<u8> {
        match self.tie_breaker {
            TieBreaker::Member(name) => {
                let value = record.document.get(name).unwrap_or(&Value::Null);
                Key::of(Datum::of(value), usize::MAX).into_bytes()
            }
            TieBreaker::Position => record.position.to_be_bytes().to_vec(),
        }
    }

    fn compare(&self, sort: &Sort, record: &Match, cursor: &Cursor) -> Ordering {
        let by_key = sort.compare(&record.key, &cursor.key);
        by_key.then_with(|| self.tie(record).cmp(&cursor.tie))
    }
}

/// A record as filters and sorts see it: its own timestamps are dates, its secrets are missing.
/// Dates keep their full precision: with milliseconds, a time that was read would not find its
/// record.
pub(crate) fn filterable(document: &Value, paths: &Paths) -> Value {
    let mut view = without_secrets(document.clone(), paths);
    for path in paths.timestamps {
        if let Some(text) = view.get_mut(path)
            && let Some(time) = Timestamp::from_input(text)
        {
            *text = json!({ "$date": time.to_iso() });
        }
    }
    view
}

fn project(document: Value, request: &ListRequest, paths: &Paths) -> Value {
    match &request.projection {
        Some(projection) => projection.apply(&without_secrets(document, paths)),
        None => document,
    }
}

fn without_secrets(mut document: Value, paths: &Paths) -> Value {
    if let Some(members) = document.as_object_mut() {
        members.retain(|key, _| !paths.secrets.contains(&key.as_str()));
    }
    document
}
