//! Lists of the small collections: the evaluator in memory.

use std::cmp::Ordering;

use serde_json::json;
use stockroom_filter::{Checked, Datum, Key, Order, Parsed, Paths, Projection, Sort};
use stockroom_model::Timestamp;
use stockroom_model::json::Value;

use crate::Error;
use crate::cursor::Cursor;
use crate::error::parameter;

/// What a caller asks of a list.
#[derive(Debug, Clone)]
pub struct ListRequest {
    /// What the records must match.
    pub filter: Parsed,
    /// The path to sort by.
    pub sort: String,
    /// Whether the caller named it; trees have an order of their own.
    pub is_sorted: bool,
    /// Its direction.
    pub order: Order,
    /// Page number from 1 on.
    pub page: usize,
    /// The cursor of the page before, empty for the first page; `None` where pages are numbered.
    pub after: Option<String>,
    /// Records per page; 0 means all.
    pub limit: usize,
    /// Only active records, where the resource knows the difference.
    pub active_only: bool,
    /// Which parts of the records to answer.
    pub projection: Option<Projection>,
    /// Whether the total is wanted, and whether anything else is.
    pub total: Total,
}

/// Whether a list tells how many records match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Total {
    /// Beside the records.
    Counted,
    /// No: to count can take longer than to read a page.
    Skipped,
    /// HEAD: nothing else is wanted.
    Only,
}

impl ListRequest {
    /// How many records come before the page, and how many it holds at most.
    #[must_use]
    pub fn window(&self) -> (usize, usize) {
        if self.limit == 0 {
            (0, usize::MAX)
        } else {
            ((self.page - 1).saturating_mul(self.limit), self.limit)
        }
    }

    /// The cursor that the page begins after.
    pub(crate) fn cursor(&self) -> Result<Option<Cursor>, Error> {
        let text = self.after.as_deref().filter(|text| !text.is_empty());
        text.map(|text| Cursor::read(text, self)).transpose()
    }

    /// The filter in the form that lists accept.
    ///
    /// # Errors
    ///
    /// The filter is refused; the problem points into it.
    pub fn checked(&self, paths: &Paths) -> Result<Checked, Error> {
        self.filter
            .clone()
            .check(paths)
            .map_err(parameter("filter"))
    }
}

/// One page of a list.
#[derive(Debug, Clone)]
pub struct Page {
    /// The records of the page.
    pub results: Vec<Value>,
    /// How many match in all, if that was asked.
    pub total: Option<usize>,
    /// The cursor of the next page, if cursors were asked for and there is one.
    pub next: Option<String>,
}

/// How the records of a collection are listed.
pub(crate) struct Collection {
    /// Their special paths.
    pub(crate) paths: Paths,
    /// What tells them apart.
    pub(crate) identity: Identity,
}

/// What tells the records of a collection apart, and orders those with equal keys.
pub(crate) enum Identity {
    /// This member.
    Member(&'static str),
    /// The place in a table that never changes.
    Place,
}

/// A record that matches.
struct Match {
    key: Key,
    place: usize,
    document: Value,
}

/// Filters, sorts and cuts `documents`, which are in the order of their identity.
pub(crate) fn page(
    documents: Vec<Value>,
    request: &ListRequest,
    collection: &Collection,
) -> Result<Page, Error> {
    let paths = &collection.paths;
    let filter = request.checked(paths)?;
    let cursor = request.cursor()?;
    let sort = Sort::records(&request.sort, request.order, paths);
    let mut found = Vec::new();
    for (place, document) in documents.into_iter().enumerate() {
        let view = filterable(&document, paths);
        if filter
            .matches(&view)
            .map_err(stockroom_store::Error::from)?
        {
            let key = sort.key(&view);
            found.push(Match {
                key,
                place,
                document,
            });
        }
    }
    let total = found.len();
    found.sort_by(|left, right| sort.compare(&left.key, &right.key));
    let (skip, take) = request.window();
    let start = match &cursor {
        Some(cursor) => found.partition_point(|one| collection.compare(&sort, one, cursor).is_le()),
        None => skip,
    };
    let mut rest = found.split_off(start.min(total));
    let has_more = rest.len() > take;
    rest.truncate(if request.total == Total::Only {
        0
    } else {
        take
    });
    let last = rest.last().filter(|_| has_more && request.after.is_some());
    Ok(Page {
        next: last.map(|last| collection.cursor(last).write(request)),
        results: rest
            .into_iter()
            .map(|one| project(one.document, request, paths))
            .collect(),
        total: (request.total != Total::Skipped).then_some(total),
    })
}

impl Collection {
    /// Where a page that ends with this record ended.
    fn cursor(&self, last: &Match) -> Cursor {
        Cursor {
            key: last.key.clone(),
            tie: self.tie(last),
        }
    }

    fn tie(&self, one: &Match) -> Vec<u8> {
        match self.identity {
            Identity::Member(name) => {
                let value = one.document.get(name).unwrap_or(&Value::Null);
                Key::of(Datum::of(value), usize::MAX).into_bytes()
            }
            Identity::Place => one.place.to_be_bytes().to_vec(),
        }
    }

    fn compare(&self, sort: &Sort, one: &Match, cursor: &Cursor) -> Ordering {
        let by_key = sort.compare(&one.key, &cursor.key);
        by_key.then_with(|| self.tie(one).cmp(&cursor.tie))
    }
}

/// A record as filters and sorts see it: its own timestamps are dates, its secrets are missing. The dates
/// are spelled out because milliseconds are too coarse: a time that was read must find the record again.
fn filterable(document: &Value, paths: &Paths) -> Value {
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
