//! Turns of users with open transactions that run alone while their requests do: all on SQLite, and
//! on PostgreSQL those that change what others depend on.
//!
//! Of one user, one begins after the other has ended, and after a rest if that one kept writes of
//! others waiting for long. So a user with many long transactions delays a write of another one
//! once in a while, and not every time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::OwnedMutexGuard;
use tokio::time::{Instant, sleep_until};

/// Writes of others may wait this long.
const PATIENCE: Duration = Duration::from_millis(100);
/// A rest, in the time that others waited longer.
const REST: u32 = 8;

/// When the next transaction of a user may begin.
type Gate = Arc<tokio::sync::Mutex<Instant>>;

/// The users with open transactions, whether by sessions or by API tokens.
#[derive(Default)]
pub(in crate::runtime) struct OpenTurns(Mutex<HashMap<i64, Gate>>);

/// The turn of a user. It ends when this is dropped.
pub(in crate::runtime) struct OpenTurn(Option<OwnedMutexGuard<Instant>>);

/// The rest of a user, for transactions that need no turn.
pub(in crate::runtime) struct OpenRest(Gate);

impl OpenTurns {
    /// Waits for the turn of a user.
    pub(in crate::runtime) async fn next(&self, user: i64) -> OpenTurn {
        let begins_at = self.gate(user).lock_owned().await;
        if *begins_at > Instant::now() {
            sleep_until(*begins_at).await;
        }
        OpenTurn(Some(begins_at))
    }

    /// Waits until a user may go on.
    pub(in crate::runtime) async fn rest_of(&self, user: i64) -> OpenRest {
        let gate = self.gate(user);
        let begins_at = *gate.lock().await;
        if begins_at > Instant::now() {
            sleep_until(begins_at).await;
        }
        OpenRest(gate)
    }

    fn gate(&self, user: i64) -> Gate {
        let now = Instant::now();
        let mut gates = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Those that nobody holds or waits for, and whose rest is over, say nothing.
        gates.retain(|_, gate| {
            Arc::strong_count(gate) > 1 || gate.try_lock().is_ok_and(|begins_at| *begins_at > now)
        });
        let gate = gates.entry(user);
        Arc::clone(gate.or_insert_with(|| Arc::new(tokio::sync::Mutex::new(now))))
    }
}

impl OpenTurn {
    /// The turn of a transaction that waits for none, and after which nobody rests.
    pub(in crate::runtime) const fn of_nobody() -> Self {
        Self(None)
    }

    /// Ends a turn that held the writer for so long, while others waited.
    pub(in crate::runtime) fn rest(&mut self, held: Duration) {
        if let Some(begins_at) = &mut self.0 {
            **begins_at = Instant::now() + rest(held);
        }
    }
}

impl OpenRest {
    /// Lets the user rest after a transaction that held its locks for so long.
    pub(in crate::runtime) fn add(&self, held: Duration) {
        // Whoever has the turn rests after it anyway.
        if let Ok(mut begins_at) = self.0.try_lock() {
            *begins_at = (*begins_at).max(Instant::now() + rest(held));
        }
    }
}

fn rest(held: Duration) -> Duration {
    held.saturating_sub(PATIENCE) * REST
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: i64 = 1;
    const B: i64 = 2;

    #[test]
    fn a_rest_is_a_multiple_of_what_others_waited() {
        assert_eq!(rest(Duration::ZERO), Duration::ZERO);
        assert_eq!(rest(PATIENCE), Duration::ZERO);
        assert_eq!(rest(Duration::from_secs(1)), Duration::from_millis(7_200));
    }

    #[tokio::test]
    async fn who_kept_others_waiting_rests() {
        let turns = OpenTurns::default();
        let began = Instant::now();
        turns
            .next(A)
            .await
            .rest(PATIENCE + Duration::from_millis(2));
        turns.next(B).await.rest(Duration::from_secs(60));
        drop(turns.next(A).await);
        assert!(began.elapsed() >= Duration::from_millis(16));
        let begins_at = *turns.gate(B).try_lock().unwrap();
        assert!(begins_at > began + Duration::from_secs(60));
    }

    #[tokio::test]
    async fn transactions_without_a_turn_wait_for_the_rest_only() {
        let turns = OpenTurns::default();
        let (first, second) = (turns.rest_of(A).await, turns.rest_of(A).await);
        second.add(PATIENCE + Duration::from_secs(1));
        first.add(PATIENCE);
        let began = Instant::now();
        drop(turns.rest_of(B).await);
        let begins_at = *turns.gate(A).try_lock().unwrap();
        assert!(
            begins_at > began + Duration::from_secs(7),
            "the longer rest"
        );
    }

    #[tokio::test]
    async fn one_transaction_of_a_user_begins_after_the_other() {
        let turns = Arc::new(OpenTurns::default());
        let first = turns.next(A).await;
        let next = tokio::spawn({
            let turns = Arc::clone(&turns);
            async move { drop(turns.next(A).await) }
        });
        tokio::task::yield_now().await;
        assert!(!next.is_finished());
        drop(first);
        next.await.unwrap();
        drop(turns.next(B).await);
        assert_eq!(
            turns.0.lock().unwrap().len(),
            1,
            "the first one is forgotten"
        );
    }
}
