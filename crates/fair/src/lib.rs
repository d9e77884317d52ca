//! Queues that serve requesters in turn, inside of a bound for all of them together.
//!
//! Both kinds, [`FairQueue`] for threads and [`FairSlots`] for tasks, follow one rule: a requester
//! may hold as many places as are still free. Alone, one gets half of them. The next one gets half
//! of the rest, and so on, so that a newcomer finds a place however much one requester asks for.
//! The same rule ([`check_share`]) bounds how much of each may wait. Those that wait are served
//! round-robin: work of one requester waits for one piece of each other's, not for all of it. Where
//! pieces take different times, each is charged its time, and who was charged least is next.

mod queue;
mod schedule;
mod slots;

pub use self::queue::{FairQueue, FairReceiver, Next, Turn};
pub use self::slots::{FairSlot, FairSlots};

/// Whose work it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Requester {
    user: i64,
    is_token: bool,
}

impl Requester {
    /// The service itself, and clients that it does not know yet.
    pub const SERVICE: Self = Self::user(0);

    /// The sessions of the user with this id.
    #[must_use]
    pub const fn user(id: i64) -> Self {
        Self::of(id, false)
    }

    /// The sessions of a user, or with `is_token` all its API tokens: a stolen one takes no place
    /// from the sessions of its owner, who can end it.
    #[must_use]
    pub const fn of(user: i64, is_token: bool) -> Self {
        Self { user, is_token }
    }

    /// The id of the user; `None` for the service.
    #[must_use]
    pub fn user_id(&self) -> Option<i64> {
        (*self != Self::SERVICE).then_some(self.user)
    }
}

/// There is no place for more work of the requester.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Full {
    /// The requester holds this many, as many as are free.
    Own(usize),
    /// Others hold all places.
    Others,
}

/// The rule, for a requester that holds `own` of the `taken` ones of so many places.
///
/// # Errors
///
/// The requester gets no other place.
pub const fn check_share(own: usize, taken: usize, places: usize) -> Result<(), Full> {
    if own < places.saturating_sub(taken) {
        Ok(())
    } else if own == 0 {
        Err(Full::Others)
    } else {
        Err(Full::Own(own))
    }
}
