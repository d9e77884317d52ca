//! The matches of a type, and the index of each among them.

use stockroom_model::ObjectId;

/// The matches of a type, by ascending id.
#[derive(Default)]
pub(super) struct Matches {
    ids: Vec<ObjectId>,
    /// A map of the ids from the first to the last; empty if it had more chunks than matches.
    map: Vec<Chunk>,
}

/// Which of 64 ids are matches.
#[derive(Default, Clone, Copy)]
struct Chunk {
    bits: u64,
    /// The number of matches in all chunks before.
    before: usize,
}

impl Matches {
    pub(super) fn new(mut ids: Vec<ObjectId>) -> Self {
        ids.sort_unstable();
        ids.dedup();
        let map = map(&ids).unwrap_or_default();
        Self { ids, map }
    }

    pub(super) fn ids(&self) -> &[ObjectId] {
        &self.ids
    }

    /// The index of an object among the matches, if it is one.
    pub(super) fn index_of(&self, id: ObjectId) -> Option<usize> {
        if self.map.is_empty() {
            return self.ids.binary_search(&id).ok();
        }
        let (index, bit) = split(*self.ids.first()?, id)?;
        let chunk = self.map.get(index)?;
        let is_match = chunk.bits & bit != 0;
        is_match.then(|| chunk.before + ones(chunk.bits & (bit - 1)))
    }
}

fn map(ids: &[ObjectId]) -> Option<Vec<Chunk>> {
    let (first, last) = (*ids.first()?, *ids.last()?);
    let (chunks, _) = split(first, last)?;
    if chunks >= ids.len() {
        return None;
    }
    let mut map = vec![Chunk::default(); chunks + 1];
    for id in ids {
        let (index, bit) = split(first, *id)?;
        map[index].bits |= bit;
    }
    let mut before = 0;
    for chunk in &mut map {
        chunk.before = before;
        before += ones(chunk.bits);
    }
    Some(map)
}

/// The chunk of an id and its bit there; `None` if it is before the first id.
fn split(first: ObjectId, id: ObjectId) -> Option<(usize, u64)> {
    let distance = id.get().checked_sub(first.get())?;
    let index = usize::try_from(distance / 64).ok()?;
    (distance >= 0).then(|| (index, 1 << (distance % 64)))
}

const fn ones(bits: u64) -> usize {
    bits.count_ones() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ids: &[i64], is_mapped: bool) {
        let id = |id: i64| ObjectId::new(id).unwrap();
        let matches = Matches::new(ids.iter().rev().copied().map(id).collect());
        assert_eq!(!matches.map.is_empty(), is_mapped, "{ids:?}");
        for (index, found) in ids.iter().enumerate() {
            assert_eq!(matches.index_of(id(*found)), Some(index), "{found}");
            for other in [found.saturating_sub(1), found.saturating_add(1)] {
                let index = ids.binary_search(&other).ok();
                assert_eq!(
                    ObjectId::new(other).and_then(|id| matches.index_of(id)),
                    index
                );
            }
        }
    }

    #[test]
    fn the_index_of_a_match_is_found() {
        check(&[], false);
        check(&[7], true);
        check(&[1, 2, 3, 63, 64, 65, 128, 129, 191, 192, 193], true);
        check(&[1, 1 << 50], false);
        check(&(1..200).map(|id| id * 60).collect::<Vec<_>>(), true);
        check(&(1..200).map(|id| id * 70).collect::<Vec<_>>(), false);
    }
}
