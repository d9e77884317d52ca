//! A filter that the tables decide, and its parts for the rows of each table.

use std::fmt::{self, Display};

use stockroom_filter::KeyRange;
use stockroom_model::{ObjectId, TypeId};

use super::lower::Lowered;
use super::order::ListOrder;
use super::predicate::{IndexPredicate, IndexRows};
use super::query::ObjectQuery;
use super::ranks::WholeTypes;
use super::undecided::Undecided;
use crate::engine::counters::Counts;
use crate::records::catalog::Catalog;

/// Types are common if at least one object in this many is of one of them.
const COMMON_SHARE: i64 = 20;

/// A filter that the tables decide.
#[derive(Debug)]
pub(super) struct Filter {
    of_types: IndexPredicate,
    predicate: IndexPredicate,
    active_only: bool,
    /// The number of objects of these types, if known.
    counts: Option<Counts>,
    /// Whether these types are common, so that a walk through all objects meets them often.
    are_types_common: bool,
    /// The objects that the filter must exclude, since index rows do not decide.
    undecided: Undecided,
}

impl Filter {
    /// A filter on the types of `lowered`, given the numbers of their objects and of all objects.
    pub(super) fn new(
        lowered: &Lowered,
        predicate: IndexPredicate,
        query: &ObjectQuery,
        (counts, all): (Counts, i64),
        undecided: Undecided,
    ) -> Self {
        Self {
            of_types: lowered.of_types(),
            predicate,
            active_only: query.active_only && counts.active < counts.total,
            counts: Some(counts),
            are_types_common: counts.total.saturating_mul(COMMON_SHARE) >= all,
            undecided,
        }
    }

    /// The filter of `lowered`, whatever the number of objects of its types.
    pub(super) fn uncounted(lowered: &Lowered, query: &ObjectQuery) -> Self {
        Self {
            of_types: lowered.of_types(),
            predicate: lowered.predicate.clone(),
            active_only: query.active_only,
            counts: None,
            are_types_common: true,
            undecided: Undecided::none(),
        }
    }

    /// The whole predicate on rows of `object`.
    pub(super) fn on_objects(&self) -> IndexPredicate {
        self.on_objects_of(self.of_types.clone())
    }

    /// Like [`Self::on_objects`], for rows in the order of ids.
    pub(super) fn on_objects_by_id(&self) -> IndexPredicate {
        self.on_objects_of(match &self.of_types {
            IndexPredicate::Types(types) if self.are_types_common && types.len() > 1 => {
                IndexPredicate::CommonTypes(types.clone())
            }
            other => other.clone(),
        })
    }

    /// The predicate on rows of `object`, with `of_types` in place of its types.
    pub(super) fn on_objects_of(&self, of_types: IndexPredicate) -> IndexPredicate {
        let mut all = vec![of_types, self.on_index()];
        if self.undecided.has_irregular {
            all.push(IndexPredicate::Irregular.negated());
        }
        IndexPredicate::all(all)
    }

    /// The predicate on index rows, which only regular objects have.
    pub(super) fn on_index(&self) -> IndexPredicate {
        let mut all = vec![self.predicate.clone()];
        all.extend(self.beside_predicate());
        IndexPredicate::all(all)
    }

    /// What it demands beside the predicate.
    fn beside_predicate(&self) -> impl Iterator<Item = IndexPredicate> {
        let active = self.active_only.then(|| IndexPredicate::Inactive.negated());
        let undecided = &self.undecided.with_unknown_fields;
        let decided = (!undecided.is_never()).then(|| undecided.clone().negated());
        active.into_iter().chain(decided)
    }

    /// Whether the engine must sort the rows that it finds.
    pub(super) fn needs_sort(&self, order: &ListOrder) -> bool {
        let several = matches!(&self.of_types, IndexPredicate::Types(types) if types.len() > 1);
        several && !self.are_types_common && matches!(order, ListOrder::Id { .. })
    }

    /// The ids of the matches, ascending, if a key scan found them.
    pub(super) fn scanned(&self) -> Option<&[ObjectId]> {
        match &self.predicate {
            IndexPredicate::Scanned(ids) if !self.active_only => Some(ids),
            _ => None,
        }
    }

    /// The number of matches, if known.
    pub(super) fn known_total(&self) -> Option<usize> {
        if !self.undecided.with_unknown_fields.is_never() {
            return None;
        }
        if let Some(ids) = self.scanned() {
            return Some(ids.len());
        }
        let counts = self.counts?;
        (self.is_whole() && !self.undecided.has_irregular).then(|| {
            usize::try_from(if self.active_only {
                counts.active
            } else {
                counts.total
            })
            .unwrap_or(0)
        })
    }

    /// Whether only type, activity and regularity matter.
    pub(super) const fn is_whole(&self) -> bool {
        self.predicate.is_always() && self.undecided.with_unknown_fields.is_never()
    }

    /// Whether it excludes inactive objects.
    pub(super) const fn is_active_only(&self) -> bool {
        self.active_only
    }

    /// The objects that it excludes since index rows do not decide.
    pub(super) const fn undecided(&self) -> &Undecided {
        &self.undecided
    }

    /// The types whose objects can match.
    pub(super) fn types(&self, catalog: &Catalog) -> Vec<TypeId> {
        match &self.of_types {
            IndexPredicate::Types(types) => types.clone(),
            _ => catalog
                .types()
                .map(|entry| entry.record.public_id)
                .collect(),
        }
    }

    /// The list of `query` in this order, if it contains all (regular) objects of its types.
    pub(super) fn whole_types(&self, query: &ObjectQuery, order: &ListOrder) -> Option<WholeTypes> {
        let has_all = self.is_whole() && !query.active_only;
        let has_nulls = matches!(order, ListOrder::Columns(columns) if !columns.without.is_empty());
        if !has_all || has_nulls {
            return None;
        }
        let types = match &self.of_types {
            IndexPredicate::Types(types) => Some(types.clone()),
            _ => None,
        };
        Some(WholeTypes::new(order.clone(), types))
    }

    /// The key ranges for these columns, and the remaining predicate.
    pub(super) fn on_columns(&self, columns: &[i64]) -> (Option<Vec<KeyRange>>, IndexPredicate) {
        let mut wanted = columns.to_vec();
        wanted.sort_unstable();
        let mut others = self.on_index().conjuncts().to_vec();
        let is_own = |rows: &IndexRows| rows.columns == wanted && !rows.exclude_missing;
        let own = others
            .iter()
            .position(|member| matches!(member, IndexPredicate::Rows(rows) if is_own(rows)));
        match own.map(|index| others.remove(index)) {
            Some(IndexPredicate::Rows(rows)) => (rows.ranges, IndexPredicate::all(others)),
            _ => (None, IndexPredicate::all(others)),
        }
    }

    /// Index rows that all matches have, preferably with a single key, and the remaining predicate.
    pub(super) fn leading_rows(&self) -> Option<(&IndexRows, IndexPredicate)> {
        self.leading(|_| true)
    }

    /// Like [`Self::leading_rows`], only with rows in the order of ids, or with rows of some keys
    /// that decide alone. The engine sorts the ids of these: joined with `object`, PostgreSQL takes
    /// quadratic time for them while its statistics do not know the field yet.
    pub(super) fn leading_rows_by_id(&self) -> Option<(&IndexRows, IndexPredicate)> {
        let some_keys = || self.leading(IndexRows::has_distinct_points);
        self.leading(IndexRows::is_ordered_by_id)
            .or_else(|| some_keys().filter(|(_, others)| others.is_always()))
    }

    fn leading(&self, fits: impl Fn(&IndexRows) -> bool) -> Option<(&IndexRows, IndexPredicate)> {
        let conjuncts = self.predicate.conjuncts();
        let candidates = conjuncts
            .iter()
            .enumerate()
            .filter_map(|(index, member)| match member {
                IndexPredicate::Rows(rows) if fits(rows) => Some((index, rows)),
                _ => None,
            });
        let (index, rows) = candidates.min_by_key(|(_, rows)| !rows.is_point())?;
        let mut others = conjuncts.to_vec();
        others.remove(index);
        others.extend(self.beside_predicate());
        Some((rows, IndexPredicate::all(others)))
    }
}

impl Display for Filter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = vec![self.of_types.clone(), self.on_index()];
        IndexPredicate::all(all).fmt(formatter)
    }
}
