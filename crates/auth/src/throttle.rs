//! The brake on guessing passwords: 10 failures in 15 minutes for an account from one address, 100 from an address altogether
//! (contract, "Authentication").

mod window;

use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lru::LruCache;
use sha2::{Digest, Sha256};
use stockroom_model::Timestamp;

use window::Window;

/// Counts failed logins. Memory is bounded: when full, what was not tried for longest is forgotten.
#[derive(Debug)]
pub struct Throttle(Mutex<Counters>);

/// Refused: so many seconds, at least one, until the next try is accepted. The answer's `Retry-After`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many failed logins, try again in {0} s")]
pub struct RetryAfterSeconds(pub u64);

/// A login under way. It counts as failed from its beginning, so that tries at the same time cannot slip past the limit together.
#[derive(Debug)]
#[must_use = "dropped, it counts as failed"]
pub struct Attempt {
    pair: Pair,
    at: Timestamp,
}

impl Throttle {
    /// A throttle that remembers so many (account, address) pairs, and as many addresses.
    #[must_use]
    pub fn new(capacity: NonZeroUsize) -> Self {
        Self(Mutex::new(Counters {
            pairs: LruCache::new(capacity),
            addresses: LruCache::new(capacity),
        }))
    }

    /// Asks leave for a try. Every spelling of an account in upper and lower case is the same account; an IPv6 address stands for
    /// its /64 network, which one customer has for itself.
    ///
    /// # Errors
    ///
    /// [`RetryAfterSeconds`] when a limit is reached. Being refused does not prolong the wait.
    pub fn check(
        &self,
        account: &str,
        address: IpAddr,
        now: Timestamp,
    ) -> Result<Attempt, RetryAfterSeconds> {
        let pair = Pair::new(account, address);
        let mut counters = self.counters();
        let wait = [
            counters.pair(&pair).wait(PAIR_LIMIT, now),
            counters.address(pair.network).wait(ADDRESS_LIMIT, now),
        ];
        if let Some(seconds) = wait.into_iter().flatten().max() {
            return Err(RetryAfterSeconds(seconds));
        }
        counters.pair(&pair).push(now);
        counters.address(pair.network).push(now);
        Ok(Attempt { pair, at: now })
    }

    /// The password was wrong: the attempt stays counted.
    pub fn failure(&self, _: Attempt) {}

    /// The login succeeded: the pair's failures are forgotten, those of other accounts from the address are not.
    pub fn success(&self, attempt: Attempt) {
        let Attempt { pair, at } = attempt;
        let mut counters = self.counters();
        counters.pairs.pop(&pair);
        counters.address(pair.network).remove(at);
    }

    /// The password was never looked at (overload, a fault of ours): the attempt does not count.
    pub fn withdraw(&self, attempt: Attempt) {
        let Attempt { pair, at } = attempt;
        let mut counters = self.counters();
        counters.pair(&pair).remove(at);
        counters.address(pair.network).remove(at);
    }

    /// Nothing is left half done by a thread that dies with the lock held: at worst an attempt is counted once too often.
    fn counters(&self) -> MutexGuard<'_, Counters> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Throttle {
    fn default() -> Self {
        Self::new(DEFAULT_CAPACITY)
    }
}

const PAIR_LIMIT: usize = 10;

const ADDRESS_LIMIT: usize = 100;

/// Some 10 MB if every address were at its limit.
const DEFAULT_CAPACITY: NonZeroUsize = NonZeroUsize::new(10_000).unwrap();

#[derive(Debug)]
struct Counters {
    pairs: LruCache<Pair, Window>,
    addresses: LruCache<IpAddr, Window>,
}

impl Counters {
    fn pair(&mut self, pair: &Pair) -> &mut Window {
        self.pairs.get_or_insert_mut_ref(pair, Window::default)
    }

    fn address(&mut self, network: IpAddr) -> &mut Window {
        self.addresses.get_or_insert_mut(network, Window::default)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Pair {
    /// A digest, because the name comes from a stranger and may be of any length.
    account: [u8; 32],
    network: IpAddr,
}

impl Pair {
    fn new(account: &str, address: IpAddr) -> Self {
        Self {
            account: Sha256::digest(account.to_lowercase()).into(),
            network: network(address),
        }
    }
}

fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() & !u128::from(u64::MAX)).into()),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests;
