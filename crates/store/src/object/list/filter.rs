//! A filter that the tables decide, and which part of it is asked of which rows.

use std::fmt::{self, Display};

use stockroom_filter::KeyRange;
use stockroom_model::ObjectId;

use super::lower::Lowered;
use super::order::ListOrder;
use super::predicate::{IndexPredicate, IndexRows};
use super::query::ObjectQuery;
use super::ranks::WholeTypes;
use crate::counters::Counts;

/// One in so many objects is often enough to be met on a walk through all of them.
const MOST: i64 = 20;

/// A filter that the tables decide.
#[derive(Debug)]
pub(super) struct Filter {
    of_types: IndexPredicate,
    predicate: IndexPredicate,
    active_only: bool,
    /// How many objects of these types there are, if that is known.
    counts: Option<Counts>,
    /// Whether a good part of all objects is of these types.
    is_of_most: bool,
    /// Whether it has to leave out irregular objects, of which index rows say nothing.
    has_irregular: bool,
}

impl Filter {
    /// A filter on the types of `lowered`, of which there are `counts` among `all` objects.
    pub(super) fn new(
        lowered: &Lowered,
        predicate: IndexPredicate,
        query: &ObjectQuery,
        counts: Counts,
        all: i64,
        has_irregular: bool,
    ) -> Self {
        Self {
            of_types: lowered.of_types(),
            predicate,
            active_only: query.active_only && counts.active < counts.total,
            counts: Some(counts),
            is_of_most: counts.total.saturating_mul(MOST) >= all,
            has_irregular,
        }
    }

    /// All objects of the types of `lowered`, however many there are.
    pub(super) fn of_types(lowered: &Lowered, query: &ObjectQuery) -> Self {
        Self {
            of_types: lowered.of_types(),
            predicate: IndexPredicate::always(),
            active_only: query.active_only,
            counts: None,
            is_of_most: true,
            has_irregular: false,
        }
    }

    /// The whole predicate on rows of `object`.
    pub(super) fn on_objects(&self) -> IndexPredicate {
        self.on_objects_of(self.of_types.clone())
    }

    /// The same, for rows that are walked in the order of ids.
    pub(super) fn on_objects_by_id(&self) -> IndexPredicate {
        self.on_objects_of(match &self.of_types {
            IndexPredicate::Types(types) if self.is_of_most && types.len() > 1 => {
                IndexPredicate::MostTypes(types.clone())
            }
            other => other.clone(),
        })
    }

    fn on_objects_of(&self, of_types: IndexPredicate) -> IndexPredicate {
        let mut all = vec![of_types, self.on_index()];
        if self.has_irregular {
            all.push(IndexPredicate::Irregular.negated());
        }
        IndexPredicate::all(all)
    }

    /// The predicate on index rows, which belong to regular objects of the types.
    pub(super) fn on_index(&self) -> IndexPredicate {
        let mut all = vec![self.predicate.clone()];
        if self.active_only {
            all.push(IndexPredicate::Inactive.negated());
        }
        IndexPredicate::all(all)
    }

    /// Whether the engine has to sort what it finds.
    pub(super) fn needs_sort(&self, order: &ListOrder) -> bool {
        let several = matches!(&self.of_types, IndexPredicate::Types(types) if types.len() > 1);
        several && !self.is_of_most && matches!(order, ListOrder::Id { .. })
    }

    /// The ids of the matches, ascending, if a key scan found them.
    pub(super) fn scanned(&self) -> Option<&[ObjectId]> {
        match &self.predicate {
            IndexPredicate::Scanned(ids) if !self.active_only => Some(ids),
            _ => None,
        }
    }

    /// How many match, if that is known.
    pub(super) fn known_total(&self) -> Option<usize> {
        if let Some(ids) = self.scanned() {
            return Some(ids.len());
        }
        let counts = self.counts?;
        let is_whole = self.predicate.is_always() && !self.has_irregular;
        is_whole.then(|| {
            usize::try_from(if self.active_only {
                counts.active
            } else {
                counts.total
            })
            .unwrap_or(0)
        })
    }

    /// The list of `query` in an order, if it has all objects of its types, or all regular ones.
    pub(super) fn whole_types(&self, query: &ObjectQuery, order: &ListOrder) -> Option<WholeTypes> {
        let has_all = self.predicate.is_always() && !query.active_only;
        let has_nulls = matches!(order, ListOrder::Columns(columns) if !columns.without.is_empty());
        if !has_all || has_nulls {
            return None;
        }
        Some(WholeTypes {
            order: order.clone(),
            types: match &self.of_types {
                IndexPredicate::Types(types) => Some(types.clone()),
                _ => None,
            },
        })
    }

    /// The keys that are wanted of these columns, and what else is asked.
    pub(super) fn on_columns(&self, columns: &[i64]) -> (Option<Vec<KeyRange>>, IndexPredicate) {
        let mut wanted = columns.to_vec();
        wanted.sort_unstable();
        let mut others = self.on_index().conjuncts().to_vec();
        let own = others.iter().position(
            |member| matches!(member, IndexPredicate::Rows(rows) if rows.columns == wanted && !rows.present),
        );
        match own.map(|place| others.remove(place)) {
            Some(IndexPredicate::Rows(rows)) => (rows.ranges, IndexPredicate::all(others)),
            _ => (None, IndexPredicate::all(others)),
        }
    }

    /// Index rows that all matches have, those with one key first, and what else is asked.
    pub(super) fn leading_rows(&self) -> Option<(&IndexRows, IndexPredicate)> {
        self.leading(|_| true)
    }

    /// The same, of rows that come in the order of ids.
    pub(super) fn leading_rows_by_id(&self) -> Option<(&IndexRows, IndexPredicate)> {
        self.leading(IndexRows::is_ordered_by_id)
    }

    fn leading(&self, fits: impl Fn(&IndexRows) -> bool) -> Option<(&IndexRows, IndexPredicate)> {
        let conjuncts = self.predicate.conjuncts();
        let candidates = conjuncts
            .iter()
            .enumerate()
            .filter_map(|(place, member)| match member {
                IndexPredicate::Rows(rows) if fits(rows) => Some((place, rows)),
                _ => None,
            });
        let (place, rows) = candidates.min_by_key(|(_, rows)| !rows.is_point())?;
        let mut others = conjuncts.to_vec();
        others.remove(place);
        if self.active_only {
            others.push(IndexPredicate::Inactive.negated());
        }
        Some((rows, IndexPredicate::all(others)))
    }
}

impl Display for Filter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = vec![self.of_types.clone(), self.on_index()];
        IndexPredicate::all(all).fmt(formatter)
    }
}
