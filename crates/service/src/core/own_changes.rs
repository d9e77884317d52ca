//! A limit on the history that a user makes of records that need no right, such as its settings.
//! Its records are bounded in number and size; what the history keeps of them is bounded by day.
//! API tokens may make half of it, so that a stolen one leaves the rest to the sessions.

use stockroom_access::permission::Administration;
use stockroom_model::RecordLimits;
use stockroom_store::{OwnChanges, ReserveUse, WriteTx};

use crate::core::access::Access;
use crate::{Caller, Error};

const SECONDS_PER_DAY: i64 = 86_400;

/// Does `work`, and refuses it if the caller has then made too many such changes today.
/// Administrators may fill the disk anyway. What must go on, such as the revocation of a stolen
/// token, is never refused.
///
/// # Errors
///
/// The errors of `work`; [`Error::TooManyOwnChanges`].
pub(crate) fn limited<T>(
    caller: &Caller,
    access: &Access,
    tx: &mut WriteTx<'_>,
    work: impl FnOnce(&mut WriteTx<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let before = tx.own_changes();
    let done = work(tx)?;
    let made = tx.own_changes() - before;
    let is_limited = made.count > 0 && caller.request.reserve == ReserveUse::None;
    if is_limited && access.check::<Administration>().is_err() {
        let today = tx.add_own_changes(caller.user_id(), made)?;
        check(tx, today, caller.service.records())?;
    }
    Ok(done)
}

fn check(tx: &WriteTx<'_>, today: OwnChanges, limits: &RecordLimits) -> Result<(), Error> {
    let (share, of) = if tx.context().via.token().is_some() {
        (2, " for API tokens")
    } else {
        (1, "")
    };
    let (changes, bytes) = (limits.own_changes / share, limits.own_change_bytes / share);
    let limit = if today.count > changes as u64 {
        format!("{changes} changes a day{of}")
    } else if today.bytes > bytes as u64 {
        format!("{bytes} bytes a day in the history{of}")
    } else {
        return Ok(());
    };
    let seconds = SECONDS_PER_DAY - tx.context().now.seconds().rem_euclid(SECONDS_PER_DAY);
    Err(Error::TooManyOwnChanges {
        limit,
        retry_after_seconds: seconds.unsigned_abs(),
    })
}
