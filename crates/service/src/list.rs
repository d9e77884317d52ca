//! Lists of the small collections: the evaluator in memory (architecture, "Storage").

use serde_json::json;
use stockroom_filter::{Checked, Order, Parsed, Paths, Projection, Sort};
use stockroom_model::Timestamp;
use stockroom_model::json::Value;

use crate::Error;
use crate::error::parameter;

/// What a caller asks of a list.
#[derive(Debug, Clone)]
pub struct ListRequest {
    /// What the records must match.
    pub filter: Parsed,
    /// The path to sort by.
    pub sort: String,
    /// Its direction.
    pub order: Order,
    /// Page number from 1 on.
    pub page: usize,
    /// Records per page; 0 means all.
    pub limit: usize,
    /// Only active records, where the resource knows the difference.
    pub active_only: bool,
    /// Which parts of the records to answer.
    pub projection: Option<Projection>,
    /// HEAD: only the total is wanted.
    pub total_only: bool,
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
    /// How many match in all.
    pub total: usize,
}

/// Filters, sorts and cuts `documents`, which are in the order of their ids.
pub(crate) fn page(
    documents: Vec<Value>,
    request: &ListRequest,
    paths: &Paths,
) -> Result<Page, Error> {
    let filter = request.checked(paths)?;
    let sort = Sort::records(&request.sort, request.order, paths);
    let mut found = Vec::new();
    for document in documents {
        let view = filterable(&document, paths);
        if filter
            .matches(&view)
            .map_err(stockroom_store::Error::from)?
        {
            found.push((sort.key(&view), document));
        }
    }
    let total = found.len();
    if request.total_only {
        return Ok(Page {
            results: Vec::new(),
            total,
        });
    }
    found.sort_by(|(left, _), (right, _)| sort.compare(left, right));
    let (skip, take) = request.window();
    let results = found
        .into_iter()
        .skip(skip)
        .take(take)
        .map(|(_, document)| project(document, request, paths))
        .collect();
    Ok(Page { results, total })
}

/// A record as filters and sorts see it: its own timestamps are dates, its secrets are not there. The dates are spelled out because
/// milliseconds are too coarse: a time that was read must find the record again.
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
