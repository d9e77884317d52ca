//! What a failure of the server means for the transaction.

use tokio_postgres::error::SqlState;

/// Why a transaction did not come through, although nothing was wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Another transaction was in the way: this one may be tried again at once.
    Conflict,
    /// The connection is gone or of no use any more: this one may be tried again on another.
    Lost,
    /// The connection broke when the transaction was to be committed.
    Uncertain,
    /// The server ended a statement that took too long.
    Slow,
    /// The server has no room on its disk.
    Full,
}

impl Fault {
    pub(super) fn of(error: &tokio_postgres::Error) -> Option<Self> {
        let Some(state) = error.code() else {
            // What does not come from the server comes from the network, or from values that it
            // cannot read.
            return (error.is_closed() || is_of_network(error)).then_some(Self::Lost);
        };
        let code = state.code();
        if [
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::T_R_DEADLOCK_DETECTED,
            // Somebody else took an id or a name after it was seen to be free.
            SqlState::UNIQUE_VIOLATION,
            SqlState::LOCK_NOT_AVAILABLE,
        ]
        .contains(state)
        {
            Some(Self::Conflict)
        } else if *state == SqlState::QUERY_CANCELED {
            Some(Self::Slow)
        } else if *state == SqlState::DISK_FULL {
            Some(Self::Full)
        } else if code.starts_with("57P")
            || code.starts_with("08")
            || code.starts_with("53")
            || [
                // The server became a replica.
                SqlState::READ_ONLY_SQL_TRANSACTION,
                // Somebody changed a table under a prepared statement.
                SqlState::FEATURE_NOT_SUPPORTED,
                SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
            ]
            .contains(state)
        {
            Some(Self::Lost)
        } else {
            None
        }
    }
}

fn is_of_network(error: &tokio_postgres::Error) -> bool {
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        if cause.is::<std::io::Error>() {
            return true;
        }
        source = cause.source();
    }
    false
}
