//! A queue of work for threads.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use crate::schedule::Schedule;
use crate::{Full, Requester};

/// Work that threads take up. When it is dropped, the threads get what is left and then the end.
pub struct FairQueue<J>(Shared<J>);

/// Where threads take the work of a queue. Clones are for the same queue.
///
/// Of the threads that wait, the last one that worked is woken: the others may have nothing open,
/// and keep it so.
pub struct FairReceiver<J>(Shared<J>);

type Shared<J> = Arc<Mutex<State<J>>>;

struct State<J> {
    schedule: Schedule<J>,
    /// The threads that wait; the last one worked last.
    idle: Vec<Thread>,
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
        Self(Arc::new(Mutex::new(State {
            schedule: Schedule::new(max_waiting, max_running),
            idle: Vec::new(),
            is_closed: false,
        })))
    }

    /// For a thread that takes work.
    #[must_use]
    pub fn receiver(&self) -> FairReceiver<J> {
        FairReceiver(Arc::clone(&self.0))
    }

    /// Adds work, and returns how much waits.
    ///
    /// # Errors
    ///
    /// Too much of the requester waits, or of all.
    pub fn push(&self, requester: Requester, job: J) -> Result<usize, Full> {
        let mut state = lock(&self.0);
        state.schedule.push(requester, job)?;
        let waiting = state.schedule.waiting();
        wake_one(state);
        Ok(waiting)
    }

    /// How much work waits, and how much runs.
    #[must_use]
    pub fn load(&self) -> (usize, usize) {
        let state = lock(&self.0);
        (state.schedule.waiting(), state.schedule.running())
    }
}

impl<J> Drop for FairQueue<J> {
    fn drop(&mut self) {
        let mut state = lock(&self.0);
        state.is_closed = true;
        state.idle.drain(..).for_each(|idle| idle.unpark());
    }
}

impl<J> FairReceiver<J> {
    /// Waits for work, at most until `deadline` if there is one.
    #[must_use]
    pub fn next(&self, deadline: Option<Instant>) -> Next<J> {
        let own = thread::current();
        let mut state = lock(&self.0);
        loop {
            if let Some((job, turn)) = self.take(&mut state) {
                // More may be free to run, for another thread.
                wake_one(state);
                return Next::Work(job, turn);
            }
            if state.is_closed && state.schedule.waiting() == 0 {
                // Others may wait for work that was not free to run.
                state.idle.drain(..).for_each(|idle| idle.unpark());
                return Next::Closed;
            }
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return Next::Timeout;
            }
            state.idle.push(own.clone());
            drop(state);
            left.map_or_else(thread::park, thread::park_timeout);
            state = lock(&self.0);
            // After a timeout, or a wake-up without a reason, it is still there.
            state.idle.retain(|idle| idle.id() != own.id());
        }
    }

    /// Work that waits already and may run, of a requester whose last work was charged less than
    /// `time`.
    #[must_use]
    pub fn try_next(&self, time: Duration) -> Option<(J, Turn<J>)> {
        let taken = lock(&self.0).schedule.next_shorter_than(time)?;
        Some(self.begin(taken))
    }

    /// Whether such work waits.
    #[must_use]
    pub fn has_next(&self) -> bool {
        lock(&self.0).schedule.has_next()
    }

    fn take(&self, state: &mut State<J>) -> Option<(J, Turn<J>)> {
        let taken = state.schedule.next()?;
        Some(self.begin(taken))
    }

    fn begin(&self, (requester, job): (Requester, J)) -> (J, Turn<J>) {
        let queue = Arc::clone(&self.0);
        (job, Turn { queue, requester })
    }
}

impl<J> Clone for FairReceiver<J> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// The turn of a requester, which ends when it is dropped. No thread is woken then: the one that
/// drops it asks for the next work.
pub struct Turn<J> {
    queue: Shared<J>,
    requester: Requester,
}

impl<J> Turn<J> {
    /// Charges the time that the work took, if not all work of the queue takes as long.
    pub fn charge(&self, time: Duration) {
        lock(&self.queue).schedule.charge(self.requester, time);
    }
}

impl<J> Drop for Turn<J> {
    fn drop(&mut self) {
        lock(&self.queue).schedule.finish(self.requester);
    }
}

/// Wakes a thread if there is work for it.
fn wake_one<J>(mut state: MutexGuard<'_, State<J>>) {
    if !state.schedule.has_next() {
        return;
    }
    let idle = state.idle.pop();
    drop(state);
    if let Some(idle) = idle {
        idle.unpark();
    }
}

fn lock<J>(shared: &Mutex<State<J>>) -> MutexGuard<'_, State<J>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Requester = Requester::user(1);

    #[test]
    fn a_closed_queue_gives_what_it_holds_first() {
        let queue = FairQueue::new(10, 10);
        let receiver = queue.receiver();
        queue.push(A, 1).unwrap();
        drop(queue);
        assert!(matches!(receiver.next(None), Next::Work(1, _)));
        assert!(matches!(receiver.next(None), Next::Closed));
    }

    #[test]
    fn a_turn_that_ends_lets_the_next_work_run() {
        let queue = FairQueue::new(10, 1);
        queue.push(A, 1).unwrap();
        queue.push(A, 2).unwrap();
        let receiver = queue.receiver();
        let Next::Work(1, turn) = receiver.next(None) else {
            panic!("the first work comes first");
        };
        assert!(
            receiver.try_next(Duration::MAX).is_none(),
            "only one may run"
        );
        drop(turn);
        assert!(matches!(receiver.next(None), Next::Work(2, _)));
    }

    #[test]
    fn the_thread_that_worked_last_works_next() {
        let queue = FairQueue::new(10, 10);
        let receiver = queue.receiver();
        thread::scope(|threads| {
            let worker = || {
                let mut taken = 0;
                while let Next::Work(done, _turn) = receiver.next(None) {
                    taken += 1;
                    let done: std::sync::mpsc::Sender<()> = done;
                    drop(done);
                }
                taken
            };
            let workers: Vec<_> = (0..3).map(|_| threads.spawn(worker)).collect();
            for _ in 0..20 {
                while lock(&queue.0).idle.len() < 3 {
                    thread::yield_now();
                }
                let (done, is_done) = std::sync::mpsc::channel();
                queue.push(A, done).unwrap();
                assert!(is_done.recv().is_err());
            }
            drop(queue);
            let taken = workers.into_iter().map(|worker| worker.join().unwrap());
            assert!(taken.into_iter().any(|taken| taken == 20));
        });
    }

    #[test]
    fn without_work_a_thread_waits_until_its_deadline() {
        let queue = FairQueue::<()>::new(10, 1);
        let next = queue.receiver().next(Some(Instant::now()));
        assert!(matches!(next, Next::Timeout));
    }
}
