//! The meaning of a server failure for the transaction.

use tokio_postgres::error::{DbError, Severity, SqlState};

/// Why a transaction failed through no fault of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A conflict with another transaction: it can be retried at once.
    Conflict,
    /// The connection is broken or unusable: it can be retried on another one.
    Lost,
    /// The connection broke during the commit.
    Uncertain,
    /// The server cancelled a statement that took too long.
    Slow,
    /// The server's disk is full.
    Full,
    /// Nobody waits for it any more.
    Stopped,
}

impl Fault {
    pub(super) fn of(error: &tokio_postgres::Error) -> Option<Self> {
        let Some(refusal) = error.as_db_error() else {
            // Errors without a code come from the network, or from values that the client cannot
            // convert.
            return (error.is_closed() || is_of_network(error)).then_some(Self::Lost);
        };
        // Whatever the reason was. If it came with a commit, nobody knows its outcome.
        if ends_connection(refusal) {
            return Some(Self::Lost);
        }
        let state = refusal.code();
        let code = state.code();
        if [
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::T_R_DEADLOCK_DETECTED,
            // Another transaction took an id or name after this one found it free.
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
        } else if is_of_shard(refusal)
            || code.starts_with("57P")
            || code.starts_with("08")
            || code.starts_with("53")
            || [
                // The server became a replica, which refuses writes and locks; or a process that
                // helped with the statement is gone.
                SqlState::READ_ONLY_SQL_TRANSACTION,
                SqlState::OBJECT_NOT_IN_PREREQUISITE_STATE,
                // A table of a prepared statement was changed.
                SqlState::FEATURE_NOT_SUPPORTED,
            ]
            .contains(state)
        {
            Some(Self::Lost)
        } else {
            None
        }
    }
}

/// Whether the server closes the connection after the message, or ends as a whole.
fn ends_connection(refusal: &DbError) -> bool {
    let severity = refusal.parsed_severity();
    matches!(severity, Some(Severity::Fatal | Severity::Panic))
}

/// Whether a coordinator lost the server of a shard. If that server could not say why, the code is
/// that of an internal error.
fn is_of_shard(refusal: &DbError) -> bool {
    if *refusal.code() != SqlState::INTERNAL_ERROR {
        return false;
    }
    let message = refusal.message();
    let of_coordinator = [
        "failure on connection marked as essential",
        "could not connect to any active placements",
    ];
    let of_connection = [
        "connection",
        "could not receive data",
        "could not send data",
    ];
    let context = refusal.where_().unwrap_or_default();
    of_coordinator.iter().any(|text| message.starts_with(text))
        || context.contains("while executing command on")
            && of_connection.iter().any(|text| message.contains(text))
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
