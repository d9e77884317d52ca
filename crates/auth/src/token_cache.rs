//! A cache of verified tokens: a lookup is much cheaper than another verification.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use lru::LruCache;

/// Data of verified tokens, by the whole token, signature included. A cached token is genuine, but
/// the caller must still check whether it has expired or was revoked.
#[derive(Debug)]
pub struct TokenCache<T>(Mutex<LruCache<Box<str>, Arc<T>>>);

/// About 4 MB when full.
const DEFAULT_CAPACITY: NonZeroUsize = NonZeroUsize::new(10_000).unwrap();

impl<T> TokenCache<T> {
    /// A cache of `capacity` tokens. When it is full, it evicts the least recently used one.
    #[must_use]
    pub fn new(capacity: NonZeroUsize) -> Self {
        Self(Mutex::new(LruCache::new(capacity)))
    }

    /// The data of a token, if it is cached.
    #[must_use]
    pub fn get(&self, token: &str) -> Option<Arc<T>> {
        self.entries().get(token).cloned()
    }

    /// Caches a verified token.
    pub fn put(&self, token: &str, known: Arc<T>) {
        self.entries().put(token.into(), known);
    }

    /// A thread that panics with the lock held leaves no change half done: every change is one
    /// call.
    fn entries(&self) -> std::sync::MutexGuard<'_, LruCache<Box<str>, Arc<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Default for TokenCache<T> {
    fn default() -> Self {
        Self::new(DEFAULT_CAPACITY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_token_by_its_whole_text() {
        let cache = TokenCache::default();
        cache.put("a.b.c", Arc::new(1));
        assert_eq!(cache.get("a.b.c"), Some(Arc::new(1)));
        for other in ["a.b.", "a.b.d", "a.b.cc", "A.b.c", ""] {
            assert_eq!(cache.get(other), None, "{other}");
        }
    }

    #[test]
    fn forgets_what_was_not_seen_for_longest() {
        let cache = TokenCache::new(NonZeroUsize::new(2).unwrap());
        cache.put("one", Arc::new(1));
        cache.put("two", Arc::new(2));
        assert_eq!(cache.get("one"), Some(Arc::new(1)));
        cache.put("three", Arc::new(3));
        assert_eq!(cache.get("two"), None);
        assert_eq!(cache.get("one"), Some(Arc::new(1)));
        assert_eq!(cache.get("three"), Some(Arc::new(3)));
    }
}
