//! The contexts of writes that the service makes by itself.

use stockroom_model::Timestamp;
use stockroom_store::{ReserveUse, Via, WriteContext};

/// A write context for what the service does on its own.
pub(crate) fn own_context(reason: &str, now: Timestamp) -> WriteContext {
    WriteContext {
        actor: 0,
        request_id: reason.to_owned(),
        via: Via::default(),
        restores: false,
        reserve: ReserveUse::None,
        comment: None,
        now,
        work_limit: None,
        commit_token: None,
    }
}

/// Like [`own_context`], for a write that goes on when the disk is full: nobody could make room
/// without it.
pub(crate) fn vital_context(reason: &str, now: Timestamp) -> WriteContext {
    WriteContext {
        reserve: ReserveUse::All,
        ..own_context(reason, now)
    }
}
