//! The brake on guessing passwords, counted in the database: for all nodes together, and over restarts.

use std::net::IpAddr;

use stockroom_auth::throttle::{self, Counter, Failures, Limits, RetryAfterSeconds};
use stockroom_model::{Timestamp, UserId, name};
use stockroom_store::{ReadTx, WriteTx};

use super::own_context;
use crate::{Error, Service};

/// A password is being compared. Dropped, it counts as a failed login.
#[derive(Clone)]
pub(crate) struct Attempt {
    /// With the key of the counter that each part stands in.
    counted: Vec<(String, throttle::Attempt)>,
}

impl Service {
    /// Asks leave for a try, which counts as failed until it is ended otherwise; `user` is the one of that name, if there is one.
    ///
    /// # Errors
    ///
    /// [`Error::Throttled`]
    pub(super) async fn begin_attempt(
        &self,
        user: Option<UserId>,
        user_name: &str,
        address: IpAddr,
    ) -> Result<Attempt, Error> {
        let account = name::key(user_name);
        let (now, limits) = (self.clock.now(), self.config.throttle.clone());
        let begin = move |tx: &mut WriteTx<'_>| {
            let is_familiar = is_familiar(tx, user, address, &limits, now)?;
            let mut counted = Vec::new();
            for counter in limits.counters(&account, address, is_familiar) {
                let attempt = begin(tx, &counter, &account, &limits, now)??;
                counted.push((counter.key, attempt));
            }
            Ok(Attempt { counted })
        };
        self.store.write(own_context("login", now), begin).await
    }

    /// Changes what is counted of a try.
    pub(crate) async fn end_attempt(
        &self,
        attempt: &Attempt,
        end: fn(&mut Failures, &throttle::Attempt),
    ) -> Result<(), Error> {
        let (now, limits) = (self.clock.now(), self.config.throttle.clone());
        let attempt = attempt.clone();
        let ended = self.store.write(own_context("login", now), move |tx| {
            attempt.end(tx, end, &limits, now)
        });
        ended.await
    }
}

impl Attempt {
    /// Changes what is counted of this try.
    pub(super) fn end(
        &self,
        tx: &mut WriteTx<'_>,
        end: fn(&mut Failures, &throttle::Attempt),
        limits: &Limits,
        now: Timestamp,
    ) -> Result<(), Error> {
        for (key, counted) in &self.counted {
            change(tx, key, limits, now, |failures| end(failures, counted))?;
        }
        Ok(())
    }
}

/// Notes that a user logged in from there.
pub(super) fn make_familiar(
    tx: &mut WriteTx<'_>,
    user: UserId,
    address: IpAddr,
    limits: &Limits,
) -> Result<(), Error> {
    let kept_from = tx.context().now.0 - limits.familiar_micros();
    Ok(tx.add_login_network(user, &throttle::home(address), kept_from)?)
}

fn is_familiar(
    tx: &mut ReadTx<'_>,
    user: Option<UserId>,
    address: IpAddr,
    limits: &Limits,
    now: Timestamp,
) -> Result<bool, Error> {
    let kept_from = now.0 - limits.familiar_micros();
    Ok(tx.is_login_network(user, &throttle::home(address), kept_from)?)
}

fn begin(
    tx: &mut WriteTx<'_>,
    counter: &Counter,
    account: &str,
    limits: &Limits,
    now: Timestamp,
) -> Result<Result<throttle::Attempt, RetryAfterSeconds>, Error> {
    change(tx, &counter.key, limits, now, |failures| {
        failures.begin(account, counter, limits.window_micros(), now)
    })
}

fn change<T>(
    tx: &mut WriteTx<'_>,
    key: &str,
    limits: &Limits,
    now: Timestamp,
    act: impl FnOnce(&mut Failures) -> T,
) -> Result<T, Error> {
    let known: Option<Failures> = tx.failed_logins(key)?;
    let is_new = known.is_none();
    let mut failures = known.unwrap_or_default();
    let outcome = act(&mut failures);
    let kept = (!failures.is_empty()).then_some(&failures);
    tx.set_failed_logins(key, kept, is_new, now.0 - limits.window_micros())?;
    Ok(outcome)
}

impl From<RetryAfterSeconds> for Error {
    fn from(wait: RetryAfterSeconds) -> Self {
        Self::Throttled {
            retry_after_seconds: wait.0,
        }
    }
}
