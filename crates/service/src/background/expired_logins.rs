//! Deletes sessions and revoked tokens that have expired.

use std::sync::Arc;
use std::time::Duration;

use crate::core::certain_time;
use crate::core::own_context::vital_context;
use crate::core::task::Task;
use crate::{Error, Service};

/// So many of each are deleted in one transaction.
const CHUNK: i64 = 1_000;

/// Deletes what has certainly expired: a revoked token that is forgotten too early is valid again.
/// Lets the store know the time that has passed.
#[derive(Debug, Clone, Copy)]
pub struct ExpiredLogins;

impl Task for ExpiredLogins {
    const NAME: &'static str = "expired_logins";
    const INTERVAL: Duration = Duration::from_secs(600);
    const ON_FAILURE: &'static str = "expired sessions are deleted later";

    async fn step(&mut self, service: &Arc<Service>) -> Result<bool, Error> {
        let now = service.certain_now();
        let before = now.seconds();
        let read = service.store.read(move |tx| {
            let is_due = certain_time::is_due(tx, now)?;
            Ok::<_, Error>((tx.has_expired_logins(before)?, is_due))
        });
        let (has_expired, is_due) = read.await?;
        if !has_expired && !is_due {
            return Ok(false);
        }
        let context = vital_context("expired-logins", service.clock.now());
        let write = service.store.write(context, move |tx| {
            if is_due {
                certain_time::store(tx, now)?;
            }
            Ok::<_, Error>(tx.delete_expired_logins(before, CHUNK)?)
        });
        write.await?;
        Ok(has_expired)
    }
}
