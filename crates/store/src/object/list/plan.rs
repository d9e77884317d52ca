//! How a list is found: decided once, from the lowered query and from how many objects there are.

use std::fmt::{self, Display};
use std::sync::Arc;

use stockroom_model::ObjectId;

use super::filter::Filter;
use super::lower::Lowered;
use super::order::ListOrder;
use super::predicate::IndexPredicate;
use super::query::ObjectQuery;
use super::window::Want;
use crate::Error;
use crate::catalog::TypeEntry;
use crate::transaction::ReadTx;

/// How a list is found.
#[derive(Debug)]
pub(super) enum Plan {
    /// Nothing matches.
    Empty,
    /// The evaluator decides on the documents of candidates, which are then sorted in memory.
    Recheck(Box<Recheck>),
    /// The matches are known, and ordered by id.
    Ids {
        /// Ascending.
        ids: Vec<ObjectId>,
        descending: bool,
    },
    /// The tables decide, and are walked in the order of the list.
    Scan(Box<Scan>),
}

/// Documents that the evaluator decides on.
#[derive(Debug)]
pub(super) struct Recheck {
    /// The types that the query can find, in the order of their ids.
    pub(super) types: Vec<Arc<TypeEntry>>,
    pub(super) candidates: IndexPredicate,
}

/// A walk through the tables in the order of the list.
#[derive(Debug)]
pub(super) struct Scan {
    pub(super) filter: Filter,
    pub(super) order: ListOrder,
    pub(super) source: Source,
    pub(super) total: Total,
    /// Objects of which index rows say nothing: the evaluator decides on them, and those that match
    /// are merged into the walk.
    pub(super) irregular: Option<Recheck>,
}

/// The rows that are walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// Rows of `object`, with their documents.
    Objects,
    /// Rows of `object` that have to be sorted, so without documents.
    SortedObjects,
    /// Index rows that all matches have.
    IndexRows,
    /// Index rows of the columns that give the order.
    Columns,
}

/// How many objects match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Total {
    /// Nobody asked.
    Unwanted,
    /// The counters, or a key scan, say so.
    Known(usize),
    /// They have to be counted.
    Counted,
}

impl ReadTx<'_> {
    /// The plan of a list. It reads no documents: only counters, a few index rows, and the keys
    /// that a test has to look at.
    pub(super) fn plan(
        &mut self,
        lowered: Lowered,
        query: &ObjectQuery,
        want: Want,
    ) -> Result<Plan, Error> {
        let order = match want {
            Want::Total => ListOrder::Id { descending: false },
            _ => ListOrder::of(&query.sort, &lowered.types),
        };
        let counts = self.counts(&lowered.type_ids())?;
        // What columns of `object` say is true of irregular objects, too.
        let is_of_table = lowered.of_columns && order.is_of_table();
        let has_irregular = counts.irregular > 0 && !is_of_table;
        if counts.total == 0 || (lowered.predicate.is_never() && !has_irregular) {
            return Ok(Plan::Empty);
        }
        if let Some(ids) = self.few_candidates(&lowered.predicate)? {
            return Ok(few(lowered, query, &order, ids, has_irregular));
        }
        if !lowered.exact {
            let candidates = lowered.predicate.clone().widened();
            let recheck = recheck(lowered, candidates, has_irregular);
            return Ok(Plan::Recheck(Box::new(recheck)));
        }
        let predicate = self.scan_keys(lowered.predicate.clone(), &lowered.types)?;
        if order == ListOrder::Documents {
            let recheck = recheck(lowered, predicate, has_irregular);
            return Ok(Plan::Recheck(Box::new(recheck)));
        }
        let all = self.count_all(&lowered, counts)?;
        let filter = Filter::new(&lowered, predicate, query, counts, all, has_irregular);
        Ok(walk(lowered, filter, order, want, has_irregular))
    }
}

/// The plan where few objects can match.
fn few(
    lowered: Lowered,
    query: &ObjectQuery,
    order: &ListOrder,
    ids: Vec<ObjectId>,
    has_irregular: bool,
) -> Plan {
    let rows_decide = lowered.exact
        && !query.active_only
        && !has_irregular
        && matches!(lowered.predicate, IndexPredicate::Rows(_));
    match order {
        ListOrder::Id { descending } if rows_decide => Plan::Ids {
            ids,
            descending: *descending,
        },
        _ => {
            let candidates = or_irregular(IndexPredicate::Ids(ids), &lowered, has_irregular);
            Plan::Recheck(Box::new(Recheck {
                types: lowered.types,
                candidates,
            }))
        }
    }
}

/// The plan where the tables decide on many objects.
fn walk(
    lowered: Lowered,
    filter: Filter,
    order: ListOrder,
    want: Want,
    has_irregular: bool,
) -> Plan {
    if let ListOrder::Id { descending } = order
        && let Some(ids) = filter.scanned()
        && !has_irregular
    {
        return Plan::Ids {
            ids: ids.to_vec(),
            descending,
        };
    }
    let total = match filter.known_total() {
        _ if !want.total() => Total::Unwanted,
        Some(total) => Total::Known(total),
        None => Total::Counted,
    };
    let irregular = has_irregular.then(|| Recheck {
        candidates: IndexPredicate::all(vec![lowered.of_types(), IndexPredicate::Irregular]),
        types: lowered.types,
    });
    Plan::Scan(Box::new(Scan {
        source: source(&filter, &order),
        filter,
        order,
        total,
        irregular,
    }))
}

fn source(filter: &Filter, order: &ListOrder) -> Source {
    match order {
        ListOrder::Columns(_) => Source::Columns,
        ListOrder::Id { .. } if filter.leading_rows_by_id().is_some() => Source::IndexRows,
        _ if filter.scanned().is_some() || filter.needs_sort(order) => Source::SortedObjects,
        _ => Source::Objects,
    }
}

/// All documents of the types that satisfy `predicate`, and the irregular ones.
fn recheck(lowered: Lowered, predicate: IndexPredicate, has_irregular: bool) -> Recheck {
    let candidates = or_irregular(predicate, &lowered, has_irregular);
    Recheck {
        candidates: IndexPredicate::all(vec![lowered.of_types(), candidates]),
        types: lowered.types,
    }
}

fn or_irregular(
    predicate: IndexPredicate,
    lowered: &Lowered,
    has_irregular: bool,
) -> IndexPredicate {
    if !has_irregular {
        return predicate;
    }
    let irregular = IndexPredicate::all(vec![lowered.of_types(), IndexPredicate::Irregular]);
    IndexPredicate::any(vec![predicate, irregular])
}

impl Display for Plan {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => formatter.write_str("empty"),
            Self::Recheck(recheck) => recheck.fmt(formatter),
            Self::Ids { ids, descending } => {
                let order = if *descending { " descending" } else { "" };
                write!(formatter, "{} known ids{order}", ids.len())
            }
            Self::Scan(scan) => scan.fmt(formatter),
        }
    }
}

impl Display for Recheck {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "recheck of documents where {}", self.candidates)
    }
}

impl Display for Scan {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let source = match self.source {
            Source::Objects => "objects",
            Source::SortedObjects => "sorted objects",
            Source::IndexRows => "index rows",
            Source::Columns => "columns",
        };
        write!(
            formatter,
            "scan of {source} by {} where {}",
            self.order, self.filter
        )?;
        if let Some(irregular) = &self.irregular {
            write!(formatter, ", merged with {irregular}")?;
        }
        match self.total {
            Total::Unwanted => Ok(()),
            Total::Known(_) => formatter.write_str(", total known"),
            Total::Counted => formatter.write_str(", total counted"),
        }
    }
}
