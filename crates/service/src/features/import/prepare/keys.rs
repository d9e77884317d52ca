//! What the keys of the earlier rows of a file were, to find duplicates and references within the
//! file. Hashes take their place, so that a million rows need little memory.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};

/// The keys of the rows so far.
#[derive(Debug, Clone, Default)]
pub(in crate::features::import) struct FileKeys {
    /// Its keys are secret: nobody can make two texts with the same hash.
    hasher: RandomState,
    rows: HashMap<u64, u64>,
    /// The values by which rows of the file may name each other, with their columns.
    names: HashSet<u64>,
}

/// The part of [`FileKeys`] that one chunk adds.
#[derive(Debug, Default)]
pub(in crate::features::import) struct ChunkKeys {
    rows: HashMap<u64, u64>,
    names: Vec<u64>,
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

    /// Notes that a row can be named by fields with these texts.
    pub(in crate::features::import) fn add_name(
        &self,
        chunk: &mut ChunkKeys,
        fields: &[&str],
        texts: &[String],
    ) {
        chunk.names.push(self.hasher.hash_one((fields, texts)));
    }

    /// Whether a row so far can be named like this.
    pub(in crate::features::import) fn has_name(&self, fields: &[&str], texts: &[String]) -> bool {
        self.names.contains(&self.hasher.hash_one((fields, texts)))
    }

    /// Adds the keys of a chunk whose rows are dealt with.
    pub(in crate::features::import) fn add(&mut self, chunk: ChunkKeys) {
        for (hash, number) in chunk.rows {
            self.rows.entry(hash).or_insert(number);
        }
        self.names.extend(chunk.names);
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

    #[test]
    fn names_belong_to_fields() {
        let mut keys = FileKeys::default();
        let mut chunk = ChunkKeys::default();
        let rack = ["rack 1".to_owned()];
        keys.add_name(&mut chunk, &["name"], &rack);
        assert!(
            !keys.has_name(&["name"], &rack),
            "not before the chunk is done"
        );
        keys.add(chunk);
        assert!(keys.has_name(&["name"], &rack));
        assert!(!keys.has_name(&["label"], &rack));
    }
}
