//! A set of ids that is small because ids are counted up.

use std::collections::BTreeMap;

/// Gaps between ids that are remembered; about 100 MB at most.
const MAX_RANGES: usize = 2_000_000;

/// Ids as ranges: memory grows with the gaps between them, not with their number.
#[derive(Debug, Default, Clone)]
pub(crate) struct IdSet {
    /// The last id of each range by its first one.
    ranges: BTreeMap<i64, i64>,
}

/// The ids have too many gaps.
#[derive(Debug, PartialEq)]
pub(crate) struct TooScattered;

impl IdSet {
    pub(crate) fn contains(&self, id: i64) -> bool {
        self.range_before(id).is_some_and(|(_, last)| last >= id)
    }

    /// Adds an id; false if it is there already.
    pub(crate) fn insert(&mut self, id: i64) -> Result<bool, TooScattered> {
        let before = self.range_before(id);
        if before.is_some_and(|(_, last)| last >= id) {
            return Ok(false);
        }
        let first = before
            .filter(|(_, last)| last.checked_add(1) == Some(id))
            .map_or(id, |(first, _)| first);
        let next = id.checked_add(1);
        let last = next
            .and_then(|next| self.ranges.remove(&next))
            .unwrap_or(id);
        self.ranges.insert(first, last);
        if self.ranges.len() > MAX_RANGES {
            return Err(TooScattered);
        }
        Ok(true)
    }

    fn range_before(&self, id: i64) -> Option<(i64, i64)> {
        let before = self.ranges.range(..=id).next_back();
        before.map(|(first, last)| (*first, *last))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::IdSet;

    proptest! {
        #[test]
        fn it_is_a_set(ids in prop::collection::vec(-20_i64..40, 0..80)) {
            let (mut set, mut expected) = (IdSet::default(), HashSet::new());
            for id in ids {
                prop_assert_eq!(set.insert(id), Ok(expected.insert(id)));
            }
            for id in -25..45 {
                prop_assert_eq!(set.contains(id), expected.contains(&id));
            }
        }
    }

    #[test]
    fn ids_that_are_counted_up_take_one_range() {
        let mut set = IdSet::default();
        for id in [i64::MIN, i64::MAX, 3, 1, 2, 4] {
            assert_eq!(set.insert(id), Ok(true));
        }
        assert_eq!(set.ranges.len(), 3);
    }
}
