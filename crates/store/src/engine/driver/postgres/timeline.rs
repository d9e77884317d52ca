//! Which history of the data a server goes on with. A replica that becomes the primary begins a new
//! timeline, with a higher number. An old primary that comes back beside it keeps the old one: what
//! it accepts is lost, and it lacks what the new one has accepted. So does a replica that cannot
//! follow the new primary: its position in the log may have a higher number, but of another history.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use tokio_postgres::{Client, SimpleQueryMessage};

use crate::Error;

/// The first eight digits of the name of a file of the log; of a replica, the timeline of its last
/// checkpoint. A replica that follows a new primary is left alone until it has made one.
const SELECT_TIMELINE: &str = "SELECT CASE WHEN pg_is_in_recovery() \
     THEN (SELECT to_hex(timeline_id) FROM pg_control_checkpoint()) \
     ELSE substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) END";

/// The timeline of a server that tells none.
const UNKNOWN: i64 = 0;

/// The newest timeline of all servers that were used.
#[derive(Debug, Default)]
pub(super) struct NewestTimeline(AtomicI64);

/// The timeline of the server of a connection.
#[derive(Debug)]
pub(super) struct Timeline {
    own: i64,
    newest: Arc<NewestTimeline>,
}

impl Timeline {
    /// Asks the server.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] if another one has a newer timeline.
    pub(super) async fn check(
        client: &Client,
        newest: &Arc<NewestTimeline>,
    ) -> Result<Self, Error> {
        let messages = client.simple_query(SELECT_TIMELINE).await;
        let digits = messages.unwrap_or_default().into_iter().find_map(first);
        let own = digits.and_then(|digits| i64::from_str_radix(&digits, 16).ok());
        let own = own.unwrap_or(UNKNOWN);
        newest.0.fetch_max(own, Ordering::Relaxed);
        let timeline = Self {
            own,
            newest: Arc::clone(newest),
        };
        if timeline.is_outdated() {
            tracing::warn!(
                timeline = own,
                "a server has the history of an old primary; it is not used"
            );
            return Err(Error::Unavailable(format!(
                "the server has timeline {own}, another one has a newer one: it has the history of an old primary"
            )));
        }
        Ok(timeline)
    }

    /// Whether another server has a newer timeline.
    pub(super) fn is_outdated(&self) -> bool {
        self.own != UNKNOWN && self.own < self.newest.0.load(Ordering::Relaxed)
    }
}

fn first(message: SimpleQueryMessage) -> Option<String> {
    match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    }
}
