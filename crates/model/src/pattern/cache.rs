//! An LRU cache bounded by the bytes of its values.

use std::borrow::Borrow;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lru::LruCache;

/// An LRU cache. Beyond its capacity in bytes it evicts the least recently used entry.
#[derive(Debug)]
pub struct Cache<K: Hash + Eq, V> {
    entries: Mutex<Entries<K, V>>,
    capacity: usize,
}

#[derive(Debug)]
struct Entries<K: Hash + Eq, V> {
    values: LruCache<K, (V, usize)>,
    bytes: usize,
}

/// Estimated overhead of an entry.
const ENTRY_BYTES: usize = 256;

impl<K: Hash + Eq, V: Clone> Cache<K, V> {
    /// A cache of at most `capacity` bytes.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self {
            entries: Mutex::new(Entries {
                values: LruCache::unbounded(),
                bytes: 0,
            }),
            capacity,
        }
    }

    /// The cached value of `key`.
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.entries()
            .values
            .get(key)
            .map(|(value, _)| value.clone())
    }

    /// Caches a value of `bytes` bytes.
    pub fn put(&self, key: K, value: V, bytes: usize) {
        let bytes = bytes.saturating_add(ENTRY_BYTES);
        if bytes > self.capacity {
            return;
        }
        let mut entries = self.entries();
        if let Some((_, old)) = entries.values.put(key, (value, bytes)) {
            entries.bytes -= old;
        }
        entries.bytes += bytes;
        while entries.bytes > self.capacity
            && let Some((_, (_, gone))) = entries.values.pop_lru()
        {
            entries.bytes -= gone;
        }
    }

    /// A thread that panics with the lock held leaves at worst a sum that is too large.
    fn entries(&self) -> MutexGuard<'_, Entries<K, V>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_no_more_than_its_capacity() {
        let cache = Cache::new(3 * (ENTRY_BYTES + 1_000));
        for key in 0..10 {
            cache.put(key, key, 1_000);
            cache.put(0, 0, 1_000);
        }
        let held: Vec<i32> = (0..10).filter_map(|key| cache.get(&key)).collect();
        assert_eq!(held, [0, 8, 9]);
        cache.put(11, 11, usize::MAX);
        assert_eq!(cache.get(&11), None);
        assert_eq!(cache.get(&9), Some(9));
    }
}
