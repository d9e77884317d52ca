//! What other nodes changed, for requests that do not look at the database themselves.

use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError};

use super::seat::Seat;

/// How often to look: a token that was ended elsewhere ends here within this time.
const INTERVAL: Duration = Duration::from_millis(250);

/// Looks until `stop` is closed.
pub(super) fn run(mut seat: Seat, stop: &Receiver<()>) {
    let mut is_well = true;
    while let Err(RecvTimeoutError::Timeout) = stop.recv_timeout(INTERVAL) {
        match seat.refresh() {
            Ok(()) if !is_well => {
                tracing::info!("the database is back");
                is_well = true;
            }
            Err(error) if is_well => {
                tracing::error!(%error, "the database is not available");
                is_well = false;
            }
            _ => {}
        }
    }
}
