//! Which networks have sent too many invalid API tokens.

use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use lru::LruCache;
use stockroom_auth::throttle;
use stockroom_model::Timestamp;

/// Networks that a node remembers to have sent too many invalid tokens.
const MAX_THROTTLED: NonZeroUsize = NonZeroUsize::new(1_000).unwrap();

/// The networks whose invalid tokens are neither looked up nor counted, until a time.
pub(crate) struct FailedTokens(Mutex<LruCache<String, Timestamp>>);

impl Default for FailedTokens {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(MAX_THROTTLED)))
    }
}

impl FailedTokens {
    pub(crate) fn is_throttled(&self, client: IpAddr, now: Timestamp) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Most of the time there is none.
        !known.is_empty()
            && known
                .get(&throttle::network(client))
                .is_some_and(|until| now < *until)
    }

    pub(crate) fn throttle(&self, client: IpAddr, until: Timestamp) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.put(throttle::network(client), until);
    }
}
