//! The brake on guessing passwords: 10 failures in 15 minutes for an account from one address, 100 from an address altogether
//! (contract, "Authentication").
//!
//! What is counted is a value that the caller keeps for each network: in the database, so that several nodes count together and a
//! restart forgets nothing.

use std::net::IpAddr;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use stockroom_model::Timestamp;

/// How long a failure counts, in microseconds.
pub const WINDOW_MICROS: i64 = 15 * 60 * MICROS_PER_SECOND;

const MICROS_PER_SECOND: i64 = 1_000_000;

const PAIR_LIMIT: usize = 10;

const NETWORK_LIMIT: usize = 100;

/// The failed logins from one network, oldest first; never more than the limit for a network.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Failures(Vec<Failure>);

#[derive(Debug, Serialize, Deserialize)]
struct Failure {
    at: i64,
    /// A digest, because the name comes from a stranger and may be of any length; none once the account logged in.
    account: Option<String>,
}

/// Refused: so many seconds, at least one, until the next try is accepted. The answer's `Retry-After`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many failed logins, try again in {0} s")]
pub struct RetryAfterSeconds(pub u64);

/// A login under way. It counts as failed from its beginning, so that tries at the same time cannot slip past the limit together.
#[derive(Debug, Clone)]
#[must_use = "dropped, it counts as failed"]
pub struct Attempt {
    account: String,
    at: i64,
}

impl Failures {
    /// Asks leave for a try. Every spelling of an account in upper and lower case is the same account.
    ///
    /// # Errors
    ///
    /// [`RetryAfterSeconds`] when a limit is reached. Being refused does not prolong the wait.
    pub fn begin(&mut self, account: &str, now: Timestamp) -> Result<Attempt, RetryAfterSeconds> {
        self.0.retain(|failure| end(failure.at) > now.0);
        let account = BASE64_STANDARD_NO_PAD.encode(Sha256::digest(account.to_lowercase()));
        let of_account = |failure: &&Failure| failure.account.as_ref() == Some(&account);
        let waits = [
            wait(self.0.iter().filter(of_account), PAIR_LIMIT, now),
            wait(self.0.iter(), NETWORK_LIMIT, now),
        ];
        if let Some(seconds) = waits.into_iter().flatten().max() {
            return Err(RetryAfterSeconds(seconds));
        }
        self.0.push(Failure {
            at: now.0,
            account: Some(account.clone()),
        });
        Ok(Attempt { account, at: now.0 })
    }

    /// The login succeeded: the failures of the account are forgotten, those of other accounts from the network are not.
    pub fn succeed(&mut self, attempt: &Attempt) {
        self.withdraw(attempt);
        for failure in &mut self.0 {
            if failure.account.as_ref() == Some(&attempt.account) {
                failure.account = None;
            }
        }
    }

    /// The password was never looked at (overload, a fault of ours): the attempt does not count.
    pub fn withdraw(&mut self, attempt: &Attempt) {
        let is_it = |failure: &Failure| {
            failure.at == attempt.at && failure.account.as_ref() == Some(&attempt.account)
        };
        if let Some(place) = self.0.iter().rposition(is_it) {
            self.0.remove(place);
        }
    }

    /// Whether nothing is counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The name of the network that an address counts for: an IPv6 address stands for its /64 network, which one customer has for itself.
#[must_use]
pub fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            IpAddr::V6((address.to_bits() & !u128::from(u64::MAX)).into()).to_string()
        }
        address @ IpAddr::V4(_) => address.to_string(),
    }
}

/// Whole seconds until fewer than `limit` of the failures are left; `None` if that is so now.
fn wait<'f>(
    failures: impl Iterator<Item = &'f Failure>,
    limit: usize,
    now: Timestamp,
) -> Option<u64> {
    let moments: Vec<i64> = failures.map(|failure| failure.at).collect();
    let freed_by = moments.len().checked_sub(limit)?;
    let micros = end(*moments.get(freed_by)?).saturating_sub(now.0);
    let micros = u64::try_from(micros).ok()?;
    Some(micros.div_ceil(MICROS_PER_SECOND.unsigned_abs()))
}

const fn end(at: i64) -> i64 {
    at.saturating_add(WINDOW_MICROS)
}

#[cfg(test)]
mod tests;
