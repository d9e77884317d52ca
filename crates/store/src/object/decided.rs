//! A query that the tables decide, and what of it is asked of which rows.

use std::sync::Arc;

use stockroom_filter::{KeyRange, Sort};

use super::condition::{Condition, Rows};
use super::lower::Lowered;
use super::order::Order;
use super::query::ObjectQuery;
use crate::catalog::TypeEntry;
use crate::pending::Counts;

/// One in so many objects is often enough to be met on a walk through all of them.
const MOST: i64 = 20;

/// A query that the tables decide.
pub(super) struct Decided {
    pub(super) types: Vec<Arc<TypeEntry>>,
    of_types: Condition,
    pub(super) condition: Condition,
    pub(super) active_only: bool,
    /// How many objects of these types there are, if that was asked.
    counts: Option<Counts>,
    /// Whether a good part of all objects is of these types.
    pub(super) are_most: bool,
    /// Whether there are objects of these types of which the condition may say what is not true; none of them matches.
    irregular: bool,
}

impl Decided {
    pub(super) fn new(
        lowered: &Lowered,
        condition: Condition,
        query: &ObjectQuery,
        counts: Counts,
        all: i64,
        irregular: bool,
    ) -> Self {
        Self {
            types: lowered.types.clone(),
            of_types: lowered.of_types(),
            condition,
            active_only: query.active_only && counts.active < counts.total,
            counts: Some(counts),
            are_most: counts.total.saturating_mul(MOST) >= all,
            irregular,
        }
    }

    /// All objects of these types, in an order that needs no counts to be found.
    pub(super) fn plain(lowered: &Lowered, query: &ObjectQuery) -> Self {
        Self {
            types: lowered.types.clone(),
            of_types: lowered.of_types(),
            condition: Condition::always(),
            active_only: query.active_only,
            counts: None,
            are_most: true,
            irregular: false,
        }
    }

    /// The whole condition on rows of `object`.
    pub(super) fn on_objects(&self) -> Condition {
        self.on_objects_of(self.of_types.clone())
    }

    /// The same, for rows that are walked in the order of ids.
    pub(super) fn on_objects_by_id(&self) -> Condition {
        self.on_objects_of(match &self.of_types {
            Condition::Types(types) if types.len() > 1 => Condition::MostTypes(types.clone()),
            other => other.clone(),
        })
    }

    fn on_objects_of(&self, of_types: Condition) -> Condition {
        let mut all = vec![of_types, self.on_index()];
        if self.irregular {
            all.push(Condition::Irregular.negated());
        }
        Condition::all(all)
    }

    /// The condition on rows of the index, which belong to types that the query can find and to regular objects.
    pub(super) fn on_index(&self) -> Condition {
        let mut all = vec![self.condition.clone()];
        if self.active_only {
            all.push(Condition::Inactive.negated());
        }
        Condition::all(all)
    }

    /// Whether the engine has to sort what it finds: then it should not carry documents along.
    pub(super) fn sorts(&self, order: &Order) -> bool {
        let several = matches!(&self.of_types, Condition::Types(types) if types.len() > 1);
        several && !self.are_most && matches!(order, Order::Id { .. })
    }

    /// The ids of the matches, ascending, if they are known already.
    pub(super) fn passing(&self) -> Option<&[i64]> {
        match &self.condition {
            Condition::Passing(ids) if !self.active_only => Some(ids),
            _ => None,
        }
    }

    /// How many match, if that is known already or the counters say so.
    pub(super) fn counted(&self) -> Option<i64> {
        if let Some(ids) = self.passing() {
            return i64::try_from(ids.len()).ok();
        }
        let counts = self.counts?;
        let all = self.condition.is_always() && !self.irregular;
        all.then_some(if self.active_only {
            counts.active
        } else {
            counts.total
        })
    }

    /// Whether totals and ends of pages are remembered: not of sorts that look at documents, whose views change outside of commits.
    pub(super) fn is_remembered(&self, sort: &Sort) -> bool {
        let order = Order::of(sort, &self.types);
        !matches!(order, Order::Documents)
    }

    /// What is asked of the rows of these columns: which keys, and what besides.
    pub(super) fn on_columns(&self, columns: &[i64]) -> (Option<Vec<KeyRange>>, Condition) {
        let mut wanted = columns.to_vec();
        wanted.sort_unstable();
        let mut others = self.on_index().conjuncts().to_vec();
        let own = others.iter().position(
            |member| matches!(member, Condition::Rows(rows) if rows.columns == wanted && !rows.present),
        );
        match own.map(|place| others.remove(place)) {
            Some(Condition::Rows(rows)) => (rows.ranges, Condition::all(others)),
            _ => (None, Condition::all(others)),
        }
    }

    /// The rows of the index that all matches have, best first, and what is to be asked besides.
    pub(super) fn driver(&self, ordered: bool) -> Option<(&Rows, Condition)> {
        let conjuncts = self.condition.conjuncts();
        let fits = |rows: &Rows| !ordered || rows.is_ordered_by_id();
        let candidates = conjuncts
            .iter()
            .enumerate()
            .filter_map(|(place, member)| match member {
                Condition::Rows(rows) if fits(rows) => Some((place, rows)),
                _ => None,
            });
        let (place, rows) = candidates.min_by_key(|(_, rows)| !rows.is_point())?;
        let mut others: Vec<Condition> = conjuncts.to_vec();
        others.remove(place);
        if self.active_only {
            others.push(Condition::Inactive.negated());
        }
        Some((rows, Condition::all(others)))
    }
}
