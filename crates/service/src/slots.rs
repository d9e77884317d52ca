//! How many pieces of long work run at once, each with a thread of its own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use stockroom_model::UserId;

/// What runs for each user.
#[derive(Debug, Default)]
pub(crate) struct Slots(Arc<Mutex<HashMap<UserId, usize>>>);

/// The place of something that runs, until it is dropped.
#[derive(Debug)]
pub(crate) struct Slot {
    running: Arc<Mutex<HashMap<UserId, usize>>>,
    user: UserId,
}

/// Why there is no place.
#[derive(Debug)]
pub(crate) enum Full {
    /// The user has this many.
    OfUser(usize),
    /// All places are taken.
    All,
}

impl Slots {
    /// Takes a place: at most `most` are taken, at most `of_user` by one user.
    pub(crate) fn take(&self, user: UserId, most: usize, of_user: usize) -> Result<Slot, Full> {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = running.get(&user).copied().unwrap_or_default();
        if own >= of_user {
            return Err(Full::OfUser(own));
        }
        if running.values().sum::<usize>() >= most {
            return Err(Full::All);
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
        let slots = Slots::default();
        let user = |id| UserId::new(id).unwrap();
        let take = |id| slots.take(user(id), 3, 2);
        let first = take(1).unwrap();
        let _second = take(1).unwrap();
        assert!(matches!(take(1), Err(Full::OfUser(2))));
        let other = take(2).unwrap();
        assert!(matches!(take(3), Err(Full::All)));
        drop(first);
        let _third = take(3).unwrap();
        drop(other);
        let _fourth = take(1).unwrap();
        assert!(matches!(take(2), Err(Full::All)));
    }
}
