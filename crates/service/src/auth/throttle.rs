//! Throttles password guessing. The counters are in the database, so they hold for all nodes and
//! survive restarts.

use std::net::IpAddr;

use stockroom_auth::throttle::{self, Counter, Failures, Limits, Refused};
use stockroom_model::{Timestamp, UserId, name};
use stockroom_store::{LoginEvent, LoginResult, LoginVia, ReadTx, WriteTx};

use super::event::{event, log};
use super::session::Client;
use crate::core::own_context::vital_context;
use crate::{Error, Permit, Service};

/// Invalid tokens count for no account.
const ANY_TOKEN: &str = "";

/// A password comparison in progress. If dropped, it counts as a failed login after a minute.
#[derive(Clone)]
pub(crate) struct Attempt {
    /// Each counted part, with the key of its counter.
    counted: Vec<(String, throttle::Attempt)>,
    /// Whether the user has logged in from this network before.
    pub(super) is_familiar: bool,
}

impl Service {
    /// Counts an attempt until it is ended, or refuses it. `user` is the user of that name, if any.
    /// Of refusals after too many failures, the first of an address within the window goes
    /// to the login trail.
    pub(super) async fn begin_attempt(
        &self,
        user: Option<UserId>,
        user_name: &str,
        via: LoginVia,
        client: &Client,
    ) -> Result<Attempt, Error> {
        let account = name::key(user_name);
        let (now, limits) = (self.clock.now(), self.config.throttle.clone());
        let address = client.address;
        let _waiting = self.client_writes.wait(now);
        let context = vital_context(&client.request_id, now);
        let begun = self.store.write(context, move |tx| {
            let is_familiar = is_familiar(tx, user, address, &limits, now)?;
            let counters = limits.counters(&account, address, is_familiar);
            let begun = begin(tx, &counters, &account, &limits, now)?;
            let begun = begun.map(|counted| Attempt {
                counted,
                is_familiar,
            });
            let since = now.0 - limits.window_micros();
            let is_first = is_throttled(&begun)
                && !tx.has_login_event(&address.to_string(), LoginResult::Throttled, since)?;
            Ok::<_, Error>((begun, is_first))
        });
        let (begun, is_first) = begun.await?;
        if is_throttled(&begun) {
            log(&event(user, via, LoginResult::Throttled, client));
        }
        if is_first {
            let event = event(user, via, LoginResult::Throttled, client);
            let (context, trail) = (vital_context(&client.request_id, now), self.trail());
            let noted = self.store.write(context, move |tx| trail.note(tx, &event));
            noted.await?;
        }
        Ok(begun?)
    }

    /// Counts and records an invalid API token; or tells how long there have been too many.
    pub(super) async fn record_failed_token(
        &self,
        failed: LoginEvent,
        client: &Client,
        now: Timestamp,
    ) -> Result<Option<Refused>, Error> {
        let limits = self.config.throttle.clone();
        let counters = limits.token_counters(client.address);
        let (context, trail) = (vital_context(&client.request_id, now), self.trail());
        let count = self.store.write(context, move |tx| {
            match begin(tx, &counters, ANY_TOKEN, &limits, now)? {
                Ok(_) => trail.note(tx, &failed).map(|()| None),
                Err(refused) => Ok(Some(refused)),
            }
        });
        count.await
    }

    /// Applies `end` to the counters of an attempt.
    pub(crate) async fn end_attempt(
        &self,
        attempt: &Attempt,
        end: fn(&mut Failures, &throttle::Attempt),
    ) -> Result<(), Error> {
        let (now, limits) = (self.clock.now(), self.config.throttle.clone());
        let attempt = attempt.clone();
        let ended = self.store.write(vital_context("login", now), move |tx| {
            attempt.end(tx, end, &limits, now)
        });
        ended.await
    }
}

impl Attempt {
    /// Forgets the attempt, because the write replaced the password that was guessed. In an open
    /// transaction this belongs to the write: if that is rolled back, the attempt stays counted.
    pub(crate) async fn withdraw_after_write<P>(&self, permit: &Permit<P>) -> Result<(), Error> {
        let service = permit.service();
        let Some(transaction) = permit.transaction() else {
            return service.end_attempt(self, Failures::withdraw).await;
        };
        let (now, limits) = (service.clock.now(), service.config.throttle.clone());
        let attempt = self.clone();
        let end = move |tx: &mut WriteTx<'_>| attempt.end(tx, Failures::withdraw, &limits, now);
        transaction.write(vital_context("login", now), end).await
    }

    /// Applies `end` to the counters of this attempt.
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

/// Records that a user logged in from this address.
pub(super) fn record_login_network(
    tx: &mut WriteTx<'_>,
    user: UserId,
    address: IpAddr,
    limits: &Limits,
) -> Result<(), Error> {
    let kept_from = tx.context().now.0 - limits.familiar_micros();
    Ok(tx.add_login_network(user, &throttle::familiar_network(address), kept_from)?)
}

fn is_familiar(
    tx: &mut ReadTx<'_>,
    user: Option<UserId>,
    address: IpAddr,
    limits: &Limits,
    now: Timestamp,
) -> Result<bool, Error> {
    let kept_from = now.0 - limits.familiar_micros();
    Ok(tx.is_login_network(user, &throttle::familiar_network(address), kept_from)?)
}

/// Counts an attempt in all counters, or in none. Returns each part with the key of its counter.
fn begin(
    tx: &mut WriteTx<'_>,
    counters: &[Counter],
    account: &str,
    limits: &Limits,
    now: Timestamp,
) -> Result<Result<Vec<(String, throttle::Attempt)>, Refused>, Error> {
    for counter in counters {
        let known: Option<Failures> = tx.failed_logins(&counter.key)?;
        let mut failures = known.unwrap_or_default();
        if let Err(refused) = failures.begin(account, counter, limits.window_micros(), now) {
            return Ok(Err(refused));
        }
    }
    let mut counted = Vec::new();
    for counter in counters {
        let begun = change(tx, &counter.key, limits, now, |failures| {
            failures.begin(account, counter, limits.window_micros(), now)
        })?;
        match begun {
            Ok(attempt) => counted.push((counter.key.clone(), attempt)),
            Err(refused) => return Ok(Err(refused)),
        }
    }
    Ok(Ok(counted))
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

const fn is_throttled<T>(begun: &Result<T, Refused>) -> bool {
    matches!(begun, Err(Refused::TooManyFailures(_)))
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::TooManyFailures(retry_after_seconds) => Self::Throttled {
                retry_after_seconds,
            },
            Refused::TooManyAtOnce => Self::TooManyLogins,
        }
    }
}
