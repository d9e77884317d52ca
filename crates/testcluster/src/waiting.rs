//! Polling for conditions without notification.

use std::time::{Duration, Instant};

use anyhow::bail;

/// Far longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Short compared to starting a server, which takes ten times as long.
const PAUSE: Duration = Duration::from_millis(10);

/// Polls until there is a value.
///
/// # Errors
///
/// The check failed, or a minute has passed. In the latter case the error names `what`.
pub(crate) fn until<T>(
    what: &str,
    mut ask: impl FnMut() -> anyhow::Result<Option<T>>,
) -> anyhow::Result<T> {
    let began = Instant::now();
    loop {
        if let Some(answer) = ask()? {
            return Ok(answer);
        }
        if began.elapsed() > PATIENCE {
            bail!("waited in vain for {what}");
        }
        pause();
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "other processes are asked, which tell nobody when they change; only tests run this"
)]
fn pause() {
    std::thread::sleep(PAUSE);
}
