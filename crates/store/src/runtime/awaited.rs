//! Reads on other threads, which end early when nobody waits for them any more: because the client
//! has gone, or because they took too long.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::Error;
use crate::engine::driver::stop::StopFlag;

/// The two ends of a read: for its caller and for its thread.
pub(super) fn awaited_read() -> (Waiting, AwaitedRead) {
    let state = Arc::new(Mutex::new(State::Queued));
    (Waiting(Arc::clone(&state)), AwaitedRead(state))
}

/// Held by the caller while it waits; the read is stopped when it is dropped.
pub(super) struct Waiting(Arc<Mutex<State>>);

/// Held by the thread.
pub(super) struct AwaitedRead(Arc<Mutex<State>>);

enum State {
    Queued,
    /// On the connection of this flag.
    Running(StopFlag),
    /// Nobody waits for it.
    Unwanted,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut state = lock(&self.0);
        if let State::Running(flag) = &*state {
            flag.set();
        }
        *state = State::Unwanted;
    }
}

impl AwaitedRead {
    /// Runs `work` on the connection of `flag`; it may be run again. When the caller stops waiting, statements of the
    /// connection fail until `work` is over; its result is then of no use.
    ///
    /// # Errors
    ///
    /// [`Error::Closed`] if nobody waits already, and the errors of `work`.
    pub(super) fn run<T, E: From<Error>>(
        &self,
        flag: &StopFlag,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        {
            let mut state = lock(&self.0);
            if matches!(*state, State::Unwanted) {
                return Err(Error::Closed.into());
            }
            *state = State::Running(flag.clone());
        }
        let _running = Running { read: self, flag };
        work()
    }
}

/// Ends with the work, also if that panics.
struct Running<'r> {
    read: &'r AwaitedRead,
    flag: &'r StopFlag,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        // Under the lock: from now on the caller cannot set the flag, which belongs to others.
        let mut state = lock(&self.read.0);
        if matches!(*state, State::Running(_)) {
            *state = State::Queued;
        }
        self.flag.clear();
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_stops_when_its_caller_leaves() {
        let flag = StopFlag::default();
        let (waiting, read) = awaited_read();
        let result = read.run(&flag, || {
            assert!(!flag.is_set());
            drop(waiting);
            assert!(flag.is_set(), "statements fail from now on");
            Ok::<_, Error>(())
        });
        result.unwrap();
        assert!(!flag.is_set(), "the connection is free for others");
    }

    #[test]
    fn a_read_that_nobody_waits_for_does_not_begin() {
        let (waiting, read) = awaited_read();
        drop(waiting);
        let result = read.run(&StopFlag::default(), || Ok::<_, Error>(()));
        assert!(matches!(result, Err(Error::Closed)));
    }

    #[test]
    fn a_caller_that_leaves_later_stops_no_other_read() {
        let flag = StopFlag::default();
        let (waiting, read) = awaited_read();
        read.run(&flag, || Ok::<_, Error>(())).unwrap();
        drop(waiting);
        assert!(!flag.is_set());
    }
}
