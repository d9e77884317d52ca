//! Plans lists: chooses once how to find a list, from the lowered query and the numbers of objects.

use std::fmt::{self, Display};
use std::sync::Arc;

use stockroom_model::ObjectId;

use super::filter::Filter;
use super::lower::Lowered;
use super::order::ListOrder;
use super::predicate::IndexPredicate;
use super::query::ObjectQuery;
use super::undecided::Undecided;
use super::window::Want;
use crate::Error;
use crate::records::catalog::TypeEntry;
use crate::transaction::ReadTx;

/// The plan of a list.
#[derive(Debug)]
pub(super) enum Plan {
    /// Nothing matches.
    Empty,
    /// The evaluator tests the documents of candidates, and the matches are sorted in memory.
    Recheck(Box<Recheck>),
    /// The ids of the matches are known.
    Ids {
        /// Ascending.
        ids: Vec<ObjectId>,
        descending: bool,
    },
    /// The tables decide and are walked in the order of the list.
    Scan(Box<Scan>),
}

/// Documents that the evaluator must test.
#[derive(Debug)]
pub(super) struct Recheck {
    /// The types that can match, in the order of their ids.
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
    /// Objects that index rows do not decide: the evaluator tests them, and matches are merged into
    /// the walk.
    pub(super) undecided: Option<Recheck>,
}

/// The rows of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// Rows of `object`, with their documents.
    Objects,
    /// Rows of `object` without documents, because the engine must sort them.
    SortedObjects,
    /// Index rows that all matches have.
    IndexRows,
    /// Index rows of the columns that give the order.
    Columns,
}

/// How the total of matches is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Total {
    /// The total is not wanted.
    Unwanted,
    /// Known from the counters or a key scan.
    Known(usize),
    /// Counted by a statement.
    Counted,
}

impl ReadTx<'_> {
    /// Plans a list. Reads counters, a few index rows, the keys of key scans, and documents only
    /// where those keys cannot decide.
    pub(super) fn plan(
        &mut self,
        mut lowered: Lowered,
        query: &ObjectQuery,
        want: Want,
    ) -> Result<Plan, Error> {
        let order = if want == Want::Total {
            ListOrder::Id { descending: false }
        } else {
            lowered.add_sort(&query.sort);
            ListOrder::of(&query.sort, &lowered.types)
        };
        self.plan_in_order(lowered, query, want, order)
    }

    /// Like [`Self::plan`], for another order than the one of the query.
    pub(super) fn plan_in_order(
        &mut self,
        lowered: Lowered,
        query: &ObjectQuery,
        want: Want,
        order: ListOrder,
    ) -> Result<Plan, Error> {
        let counts = self.counts(&lowered.type_ids())?;
        if counts.total == 0 {
            return Ok(Plan::Empty);
        }
        let undecided = self.undecided(&lowered, counts, &order)?;
        if lowered.predicate.is_never() && undecided.is_none() {
            return Ok(Plan::Empty);
        }
        if let Some(ids) = self.few_candidates(&lowered.predicate)? {
            return Ok(few(lowered, query, &order, ids, &undecided));
        }
        if !lowered.exact {
            let candidates = lowered.predicate.clone().widened();
            let recheck = recheck(lowered, candidates, &undecided);
            return Ok(Plan::Recheck(Box::new(recheck)));
        }
        let predicate = self.scan_keys(lowered.predicate.clone(), &lowered.types)?;
        if order == ListOrder::Documents {
            let recheck = recheck(lowered, predicate, &undecided);
            return Ok(Plan::Recheck(Box::new(recheck)));
        }
        let all = self.count_all(&lowered, counts)?;
        let filter = Filter::new(&lowered, predicate, query, (counts, all), undecided);
        Ok(walk(lowered, filter, order, want))
    }
}

/// The plan if few objects can match.
fn few(
    lowered: Lowered,
    query: &ObjectQuery,
    order: &ListOrder,
    ids: Vec<ObjectId>,
    undecided: &Undecided,
) -> Plan {
    let rows_decide = lowered.exact
        && !query.active_only
        && undecided.is_none()
        && matches!(lowered.predicate, IndexPredicate::Rows(_));
    match order {
        ListOrder::Id { descending } if rows_decide => Plan::Ids {
            ids,
            descending: *descending,
        },
        _ if undecided.is_none() => Plan::Recheck(Box::new(Recheck {
            candidates: IndexPredicate::Ids(ids),
            types: lowered.types,
        })),
        _ => {
            let recheck = recheck(lowered, IndexPredicate::Ids(ids), undecided);
            Plan::Recheck(Box::new(recheck))
        }
    }
}

/// The plan if the tables decide on many objects.
fn walk(lowered: Lowered, filter: Filter, order: ListOrder, want: Want) -> Plan {
    let undecided = filter.undecided();
    if let ListOrder::Id { descending } = order
        && let Some(ids) = filter.scanned()
        && undecided.is_none()
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
    let undecided =
        (!undecided.is_none()).then(|| recheck(lowered, IndexPredicate::never(), undecided));
    Plan::Scan(Box::new(Scan {
        source: source(&filter, &order),
        filter,
        order,
        total,
        undecided,
    }))
}

pub(super) fn source(filter: &Filter, order: &ListOrder) -> Source {
    match order {
        ListOrder::Columns(_) => Source::Columns,
        ListOrder::Id { .. } if filter.leading_rows_by_id().is_some() => Source::IndexRows,
        _ if filter.scanned().is_some() || filter.needs_sort(order) => Source::SortedObjects,
        _ => Source::Objects,
    }
}

/// Rechecks all objects of the types that satisfy `predicate`, and the undecided ones.
fn recheck(lowered: Lowered, predicate: IndexPredicate, undecided: &Undecided) -> Recheck {
    let candidates = IndexPredicate::any(vec![predicate, undecided.candidates(&lowered)]);
    Recheck {
        candidates: IndexPredicate::all(vec![lowered.of_types(), candidates]),
        types: lowered.types,
    }
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
        if let Some(undecided) = &self.undecided {
            write!(formatter, ", merged with {undecided}")?;
        }
        match self.total {
            Total::Unwanted => Ok(()),
            Total::Known(_) => formatter.write_str(", total known"),
            Total::Counted => formatter.write_str(", total counted"),
        }
    }
}
