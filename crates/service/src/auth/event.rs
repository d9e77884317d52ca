//! The login trail, in the log and in a bounded table.

use std::sync::atomic::Ordering;

use stockroom_auth::throttle::Failures;
use stockroom_model::{Timestamp, UserId};
use stockroom_store::{LoginEvent, LoginResult, LoginVia, WriteTx};

use super::session::Client;
use super::throttle::Attempt;
use crate::core::own_context::vital_context;
use crate::core::service::Config;
use crate::{Error, Service};

/// Old events are pruned once per this many new ones.
const EVENTS_PER_PRUNING: u32 = 64;

const DAY_MICROS: i64 = 24 * 3_600 * 1_000_000;

/// The limits of the login trail, for the writes that prune it.
#[derive(Clone, Copy)]
pub(super) struct Trail {
    kept_micros: i64,
    max_events: i64,
    is_pruned: bool,
}

impl Service {
    /// The trail limits for the next event, and whether that event prunes.
    pub(super) fn trail(&self) -> Trail {
        let Config {
            login_event_days,
            max_login_events,
            ..
        } = self.config;
        let noted = self.login_events.fetch_add(1, Ordering::Relaxed);
        Trail {
            kept_micros: i64::from(login_event_days) * DAY_MICROS,
            max_events: max_login_events.into(),
            is_pruned: noted.is_multiple_of(EVENTS_PER_PRUNING),
        }
    }

    /// Records that the password of an attempt was wrong.
    pub(crate) async fn record_failure(
        &self,
        user: Option<UserId>,
        via: LoginVia,
        attempt: Attempt,
        client: &Client,
    ) -> Result<(), Error> {
        let (now, trail) = (self.clock.now(), self.trail());
        let limits = self.config.throttle.clone();
        let event = event(user, via, LoginResult::Failure, client);
        log(&event);
        let context = vital_context(&client.request_id, now);
        let noted = self.store.write(context, move |tx| {
            attempt.end(tx, Failures::fail, &limits, now)?;
            trail.note(tx, &event)
        });
        noted.await
    }
}

impl Trail {
    /// Records an event and, when it is due, prunes old ones.
    pub(super) fn note(self, tx: &mut WriteTx<'_>, event: &LoginEvent) -> Result<(), Error> {
        tx.add_login_event(event)?;
        if self.is_pruned {
            let Timestamp(now) = tx.context().now;
            tx.forget_login_events(now - self.kept_micros, self.max_events)?;
        }
        Ok(())
    }
}

pub(super) fn event(
    user: Option<UserId>,
    via: LoginVia,
    result: LoginResult,
    client: &Client,
) -> LoginEvent {
    LoginEvent {
        user,
        address: client.address.to_string(),
        result,
        via,
    }
}

pub(super) fn log(event: &LoginEvent) {
    tracing::info!(
        user = event.user.map(UserId::get),
        address = event.address,
        via = event.via.as_str(),
        result = event.result.as_str(),
        "login"
    );
}
