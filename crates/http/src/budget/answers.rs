//! The memory of answers being sent: a client that reads slowly keeps its answer in memory.

use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody as _, to_bytes};
use axum::http::{StatusCode, header};
use axum::response::Response;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::problem::Problem;

/// Shorter answers are not counted; the number of connections bounds them.
const COUNTED: usize = 64 * 1_024;
/// Bytes per permit, because a semaphore acquires at most `u32::MAX` permits at once.
const UNIT: usize = 1_024;

/// The memory budget of long answers.
#[derive(Debug, Clone)]
pub(crate) struct AnswerBudget {
    semaphore: Arc<Semaphore>,
    /// The whole budget, in units.
    units: u32,
}

/// Reserved memory for a part of an answer.
pub(crate) struct AnswerReservation(OwnedSemaphorePermit);

/// A part that keeps its reservation until it was sent.
struct ReservedBytes {
    bytes: Bytes,
    _permit: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for ReservedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl AnswerBudget {
    /// A budget of this many bytes for all answers together.
    pub(crate) fn new(bytes: usize) -> Self {
        let units = u32::try_from(bytes / UNIT).unwrap_or(u32::MAX).max(1);
        let permits = usize::try_from(units).unwrap_or(usize::MAX);
        Self {
            semaphore: Arc::new(Semaphore::new(permits.min(Semaphore::MAX_PERMITS))),
            units,
        }
    }

    /// Waits until there is room for the next part of an answer that has begun. Room becomes free
    /// as other clients read; clients that read nothing are disconnected.
    pub(crate) async fn reserve(&self, bytes: usize) -> Option<AnswerReservation> {
        let semaphore = Arc::clone(&self.semaphore);
        let permit = semaphore.acquire_many_owned(self.units(bytes)).await;
        permit.ok().map(AnswerReservation)
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
        let semaphore = Arc::clone(&self.semaphore);
        let permit = semaphore.try_acquire_many_owned(self.units(part.len()));
        let reservation = permit.map(AnswerReservation).map_err(|_| refused())?;
        Ok(reservation.attach(part))
    }

    /// Whether an answer must reserve room.
    pub(crate) fn needs_reservation(answer: &Response) -> bool {
        let length = answer.body().size_hint().exact();
        length.is_some_and(|length| length > COUNTED as u64)
    }

    /// Reserves room for an answer that is complete.
    pub(crate) async fn try_reserve_response(&self, answer: Response) -> Result<Response, Problem> {
        let (parts, body) = answer.into_parts();
        // The body is a single part, which is not copied.
        let bytes = to_bytes(body, usize::MAX).await.unwrap_or_default();
        let body = Body::from(self.try_reserve(bytes)?);
        Ok(Response::from_parts(parts, body))
    }

    /// The units for this many bytes; at most the whole budget.
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
        let taken = self.0.num_permits();
        if let Ok(missing) = u32::try_from(needed.saturating_sub(taken))
            && let Ok(more) = Arc::clone(self.0.semaphore()).try_acquire_many_owned(missing)
        {
            self.0.merge(more);
        }
        drop(self.0.split(taken.saturating_sub(needed)));
        Bytes::from_owner(ReservedBytes {
            bytes,
            _permit: self.0,
        })
    }
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
    use super::*;

    #[tokio::test]
    async fn a_part_has_its_room_until_it_is_gone() {
        let budget = AnswerBudget::new(200 * UNIT);
        let first = budget.try_reserve(vec![0; 150 * UNIT].into()).unwrap();
        assert!(budget.try_reserve(vec![0; 100 * UNIT].into()).is_err());
        assert!(budget.try_reserve(vec![0; COUNTED].into()).is_ok(), "short");
        drop(first);
        assert!(
            budget.try_reserve(vec![0; 300 * UNIT].into()).is_ok(),
            "all of it"
        );
    }

    #[tokio::test]
    async fn what_a_part_does_not_need_is_free() {
        let budget = AnswerBudget::new(200 * UNIT);
        let reservation = budget.reserve(200 * UNIT).await.unwrap();
        let part = reservation.attach(Bytes::from_static(b"short"));
        assert_eq!(part, "short");
        assert!(budget.try_reserve(vec![0; 199 * UNIT].into()).is_ok());
        assert!(budget.try_reserve(vec![0; 200 * UNIT].into()).is_err());
    }

    #[tokio::test]
    async fn a_part_that_is_longer_than_its_room_takes_more() {
        let budget = AnswerBudget::new(200 * UNIT);
        let reservation = budget.reserve(50 * UNIT).await.unwrap();
        let part = reservation.attach(vec![0; 150 * UNIT].into());
        assert!(budget.try_reserve(vec![0; 100 * UNIT].into()).is_err());
        drop(part);
        assert!(budget.try_reserve(vec![0; 200 * UNIT].into()).is_ok());
    }
}
