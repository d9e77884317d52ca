//! The brake on guessing passwords, counted in the database: for all nodes together, and over restarts.

use std::net::IpAddr;

use stockroom_auth::throttle::{self, Failures, WINDOW_MICROS};
use stockroom_model::{Timestamp, User};
use stockroom_store::WriteTx;

use super::own_context;
use crate::{Error, Service};

/// A password is being compared. Dropped, it counts as a failed login.
#[derive(Clone)]
pub(crate) struct Attempt {
    network: String,
    counted: throttle::Attempt,
}

impl Service {
    /// Asks leave for a try, which counts as failed until [`Service::end_attempt`] says otherwise.
    ///
    /// # Errors
    ///
    /// [`Error::Throttled`]
    pub(super) async fn begin_attempt(
        &self,
        user_name: &str,
        address: IpAddr,
    ) -> Result<Attempt, Error> {
        let account = User::name_key(user_name);
        let network = throttle::network(address);
        let now = self.clock.now();
        let key = network.clone();
        let begun = self.store.write(own_context("login", now), move |tx| {
            change(tx, &key, now, |failures| failures.begin(&account, now))?.map_err(|wait| {
                Error::Throttled {
                    retry_after_seconds: wait.0,
                }
            })
        });
        Ok(Attempt {
            counted: begun.await?,
            network,
        })
    }

    /// Changes what is counted of a try.
    pub(crate) async fn end_attempt(
        &self,
        attempt: &Attempt,
        end: fn(&mut Failures, &throttle::Attempt),
    ) -> Result<(), Error> {
        let now = self.clock.now();
        let Attempt { network, counted } = attempt.clone();
        let ended = self.store.write(own_context("login", now), move |tx| {
            change(tx, &network, now, |failures| end(failures, &counted))
        });
        ended.await
    }
}

fn change<T>(
    tx: &mut WriteTx<'_>,
    network: &str,
    now: Timestamp,
    act: impl FnOnce(&mut Failures) -> T,
) -> Result<T, Error> {
    let known: Option<Failures> = tx.failed_logins(network)?;
    let is_new = known.is_none();
    let mut failures = known.unwrap_or_default();
    let outcome = act(&mut failures);
    let kept = (!failures.is_empty()).then_some(&failures);
    tx.set_failed_logins(network, kept, is_new, now.0 - WINDOW_MICROS)?;
    Ok(outcome)
}
