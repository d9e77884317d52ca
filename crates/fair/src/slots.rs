//! Places for work of tasks.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::schedule::Schedule;
use crate::{Full, Requester};

/// Places that requesters share. Clones are the same places.
#[derive(Clone)]
pub struct FairSlots(Arc<Mutex<Schedule<oneshot::Sender<FairSlot>>>>);

impl FairSlots {
    /// So many places, and at most so many tasks that wait for one.
    #[must_use]
    pub fn new(places: usize, max_waiting: usize) -> Self {
        Self(Arc::new(Mutex::new(Schedule::new(max_waiting, places))))
    }

    /// Waits for a place. A task that is dropped no longer waits.
    ///
    /// # Errors
    ///
    /// Too many tasks of the requester wait, or of all.
    pub async fn acquire(&self, requester: Requester) -> Result<FairSlot, Full> {
        let (sender, receiver) = oneshot::channel();
        self.schedule().push(requester, sender)?;
        self.hand_out();
        // The sender is only dropped after it has sent.
        receiver.await.map_err(|_| Full::Others)
    }

    /// Takes a place if one is free for the requester.
    ///
    /// # Errors
    ///
    /// None is.
    pub fn try_acquire(&self, requester: Requester) -> Result<FairSlot, Full> {
        self.schedule().start(requester)?;
        Ok(self.slot(requester))
    }

    /// Gives free places to those that wait.
    fn hand_out(&self) {
        loop {
            let next = self.schedule().next();
            let Some((requester, sender)) = next else {
                return;
            };
            // If nobody waits any more, the slot is dropped, and its place is free again.
            let _ = sender.send(self.slot(requester));
        }
    }

    fn slot(&self, requester: Requester) -> FairSlot {
        FairSlot {
            slots: self.clone(),
            requester,
        }
    }

    fn schedule(&self) -> MutexGuard<'_, Schedule<oneshot::Sender<FairSlot>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place, until it is dropped.
pub struct FairSlot {
    slots: FairSlots,
    requester: Requester,
}

impl Drop for FairSlot {
    fn drop(&mut self) {
        self.slots.schedule().finish(self.requester);
        self.slots.hand_out();
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use super::*;

    const A: Requester = Requester::user(1);
    const B: Requester = Requester::user(2);

    #[tokio::test]
    async fn those_that_wait_get_places_that_become_free() {
        let slots = FairSlots::new(2, 10);
        let first = slots.acquire(A).await.unwrap();
        let mut second = pin!(slots.acquire(A));
        assert!(
            futures_poll(second.as_mut()).is_none(),
            "half of the places are its own"
        );
        let _other = slots.acquire(B).await.unwrap();
        drop(first);
        let _second = second.await.unwrap();
    }

    #[tokio::test]
    async fn a_task_that_left_holds_no_place() {
        let slots = FairSlots::new(2, 10);
        let first = slots.acquire(A).await.unwrap();
        {
            let mut left = pin!(slots.acquire(A));
            assert!(futures_poll(left.as_mut()).is_none());
        }
        drop(first);
        let _again = slots.try_acquire(A).unwrap();
        assert!(slots.try_acquire(B).is_ok());
    }

    /// The result of a future that is ready.
    fn futures_poll<F: Future>(future: std::pin::Pin<&mut F>) -> Option<F::Output> {
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        match future.poll(&mut context) {
            std::task::Poll::Ready(output) => Some(output),
            std::task::Poll::Pending => None,
        }
    }
}
