//! Known positions of a list and the number of objects between them, so that a distant page need
//! not be reached from the start.

use std::cmp::Ordering;

use stockroom_model::TypeId;

use super::order::{Columns, ListOrder};
use super::window::Position;
use crate::records::pending::{Moved, Step};

/// Maximum number of positions of one list.
const MAX_POSITIONS: usize = 4_096;
/// Estimated bytes of a position beside its key.
const POSITION_BYTES: usize = 64;

/// Known positions of a list, in its order.
#[derive(Debug, Default)]
pub(super) struct Ranks {
    intervals: Vec<Interval>,
    bytes: usize,
}

/// The part of a list between two known positions.
#[derive(Debug)]
struct Interval {
    /// The position of its last object, which may be gone.
    end: Position,
    /// How many objects it has.
    count: usize,
}

impl Ranks {
    /// Ranks of intervals that come in the order of the list.
    pub(super) fn new(intervals: impl IntoIterator<Item = (Position, usize)>) -> Self {
        let mut ranks = Self::default();
        for (end, count) in intervals.into_iter().take(MAX_POSITIONS) {
            ranks.insert(ranks.intervals.len(), end, count);
        }
        ranks
    }

    pub(super) fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// Estimated bytes.
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The nearest position before an offset, and the number of objects between them.
    pub(super) fn nearest(&self, offset: usize) -> Option<(&Position, usize)> {
        let (index, before) = self.up_to(offset);
        let nearest = &self.intervals[index.checked_sub(1)?];
        Some((&nearest.end, offset - before))
    }

    /// Adds the position of the last object before an offset.
    pub(super) fn add(&mut self, offset: usize, position: Position) {
        let (index, before) = self.up_to(offset);
        let count = offset - before;
        if count == 0 || self.intervals.len() >= MAX_POSITIONS {
            return;
        }
        if let Some(next) = self.intervals.get_mut(index) {
            next.count -= count;
        }
        self.insert(index, position, count);
    }

    /// Counts an object that was inserted into the list or deleted; false if the counts contradict
    /// that.
    pub(super) fn count(&mut self, order: &ListOrder, position: &Position, step: Step) -> bool {
        let is_before = |interval: &Interval| order.compare(&interval.end, position).is_lt();
        let index = self.intervals.partition_point(is_before);
        let Some(interval) = self.intervals.get_mut(index) else {
            return true;
        };
        let count = match step {
            Step::Insert => interval.count.checked_add(1),
            Step::Delete => interval.count.checked_sub(1),
        };
        interval.count = count.unwrap_or(0);
        count.is_some()
    }

    /// The number of intervals before an offset, and the number of objects in them.
    fn up_to(&self, offset: usize) -> (usize, usize) {
        let mut before = 0;
        for (index, interval) in self.intervals.iter().enumerate() {
            if before + interval.count > offset {
                return (index, before);
            }
            before += interval.count;
        }
        (self.intervals.len(), before)
    }

    fn insert(&mut self, index: usize, end: Position, count: usize) {
        self.bytes += end.key.as_bytes().len() + POSITION_BYTES;
        self.intervals.insert(index, Interval { end, count });
    }
}

/// A list of all objects of some types. The inserts and deletes of a commit determine how it
/// changes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WholeTypes {
    /// With its columns in ascending order.
    order: ListOrder,
    /// In ascending order; `None`: all types.
    types: Option<Vec<TypeId>>,
}

impl WholeTypes {
    pub(super) fn new(mut order: ListOrder, mut types: Option<Vec<TypeId>>) -> Self {
        if let ListOrder::Columns(columns) = &mut order {
            columns.ids.sort_unstable();
        }
        if let Some(types) = &mut types {
            types.sort_unstable();
        }
        Self { order, types }
    }

    pub(super) const fn order(&self) -> &ListOrder {
        &self.order
    }

    /// The position in this list of an inserted or deleted object or index row, if it belongs there.
    pub(super) fn position(&self, moved: Moved<'_>) -> Option<Position> {
        match (moved, &self.order) {
            (Moved::Object(type_id, id), ListOrder::Id { .. } | ListOrder::Type { .. }) => {
                let types = self.types.as_ref();
                let is_of_list = types.is_none_or(|types| types.binary_search(&type_id).is_ok());
                is_of_list.then(|| self.order.match_of(type_id, id).into())
            }
            (Moved::Row(row), ListOrder::Columns(columns)) => {
                let is_of_list = columns.ids.binary_search(&row.field_id).is_ok();
                is_of_list.then(|| Position {
                    key: row.key.clone().into(),
                    id: row.object_id,
                })
            }
            _ => None,
        }
    }
}

impl ListOrder {
    /// Compares two positions in this order.
    fn compare(&self, left: &Position, right: &Position) -> Ordering {
        let by_id = left.id.cmp(&right.id);
        match self {
            Self::Id { descending: true } => by_id.reverse(),
            Self::Id { descending: false } | Self::Documents => by_id,
            Self::Type { descending } | Self::Columns(Columns { descending, .. }) => {
                let by_key = left.key.cmp(&right.key);
                let by_key = if *descending {
                    by_key.reverse()
                } else {
                    by_key
                };
                by_key.then(by_id)
            }
        }
    }
}
