//! A queue of work for threads.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::schedule::Schedule;
use crate::{Full, Requester};

/// Work that threads take up. Clones are the same queue.
pub struct FairQueue<J>(Arc<Shared<J>>);

struct Shared<J> {
    state: Mutex<State<J>>,
    changed: Condvar,
}

struct State<J> {
    schedule: Schedule<J>,
    is_closed: bool,
}

/// What a thread finds in the queue.
pub enum Next<J> {
    /// Work, which counts as running until its turn is dropped.
    Work(J, Turn<J>),
    /// No work came in time.
    Timeout,
    /// There is no more work, and none will come.
    Closed,
}

impl<J> FairQueue<J> {
    /// At most `max_waiting` pieces of work wait, and `max_running` run.
    #[must_use]
    pub fn new(max_waiting: usize, max_running: usize) -> Self {
        Self(Arc::new(Shared {
            state: Mutex::new(State {
                schedule: Schedule::new(max_waiting, max_running),
                is_closed: false,
            }),
            changed: Condvar::new(),
        }))
    }

    /// Adds work, and returns how much waits.
    ///
    /// # Errors
    ///
    /// Too much of the requester waits, or of all.
    pub fn push(&self, requester: Requester, job: J) -> Result<usize, Full> {
        let mut state = self.state();
        state.schedule.push(requester, job)?;
        let waiting = state.schedule.waiting();
        drop(state);
        self.0.changed.notify_one();
        Ok(waiting)
    }

    /// Waits for work, at most until `deadline` if there is one.
    #[must_use]
    pub fn next(&self, deadline: Option<Instant>) -> Next<J> {
        let mut state = self.state();
        loop {
            if let Some(work) = self.take(&mut state) {
                return work;
            }
            if state.is_closed && state.schedule.waiting() == 0 {
                return Next::Closed;
            }
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return Next::Timeout;
            }
            state = self.wait(state, left);
        }
    }

    /// Work that waits already and may run.
    #[must_use]
    pub fn try_next(&self) -> Option<(J, Turn<J>)> {
        match self.take(&mut self.state()) {
            Some(Next::Work(job, turn)) => Some((job, turn)),
            _ => None,
        }
    }

    /// How much work waits, and how much runs.
    #[must_use]
    pub fn load(&self) -> (usize, usize) {
        let state = self.state();
        (state.schedule.waiting(), state.schedule.running())
    }

    /// Lets threads that find no more work know that none will come.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.0.changed.notify_all();
    }

    fn take(&self, state: &mut State<J>) -> Option<Next<J>> {
        let (requester, job) = state.schedule.next()?;
        let queue = Self(Arc::clone(&self.0));
        Some(Next::Work(job, Turn { queue, requester }))
    }

    fn wait<'s>(
        &self,
        state: MutexGuard<'s, State<J>>,
        left: Option<Duration>,
    ) -> MutexGuard<'s, State<J>> {
        let changed = &self.0.changed;
        match left {
            None => changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            Some(left) => {
                let waited = changed.wait_timeout(state, left);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State<J>> {
        let state = self.0.state.lock();
        state.unwrap_or_else(PoisonError::into_inner)
    }
}

impl<J> Clone for FairQueue<J> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// The turn of a requester, which ends when it is dropped.
pub struct Turn<J> {
    queue: FairQueue<J>,
    requester: Requester,
}

impl<J> Drop for Turn<J> {
    fn drop(&mut self) {
        let mut state = self.queue.state();
        state.schedule.finish(self.requester);
        let is_work_left = state.schedule.waiting() > 0;
        drop(state);
        // More than one piece of work may be free to run now, and every thread may wait.
        if is_work_left {
            self.queue.0.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Requester = Requester::user(1);

    #[test]
    fn a_closed_queue_gives_what_it_holds_first() {
        let queue = FairQueue::new(10, 10);
        queue.push(A, 1).unwrap();
        queue.close();
        assert!(matches!(queue.next(None), Next::Work(1, _)));
        assert!(matches!(queue.next(None), Next::Closed));
    }

    #[test]
    fn a_turn_that_ends_wakes_a_thread_that_waits() {
        let queue = FairQueue::new(10, 1);
        queue.push(A, 1).unwrap();
        queue.push(A, 2).unwrap();
        let Next::Work(1, turn) = queue.next(None) else {
            panic!("the first work comes first");
        };
        assert!(queue.try_next().is_none(), "only one may run");
        std::thread::scope(|threads| {
            let waiting = threads.spawn(|| matches!(queue.next(None), Next::Work(2, _)));
            drop(turn);
            assert!(waiting.join().unwrap());
        });
    }

    #[test]
    fn without_work_a_thread_waits_until_its_deadline() {
        let queue = FairQueue::<()>::new(10, 1);
        assert!(matches!(queue.next(Some(Instant::now())), Next::Timeout));
    }
}
