//! Merges objects that index rows do not decide into the rows of a walk, which excludes them.

use stockroom_filter::Sort;

use super::recheck::Match;
use super::window::{Start, Window};

/// The part of the walk that a window of the merged list may need; `others` are merged into it.
pub(super) fn window_of_walk(window: &Window, others: usize) -> Window {
    match &window.start {
        Start::Offset(offset) => {
            let before = others.min(*offset);
            Window {
                start: Start::Offset(offset - before),
                limit: window.limit.saturating_add(before),
            }
        }
        Start::After(_) => window.clone(),
    }
}

/// The window of the merged list, given that part of the walk.
pub(super) fn merged(
    walked: Vec<Match>,
    others: &[Match],
    sort: &Sort,
    window: &Window,
) -> Vec<Match> {
    let is_before = |left: &Match, right: &Match| {
        let order = sort.compare(&left.0, &right.0);
        order.then(left.1.cmp(&right.1)).is_lt()
    };
    let (skipped, others) = match &window.start {
        Start::After(position) => {
            let position = (position.key.clone(), position.id);
            let first = others.partition_point(|other| !is_before(&position, other));
            (0, &others[first..])
        }
        Start::Offset(offset) if *offset <= others.len() => (*offset, others),
        Start::Offset(_) => {
            // The walk starts `others.len()` objects before the window. Others before its first row
            // are not merged.
            let Some(first) = walked.first() else {
                return Vec::new();
            };
            let before = others.partition_point(|other| is_before(other, first));
            (others.len() - before, &others[before..])
        }
    };
    let mut merged = Vec::with_capacity(walked.len() + others.len());
    let mut others = others.iter().cloned().peekable();
    for row in walked {
        while let Some(other) = others.next_if(|other| is_before(other, &row)) {
            merged.push(other);
        }
        merged.push(row);
    }
    merged.extend(others);
    merged
        .into_iter()
        .skip(skipped)
        .take(window.limit)
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use stockroom_filter::Order;
    use stockroom_model::ObjectId;

    use super::*;
    use crate::records::object::list::order::key_of;
    use crate::records::object::list::window::Position;

    fn match_at(key: i64, id: i64) -> Match {
        (key_of(key), ObjectId::new(id).unwrap())
    }

    proptest! {
        #[test]
        fn every_window_of_a_merged_list_is_that_of_the_sorted_whole(
            keys in prop::collection::vec((0_i64..6, any::<bool>()), 0..24),
            offset in 0_usize..26,
            limit in 0_usize..8,
            descending: bool,
            by_cursor: bool,
        ) {
            let order = if descending { Order::Descending } else { Order::Ascending };
            let sort = Sort::objects("x", order);
            let mut all: Vec<(Match, bool)> = (1..)
                .zip(keys)
                .map(|(id, (key, is_walked))| (match_at(key, id), is_walked))
                .collect();
            all.sort_by(|(left, _), (right, _)| {
                sort.compare(&left.0, &right.0).then(left.1.cmp(&right.1))
            });
            let part = |wanted: bool| -> Vec<Match> {
                all.iter().filter(|(_, is)| *is == wanted).map(|(found, _)| found.clone()).collect()
            };
            let (walk, others) = (part(true), part(false));
            let before = offset.checked_sub(1).and_then(|last| all.get(last));
            let start = match before.filter(|_| by_cursor) {
                Some(((key, id), _)) => Start::After(Position { key: key.clone(), id: *id }),
                None => Start::Offset(offset),
            };
            let window = Window { start, limit };
            let needed = window_of_walk(&window, others.len());
            let walked = super::super::recheck::cut(&walk, &sort, &needed).to_vec();
            let expected: Vec<Match> =
                all.iter().skip(offset).take(limit).map(|(found, _)| found.clone()).collect();
            prop_assert_eq!(merged(walked, &others, &sort, &window), expected);
        }
    }
}
