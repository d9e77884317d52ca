//! The memory of answers being sent: a client that reads slowly keeps its answer in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use axum::body::{Body, Bytes, HttpBody as _, to_bytes};
use axum::http::{StatusCode, header};
use axum::response::Response;
use stockroom_fair::Requester;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::answer::Problem;

/// Shorter answers are not counted; the number of connections bounds them.
const COUNTED: usize = 64 * 1_024;
/// Bytes per permit, because a semaphore acquires at most `u32::MAX` permits at once.
const UNIT: usize = 1_024;

/// The memory budget of long answers.
#[derive(Debug, Clone)]
pub(crate) struct AnswerBudget {
    all: Arc<Semaphore>,
    /// Those of users with long answers. Each has half of the budget.
    shares: Arc<Mutex<HashMap<Requester, Weak<Semaphore>>>>,
    /// A share, in units.
    units: u32,
}

/// What the answers of a user may take of the budget.
pub(crate) struct AnswerShare {
    own: Arc<Semaphore>,
    all: Arc<Semaphore>,
    units: u32,
}

/// Reserved memory for a part of an answer.
pub(crate) struct AnswerReservation {
    own: OwnedSemaphorePermit,
    all: OwnedSemaphorePermit,
}

/// A part that keeps its reservation until it was sent.
struct ReservedBytes {
    bytes: Bytes,
    _reservation: AnswerReservation,
}

impl AsRef<[u8]> for ReservedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl AnswerBudget {
    /// A budget of this many bytes for all answers together.
    pub(crate) fn new(bytes: usize) -> Self {
        let units = u32::try_from(bytes / UNIT).unwrap_or(u32::MAX);
        Self {
            all: semaphore(units.max(1)),
            shares: Arc::default(),
            units: (units / 2).max(1),
        }
    }

    /// The share of a user.
    pub(crate) fn share(&self, requester: Requester) -> AnswerShare {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        let known = shares.get(&requester).and_then(Weak::upgrade);
        let own = known.unwrap_or_else(|| {
            shares.retain(|_, share| share.strong_count() > 0);
            let own = semaphore(self.units);
            shares.insert(requester, Arc::downgrade(&own));
            own
        });
        AnswerShare {
            own,
            all: Arc::clone(&self.all),
            units: self.units,
        }
    }

    /// Whether an answer must reserve room.
    pub(crate) fn needs_reservation(answer: &Response) -> bool {
        let length = answer.body().size_hint().exact();
        length.is_some_and(|length| length > COUNTED as u64)
    }
}

fn semaphore(units: u32) -> Arc<Semaphore> {
    let permits = usize::try_from(units).unwrap_or(usize::MAX);
    Arc::new(Semaphore::new(permits.min(Semaphore::MAX_PERMITS)))
}

impl AnswerShare {
    /// Waits until there is room for the next part of an answer that has begun. Room becomes free
    /// as clients read; clients that read nothing are disconnected.
    pub(crate) async fn reserve(&self, bytes: usize) -> Option<AnswerReservation> {
        let units = self.units(bytes);
        // In this order: who waits for the own share keeps nothing from others.
        let own = Arc::clone(&self.own).acquire_many_owned(units).await.ok()?;
        let all = Arc::clone(&self.all).acquire_many_owned(units).await.ok()?;
        Some(AnswerReservation { own, all })
    }

    /// Reserves room for the first part of an answer.
    ///
    /// # Errors
    ///
    /// There is no room now.
    pub(crate) fn try_reserve(&self, part: Bytes) -> Result<Bytes, Problem> {
        if part.len() <= COUNTED {
            return Ok(part);
        }
        let units = self.units(part.len());
        let reservation = take(&self.own, units).zip(take(&self.all, units));
        let (own, all) = reservation.ok_or_else(refused)?;
        Ok(AnswerReservation { own, all }.attach(part))
    }

    /// Reserves room for an answer that is complete.
    pub(crate) async fn try_reserve_response(&self, answer: Response) -> Result<Response, Problem> {
        let (parts, body) = answer.into_parts();
        // The body is a single part, which is not copied.
        let bytes = to_bytes(body, usize::MAX).await.unwrap_or_default();
        let body = Body::from(self.try_reserve(bytes)?);
        Ok(Response::from_parts(parts, body))
    }

    /// The units for this many bytes; at most the whole share.
    fn units(&self, bytes: usize) -> u32 {
        let units = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX);
        units.min(self.units)
    }
}

impl AnswerReservation {
    /// Attaches the reservation to its part. Releases what the part does not need, and takes more
    /// if it needs more and there is room; the part is in memory in any case.
    pub(crate) fn attach(mut self, bytes: Bytes) -> Bytes {
        let needed = bytes.len().div_ceil(UNIT);
        for permit in [&mut self.own, &mut self.all] {
            let taken = permit.num_permits();
            let missing = u32::try_from(needed.saturating_sub(taken)).unwrap_or(u32::MAX);
            if let Some(more) = take(permit.semaphore(), missing) {
                permit.merge(more);
            }
            drop(permit.split(taken.saturating_sub(needed)));
        }
        Bytes::from_owner(ReservedBytes {
            bytes,
            _reservation: self,
        })
    }
}

fn take(semaphore: &Arc<Semaphore>, units: u32) -> Option<OwnedSemaphorePermit> {
    Arc::clone(semaphore).try_acquire_many_owned(units).ok()
}

fn refused() -> Problem {
    Problem::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "the long answers of other requests take all memory that is meant for them; try again",
    )
    .with_header(header::RETRY_AFTER, "1")
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    const ANN: Requester = Requester::user(1);
    const BEN: Requester = Requester::user(2);

    #[tokio::test]
    async fn a_part_has_its_room_until_it_is_gone() {
        let budget = AnswerBudget::new(400 * UNIT);
        let share = budget.share(ANN);
        let first = share.try_reserve(vec![0; 150 * UNIT].into()).unwrap();
        assert!(share.try_reserve(vec![0; 100 * UNIT].into()).is_err());
        assert!(share.try_reserve(vec![0; COUNTED].into()).is_ok(), "short");
        drop(first);
        assert!(
            share.try_reserve(vec![0; 300 * UNIT].into()).is_ok(),
            "all of it"
        );
    }

    #[tokio::test]
    async fn a_user_has_half_of_it() {
        let budget = AnswerBudget::new(400 * UNIT);
        let first = budget.share(ANN).try_reserve(vec![0; 200 * UNIT].into());
        assert!(
            budget
                .share(ANN)
                .try_reserve(vec![0; 100 * UNIT].into())
                .is_err()
        );
        // One that waits for its own share keeps nothing from others.
        let share = budget.share(ANN);
        let mut waiting = Box::pin(share.reserve(200 * UNIT));
        assert!((&mut waiting).now_or_never().is_none());
        let other = budget.share(BEN).try_reserve(vec![0; 200 * UNIT].into());
        assert!(other.is_ok());
        drop((first, other));
        assert!(waiting.await.is_some());
    }

    #[tokio::test]
    async fn what_a_part_does_not_need_is_free() {
        let share = AnswerBudget::new(400 * UNIT).share(ANN);
        let reservation = share.reserve(200 * UNIT).await.unwrap();
        let part = reservation.attach(Bytes::from_static(b"short"));
        assert_eq!(part, "short");
        assert!(share.try_reserve(vec![0; 199 * UNIT].into()).is_ok());
        assert!(share.try_reserve(vec![0; 200 * UNIT].into()).is_err());
    }

    #[tokio::test]
    async fn a_part_that_is_longer_than_its_room_takes_more() {
        let share = AnswerBudget::new(400 * UNIT).share(ANN);
        let reservation = share.reserve(50 * UNIT).await.unwrap();
        let part = reservation.attach(vec![0; 150 * UNIT].into());
        assert!(share.try_reserve(vec![0; 100 * UNIT].into()).is_err());
        drop(part);
        assert!(share.try_reserve(vec![0; 200 * UNIT].into()).is_ok());
    }
}
