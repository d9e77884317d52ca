//! Waiting for a change in another process by polling.

use std::time::{Duration, Instant};

/// Short compared to the changes waited for.
const PAUSE: Duration = Duration::from_millis(10);

/// Only a hanging process takes longer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Polls until there is a value. Returns it, and how long it took.
#[track_caller]
pub(crate) fn eventually<T>(
    what: &str,
    bound: Duration,
    mut ask: impl FnMut() -> Option<T>,
) -> (T, Duration) {
    let began = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return (answer, began.elapsed());
        }
        assert!(began.elapsed() < bound, "waited in vain for {what}");
        pause(PAUSE);
    }
}

/// Sleeps.
#[expect(
    clippy::disallowed_methods,
    reason = "other processes are asked, which tell nobody when they change"
)]
pub(crate) fn pause(time: Duration) {
    std::thread::sleep(time);
}
