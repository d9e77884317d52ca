//! The memory that request bodies may take.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use stockroom_fair::{FairSlots, Requester};

/// What each value of a parsed body is charged besides its text: for the tree and for copies.
const VALUE_BYTES: usize = 512;
/// How many times the text is charged besides itself: for the texts in the tree, in what is stored
/// of it, in pages of the database, and in the answer.
const COPIES: usize = 4;
/// How many large bodies may be parsed at the same time, half of them of one user.
const PARSERS: usize = 4;
/// How many may wait for that; the memory for bodies is a closer bound.
const MAX_WAITING: usize = 4_096;

/// Limits of request bodies, and of all answers together.
#[derive(Debug, Clone)]
pub struct BodyLimits {
    /// Maximum bytes of a body.
    pub bytes: usize,
    /// Maximum bytes of a body that is always short, such as that of a login.
    pub small_bytes: usize,
    /// Maximum bytes of a file to import. It is read while it arrives, so it takes no memory.
    pub import_bytes: usize,
    /// Maximum number of JSON values in a body.
    pub values: usize,
    /// Maximum memory for all bodies that are being read or processed: five times their bytes, plus
    /// 512 for each value.
    pub in_flight_bytes: usize,
    /// Maximum bytes of all long answers that are being sent.
    pub answer_bytes: usize,
}

impl Default for BodyLimits {
    fn default() -> Self {
        Self {
            bytes: 16 * 1_024 * 1_024,
            small_bytes: 64 * 1_024,
            import_bytes: 1_024 * 1_024 * 1_024,
            values: 100_000,
            in_flight_bytes: 256 * 1_024 * 1_024,
            answer_bytes: 64 * 1_024 * 1_024,
        }
    }
}

impl BodyLimits {
    /// The limits where all of the process may use so many bytes of memory.
    #[must_use]
    pub fn within(self, memory: u64) -> Self {
        let share = |percent: u64| usize::try_from(memory / 100 * percent).unwrap_or(usize::MAX);
        Self {
            in_flight_bytes: self.in_flight_bytes.min(share(40)),
            answer_bytes: self.answer_bytes.min(share(12)),
            ..self
        }
    }
}

/// The memory budget of bodies. A quarter is reserved for bodies of at most `small_bytes`, so that
/// a few large and slow ones do not lock out the others. Of each part, a user gets half at most, but
/// for its first body.
pub(crate) struct BodyBudget {
    limits: BodyLimits,
    small: Mutex<Pool>,
    large: Mutex<Pool>,
    /// How many bodies there were.
    bodies: AtomicU64,
    /// Permits to parse a large body.
    pub(crate) parsers: FairSlots,
}

/// The budget has no room for a body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Exhausted {
    /// There may be later.
    Now,
    /// Even all of it would be too little.
    Always,
}

/// Whose share of the memory a body takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Sharer {
    User(Requester),
    /// Somebody who has not logged in.
    Address(IpAddr),
}

/// A part of the budget.
struct Pool {
    free: usize,
    shares: HashMap<Sharer, Share>,
}

/// What the bodies of a user have taken of a pool.
struct Share {
    bytes: usize,
    /// The one that came first. It may take all that is free, so that of many bodies that grow at
    /// once one arrives.
    first: Option<u64>,
}

/// The part of the budget that one body has taken; dropping it gives it back.
pub(crate) struct Reservation {
    budget: Arc<BodyBudget>,
    /// Whose share it is a part of.
    sharer: Option<Sharer>,
    number: u64,
    small: usize,
    large: usize,
}

impl BodyBudget {
    pub(crate) fn new(limits: BodyLimits) -> Arc<Self> {
        Arc::new(Self {
            small: Pool::of(limits.in_flight_bytes / 4),
            large: Pool::of(large_share(&limits)),
            bodies: AtomicU64::new(0),
            parsers: FairSlots::new(PARSERS, MAX_WAITING),
            limits,
        })
    }

    pub(crate) const fn limits(&self) -> &BodyLimits {
        &self.limits
    }

    /// For a body of a user. `None` is for a copy of a body that has a reservation already.
    pub(crate) fn reservation(self: &Arc<Self>, sharer: Option<Sharer>) -> Reservation {
        Reservation {
            budget: Arc::clone(self),
            sharer,
            number: self.bodies.fetch_add(1, Relaxed),
            small: 0,
            large: 0,
        }
    }
}

impl Sharer {
    /// A client at this address. Whoever has one of IPv6 has all of its /64.
    pub(crate) fn at(address: IpAddr) -> Self {
        Self::Address(match address {
            IpAddr::V4(_) => address,
            IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & !u128::from(u64::MAX)).into(),
        })
    }
}

impl Pool {
    fn of(bytes: usize) -> Mutex<Self> {
        Mutex::new(Self {
            free: bytes,
            shares: HashMap::new(),
        })
    }

    /// Takes more bytes for a body. The first body of a user may take all that is free; another
    /// one only if the user then has no more than stays free.
    fn take(&mut self, sharer: Option<Sharer>, number: u64, bytes: usize) -> Result<(), Exhausted> {
        let free = self.free.checked_sub(bytes).ok_or(Exhausted::Now)?;
        if let Some(sharer) = sharer {
            let share = self.shares.entry(sharer).or_insert(Share {
                bytes: 0,
                first: None,
            });
            let is_first = *share.first.get_or_insert(number) == number;
            if !is_first && share.bytes + bytes > free {
                return Err(Exhausted::Now);
            }
            share.bytes += bytes;
        }
        self.free = free;
        Ok(())
    }

    fn give_back(&mut self, sharer: Option<Sharer>, number: u64, bytes: usize) {
        self.free += bytes;
        let Some(sharer) = sharer else {
            return;
        };
        if let Some(share) = self.shares.get_mut(&sharer) {
            share.bytes -= bytes;
            share.first.take_if(|first| *first == number);
            if share.bytes == 0 {
                self.shares.remove(&sharer);
            }
        }
    }
}

impl Reservation {
    /// Takes more bytes from the budget. Does not wait: a waiting body would keep what it has.
    pub(crate) fn grow(&mut self, bytes: usize) -> Result<(), Exhausted> {
        let limits = &self.budget.limits;
        let small = bytes.min(limits.small_bytes.saturating_sub(self.small));
        let large = bytes - small;
        if self.large.saturating_add(large) > large_share(limits) {
            return Err(Exhausted::Always);
        }
        if small > 0 {
            let mut pool = locked(&self.budget.small);
            pool.take(self.sharer, self.number, small)?;
        }
        self.small += small;
        if large > 0 {
            let mut pool = locked(&self.budget.large);
            pool.take(self.sharer, self.number, large)?;
        }
        self.large += large;
        Ok(())
    }

    /// Takes the cost of a body of so many bytes that is parsed into this many values.
    pub(crate) fn grow_for_values(&mut self, bytes: usize, values: usize) -> Result<(), Exhausted> {
        let tree = values.saturating_mul(VALUE_BYTES);
        self.grow(tree.saturating_add(bytes.saturating_mul(COPIES)))
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        for (pool, bytes) in [
            (&self.budget.small, self.small),
            (&self.budget.large, self.large),
        ] {
            if bytes > 0 {
                locked(pool).give_back(self.sharer, self.number, bytes);
            }
        }
    }
}

fn locked(pool: &Mutex<Pool>) -> MutexGuard<'_, Pool> {
    pool.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is left to bodies that are not small.
const fn large_share(limits: &BodyLimits) -> usize {
    limits.in_flight_bytes - limits.in_flight_bytes / 4
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Option<Sharer> = Some(Sharer::User(Requester::user(1)));
    const B: Option<Sharer> = Some(Sharer::User(Requester::user(2)));

    fn budget() -> Arc<BodyBudget> {
        BodyBudget::new(BodyLimits {
            small_bytes: 10,
            in_flight_bytes: 400,
            ..BodyLimits::default()
        })
    }

    #[test]
    fn what_is_dropped_can_be_taken_again() {
        let budget = budget();
        let mut first = budget.reservation(A);
        assert_eq!(first.grow(310), Ok(()));
        assert_eq!(budget.reservation(B).grow(11), Err(Exhausted::Now));
        assert_eq!(first.grow(1), Err(Exhausted::Always));
        drop(first);
        assert_eq!(budget.reservation(A).grow(310), Ok(()));
    }

    #[test]
    fn large_bodies_leave_room_for_small_ones() {
        let budget = budget();
        let mut large: Vec<Reservation> = (0..4).map(|_| budget.reservation(None)).collect();
        while large.iter_mut().any(|body| body.grow(1).is_ok()) {}
        assert_eq!(budget.reservation(A).grow(10), Ok(()));
        assert_eq!(budget.reservation(A).grow(11), Err(Exhausted::Now));
    }

    #[test]
    fn small_bodies_of_a_client_leave_half_to_others() {
        let budget = budget();
        let at = |text: &str| Some(Sharer::at(text.parse().unwrap()));
        let mut taken = Vec::new();
        // Two addresses of one network.
        for text in ["2001:db8::1", "2001:db8::2"].into_iter().cycle() {
            let mut body = budget.reservation(at(text));
            if body.grow(10).is_err() {
                break;
            }
            taken.push(body);
        }
        assert_eq!(taken.len(), 5);
        assert_eq!(budget.reservation(at("192.0.2.1")).grow(10), Ok(()));
        assert_eq!(budget.reservation(A).grow(10), Ok(()));
    }

    #[test]
    fn several_bodies_of_a_user_get_half() {
        let budget = budget();
        let mut first = budget.reservation(A);
        let mut second = budget.reservation(A);
        assert_eq!([first.grow(110), second.grow(60)], [Ok(()), Ok(())]);
        assert_eq!(second.grow(1), Err(Exhausted::Now));
        assert_eq!(first.grow(1), Ok(()), "it came before the other");
        // A copy of a body is no other body.
        let copy = budget.reservation(None).grow(100);
        assert_eq!(copy, Ok(()));
        let mut other = budget.reservation(B);
        assert_eq!(other.grow(159), Ok(()));
        drop((first, other));
        assert_eq!(second.grow(240), Ok(()), "it is the first one now");
    }
}
