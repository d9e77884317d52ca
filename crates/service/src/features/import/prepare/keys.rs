//! What the keys of the earlier rows of a file were, to find duplicates. Hashes take their place,
//! so that a million rows need little memory.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};

use stockroom_model::ObjectId;

use super::names::{FileNames, Name};
use crate::features::import::row_result::RowResult;

/// The keys of the rows so far.
#[derive(Debug, Clone, Default)]
pub(in crate::features::import) struct FileKeys {
    /// Its keys are secret: nobody can make two texts with the same hash.
    hasher: RandomState,
    rows: HashMap<u64, u64>,
    /// In a dry run, by what those that are written can be named.
    pub(in crate::features::import) names: FileNames,
    /// In a dry run, the objects that they take over from other records of the source.
    pub(in crate::features::import) taken_over: HashSet<ObjectId>,
}

/// The part of [`FileKeys`] that one chunk adds.
#[derive(Debug, Default)]
pub(in crate::features::import) struct ChunkKeys {
    rows: HashMap<u64, u64>,
}

impl FileKeys {
    /// Notes the key of a row. Returns the number of the first row that has it, if that is another
    /// one.
    pub(in crate::features::import) fn duplicate(
        &self,
        chunk: &mut ChunkKeys,
        key: &[String],
        number: u64,
    ) -> Option<u64> {
        let hash = self.hasher.hash_one(key);
        if let Some(first) = self.rows.get(&hash) {
            return (*first != number).then_some(*first);
        }
        let first = *chunk.rows.entry(hash).or_insert(number);
        (first != number).then_some(first)
    }

    /// Whether a row so far has the key.
    pub(in crate::features::import) fn has_row(&self, key: &[String]) -> bool {
        self.rows.contains_key(&self.hasher.hash_one(key))
    }

    /// Notes what becomes of a row in a dry run.
    pub(in crate::features::import) fn add_result(&mut self, names: &[Name], result: &RowResult) {
        self.names.add(names, result);
        let taken_over = result.object.filter(|_| result.takes_over);
        self.taken_over.extend(taken_over);
    }

    /// Adds the keys of a chunk whose rows are dealt with.
    pub(in crate::features::import) fn add(&mut self, chunk: ChunkKeys) {
        for (hash, number) in chunk.rows {
            self.rows.entry(hash).or_insert(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_with_a_key_is_found_again() {
        let key = |text: &str| vec![text.to_owned(), String::new()];
        let mut keys = FileKeys::default();
        let mut chunk = ChunkKeys::default();
        assert_eq!(keys.duplicate(&mut chunk, &key("a"), 2), None);
        assert_eq!(keys.duplicate(&mut chunk, &key("b"), 3), None);
        assert_eq!(keys.duplicate(&mut chunk, &key("a"), 4), Some(2));
        keys.add(chunk);
        let mut next = ChunkKeys::default();
        assert_eq!(keys.duplicate(&mut next, &key("b"), 9), Some(3));
        assert_eq!(
            keys.duplicate(&mut next, &key("b"), 3),
            None,
            "the same row again"
        );
        assert_eq!(
            keys.duplicate(&mut next, &["a".into(), "x".into()], 9),
            None
        );
    }
}
