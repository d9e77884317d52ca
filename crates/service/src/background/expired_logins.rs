//! Deletes sessions and revoked tokens that have expired.

use std::sync::Arc;
use std::time::Duration;

use crate::core::own_context::vital_context;
use crate::core::task::Task;
use crate::{Error, Service};

/// So many of each are deleted in one transaction.
const CHUNK: i64 = 1_000;

/// Deletes what has certainly expired: a revoked token that is forgotten too early is valid again.
#[derive(Debug, Clone, Copy)]
pub struct ExpiredLogins;

impl Task for ExpiredLogins {
    const NAME: &'static str = "expired_logins";
    const INTERVAL: Duration = Duration::from_secs(600);
    const ON_FAILURE: &'static str = "expired sessions are deleted later";

    async fn step(&mut self, service: &Arc<Service>) -> Result<bool, Error> {
        let before = service.certain_now().seconds();
        let read = service
            .store
            .read(move |tx| Ok::<_, Error>(tx.has_expired_logins(before)?));
        if !read.await? {
            return Ok(false);
        }
        let context = vital_context("expired-logins", service.clock.now());
        let write = service.store.write(context, move |tx| {
            Ok::<_, Error>(tx.delete_expired_logins(before, CHUNK)?)
        });
        write.await?;
        Ok(true)
    }
}
