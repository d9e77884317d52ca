//! How many exports run at once: each has a thread, a connection and a snapshot.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use stockroom_model::UserId;

use crate::Error;

/// The running exports of each user.
#[derive(Debug, Default)]
pub(crate) struct ExportSlots(Arc<Mutex<HashMap<UserId, usize>>>);

/// The place of a running export.
#[derive(Debug)]
pub(super) struct Slot {
    running: Arc<Mutex<HashMap<UserId, usize>>>,
    user: UserId,
}

impl ExportSlots {
    /// Takes a place: at most `most` are taken, at most `of_user` by one user.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyExports`] and [`Error::ExportsBusy`].
    pub(super) fn take(&self, user: UserId, most: usize, of_user: usize) -> Result<Slot, Error> {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = running.get(&user).copied().unwrap_or_default();
        if own >= of_user {
            return Err(Error::TooManyExports(own));
        }
        if running.values().sum::<usize>() >= most {
            return Err(Error::ExportsBusy);
        }
        running.insert(user, own + 1);
        let running = Arc::clone(&self.0);
        Ok(Slot { running, user })
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = running.get_mut(&self.user) {
            *own -= 1;
            if *own == 0 {
                running.remove(&self.user);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_and_all_together_have_a_limit() {
        let slots = ExportSlots::default();
        let user = |id| UserId::new(id).unwrap();
        let take = |id| slots.take(user(id), 3, 2);
        let first = take(1).unwrap();
        let _second = take(1).unwrap();
        assert!(matches!(take(1), Err(Error::TooManyExports(2))));
        let other = take(2).unwrap();
        assert!(matches!(take(3), Err(Error::ExportsBusy)));
        drop(first);
        let _third = take(3).unwrap();
        drop(other);
        let _fourth = take(1).unwrap();
        assert!(matches!(take(2), Err(Error::ExportsBusy)));
    }
}
