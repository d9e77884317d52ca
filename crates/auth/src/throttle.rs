//! The brake on guessing passwords: failed logins are counted by network, by account and network,
//! and by account alone.
//!
//! The caller keeps the counters: in the database, so that several nodes count together and a
//! restart forgets nothing.

use std::net::IpAddr;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use stockroom_model::Timestamp;

/// How many failed logins are accepted within the window.
#[derive(Debug, Clone)]
pub struct Limits {
    /// How long a failure counts.
    pub window_seconds: u32,
    /// For one account from one network: an IPv4 address or an IPv6 /64.
    pub account_and_network: usize,
    /// From one network.
    pub network: usize,
    /// For one account from one IPv6 /48.
    pub account_and_site: usize,
    /// From one IPv6 /48.
    pub site: usize,
    /// For one account from all networks that it did not log in from lately.
    pub account: usize,
    /// How long a network is familiar to an account after a login.
    pub familiar_days: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            window_seconds: 15 * 60,
            account_and_network: 10,
            network: 100,
            account_and_site: 50,
            site: 500,
            account: 100,
            familiar_days: 30,
        }
    }
}

impl Limits {
    /// The window in microseconds.
    #[must_use]
    pub fn window_micros(&self) -> i64 {
        i64::from(self.window_seconds) * MICROS_PER_SECOND
    }

    /// How long a network is familiar, in microseconds.
    #[must_use]
    pub fn familiar_micros(&self) -> i64 {
        i64::from(self.familiar_days) * 24 * 3_600 * MICROS_PER_SECOND
    }

    /// The counters that a login of `account` from `address` has to pass. A familiar network is one
    /// that the account logged in from lately: guesses from elsewhere must not lock the owner out.
    #[must_use]
    pub fn counters(&self, account: &str, address: IpAddr, is_familiar: bool) -> Vec<Counter> {
        let mut counters = vec![Counter {
            key: network(address),
            per_account: self.account_and_network,
            total: self.network,
            is_cleared: true,
        }];
        if let Some(site) = site(address) {
            counters.push(Counter {
                key: site,
                per_account: self.account_and_site,
                total: self.site,
                is_cleared: true,
            });
        }
        if !is_familiar {
            counters.push(Counter {
                key: format!("account {}", digest(account)),
                per_account: self.account,
                total: self.account,
                // Else whoever guesses would get a new budget with every login of the owner.
                is_cleared: false,
            });
        }
        counters
    }
}

const MICROS_PER_SECOND: i64 = 1_000_000;

/// One of the counters of a login, and its limits.
#[derive(Debug, Clone)]
pub struct Counter {
    /// What is counted under it.
    pub key: String,
    per_account: usize,
    total: usize,
    /// Whether a success forgets the failures of the account.
    is_cleared: bool,
}

/// The failures of one counter, oldest first; never more than its limit.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Failures(Vec<Failure>);

#[derive(Debug, Serialize, Deserialize)]
struct Failure {
    at: i64,
    /// A digest, because the name comes from a stranger and may be of any length; none once the
    /// account logged in.
    account: Option<String>,
}

/// Refused: so many seconds, at least one, until the next try is accepted. The answer's
/// `Retry-After`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("too many failed logins, try again in {0} s")]
pub struct RetryAfterSeconds(pub u64);

/// A login under way. It counts as failed from its beginning, so that tries at the same time cannot
/// slip past the limit together.
#[derive(Debug, Clone)]
#[must_use = "dropped, it counts as failed"]
pub struct Attempt {
    account: String,
    at: i64,
    is_cleared: bool,
}

impl Failures {
    /// Counts a try. Every spelling of an account in upper and lower case is the same account.
    ///
    /// # Errors
    ///
    /// [`RetryAfterSeconds`] when a limit is reached. Being refused does not prolong the wait.
    pub fn begin(
        &mut self,
        account: &str,
        counter: &Counter,
        window_micros: i64,
        now: Timestamp,
    ) -> Result<Attempt, RetryAfterSeconds> {
        let end = |failure: &Failure| failure.at.saturating_add(window_micros);
        self.0.retain(|failure| end(failure) > now.0);
        let account = digest(account);
        let of_account = |failure: &&Failure| failure.account.as_ref() == Some(&account);
        let waits = [
            wait(
                self.0.iter().filter(of_account).map(end),
                counter.per_account,
                now,
            ),
            wait(self.0.iter().map(end), counter.total, now),
        ];
        if let Some(seconds) = waits.into_iter().flatten().max() {
            return Err(RetryAfterSeconds(seconds));
        }
        self.0.push(Failure {
            at: now.0,
            account: Some(account.clone()),
        });
        Ok(Attempt {
            account,
            at: now.0,
            is_cleared: counter.is_cleared,
        })
    }

    /// The login succeeded: the failures of the account are forgotten, those of other accounts are
    /// not.
    pub fn succeed(&mut self, attempt: &Attempt) {
        self.withdraw(attempt);
        let is_cleared = |failure: &&mut Failure| {
            attempt.is_cleared && failure.account.as_ref() == Some(&attempt.account)
        };
        for failure in self.0.iter_mut().filter(is_cleared) {
            failure.account = None;
        }
    }

    /// The attempt does not count: the password was not compared, or the comparison was no guess.
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

/// The network that an address belongs to: an IPv6 address counts as its /64, which one customer
/// has for itself.
#[must_use]
pub fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V6(address) => prefix(address.to_bits(), 64),
        address @ IpAddr::V4(_) => address.to_string(),
    }
}

/// What an account is familiar with when it logs in from an address: an IPv4 address, or an IPv6
/// /48, since addresses of one line change within it.
#[must_use]
pub fn home(address: IpAddr) -> String {
    site(address).unwrap_or_else(|| network(address))
}

/// The /48 of an IPv6 address, which is the most that one customer usually gets.
fn site(address: IpAddr) -> Option<String> {
    match address.to_canonical() {
        IpAddr::V6(address) => Some(prefix(address.to_bits(), 48) + "/48"),
        IpAddr::V4(_) => None,
    }
}

fn prefix(address: u128, bits: u32) -> String {
    IpAddr::V6((address & (u128::MAX << (128 - bits))).into()).to_string()
}

fn digest(account: &str) -> String {
    BASE64_STANDARD_NO_PAD.encode(Sha256::digest(account.to_lowercase()))
}

/// Whole seconds until fewer than `limit` of the failures are left, from the moments when they stop
/// counting; `None` if that is so now.
fn wait(ends: impl Iterator<Item = i64>, limit: usize, now: Timestamp) -> Option<u64> {
    let ends: Vec<i64> = ends.collect();
    let freed_by = ends.len().checked_sub(limit)?;
    let micros = ends.get(freed_by)?.saturating_sub(now.0);
    let micros = u64::try_from(micros).ok()?;
    Some(micros.div_ceil(MICROS_PER_SECOND.unsigned_abs()))
}

#[cfg(test)]
mod tests;
