//! Throttling of password guesses: failed logins are counted per network, per account and network,
//! and per account.
//!
//! The caller stores the counters in the database, so that nodes share them and they survive a
//! restart.

use std::net::IpAddr;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use stockroom_model::Timestamp;

/// The number of failed logins that are accepted within the window.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The length of the window: how long a failure counts.
    pub window_seconds: u32,
    /// For one account from one network, which is an IPv4 address or an IPv6 /64.
    pub account_and_network: usize,
    /// From one network.
    pub network: usize,
    /// For one account from one IPv6 /48.
    pub account_and_site: usize,
    /// From one IPv6 /48.
    pub site: usize,
    /// For one account from all networks that are not familiar to it.
    pub account: usize,
    /// How long a network stays familiar to an account after a login.
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

    /// The counters that a login of `account` from `address` must pass. A network is familiar if
    /// the account logged in from it recently: guesses from elsewhere must not lock out the owner.
    #[must_use]
    pub fn counters(&self, account: &str, address: IpAddr, is_familiar: bool) -> Vec<Counter> {
        let mut counters = vec![Counter {
            key: network(address),
            per_account: self.account_and_network,
            total: self.network,
            is_cleared: true,
            has_only_failed: false,
        }];
        if let Some(site) = site(address) {
            counters.push(Counter {
                key: site,
                per_account: self.account_and_site,
                total: self.site,
                is_cleared: true,
                has_only_failed: false,
            });
        }
        if !is_familiar {
            counters.push(Counter {
                key: format!("account {}", digest(account)),
                per_account: self.account,
                total: self.account,
                // Otherwise each login of the owner would give an attacker a new budget.
                is_cleared: false,
                has_only_failed: false,
            });
        }
        counters
    }

    /// The counters of invalid API tokens from `address`. They are apart from those of logins: a
    /// program with an old token must not lock out the people behind the same address.
    #[must_use]
    pub fn token_counters(&self, address: IpAddr) -> Vec<Counter> {
        let counter = |origin: String, limit: usize| Counter {
            key: format!("tokens {origin}"),
            per_account: limit,
            total: limit,
            is_cleared: false,
            has_only_failed: true,
        };
        let site = site(address).map(|site| counter(site, self.site));
        let network = counter(network(address), self.network);
        std::iter::once(network).chain(site).collect()
    }
}

const MICROS_PER_SECOND: i64 = 1_000_000;
/// An attempt that is in progress for longer was broken off.
const LONGEST_CHECK_MICROS: i64 = 60 * MICROS_PER_SECOND;

/// A counter that a login must pass, and its limits.
#[derive(Debug, Clone)]
pub struct Counter {
    /// The key under which the caller stores its failures.
    pub key: String,
    per_account: usize,
    total: usize,
    /// Whether a successful login clears the failures of the account.
    is_cleared: bool,
    /// Whether attempts have failed when they are counted, as invalid tokens have.
    has_only_failed: bool,
}

/// The failures of one counter in the order of their attempts; never more than its limit.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Failures(Vec<Failure>);

#[derive(Debug, Serialize, Deserialize)]
struct Failure {
    at: i64,
    /// A digest, because a client chooses the name, which may be of any length. `None` in failures
    /// that an earlier release stored, of accounts that had logged in since.
    account: Option<String>,
    /// Whether the account has logged in since. The attempt may still be in progress.
    #[serde(default)]
    is_forgiven: bool,
    /// Whether the attempt has not ended: it takes a place, but may be no failure.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_in_progress: bool,
}

impl Failure {
    fn is_in_progress(&self, now: Timestamp) -> bool {
        self.is_in_progress && self.at.saturating_add(LONGEST_CHECK_MICROS) > now.0
    }
}

/// Why an attempt is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// A limit is reached. The number of seconds, at least one, until the next attempt is accepted;
    /// answered as `Retry-After`.
    #[error("too many failed logins, try again in {0} s")]
    TooManyFailures(u64),
    /// A limit would be reached if the attempts in progress failed.
    #[error("too many logins at once, try again in a second")]
    TooManyAtOnce,
}

/// A login in progress. It takes a place among the failures from the start, so that concurrent
/// attempts cannot exceed the limit together.
#[derive(Debug, Clone)]
#[must_use = "dropped, it counts as failed after a minute"]
pub struct Attempt {
    account: String,
    at: i64,
    is_cleared: bool,
}

impl Failures {
    /// Counts an attempt. Account names are case-insensitive.
    ///
    /// # Errors
    ///
    /// [`Refused`] if a limit is reached. A refusal does not prolong the wait.
    pub fn begin(
        &mut self,
        account: &str,
        counter: &Counter,
        window_micros: i64,
        now: Timestamp,
    ) -> Result<Attempt, Refused> {
        let end = |failure: &Failure| failure.at.saturating_add(window_micros);
        // A clock that was set back must not lock anybody out until it is there again.
        let latest = now.0.saturating_add(window_micros);
        self.0
            .retain(|failure| end(failure) > now.0 && failure.at <= latest);
        let account = digest(account);
        let of_account =
            |failure: &&Failure| failure.account.as_ref() == Some(&account) && !failure.is_forgiven;
        let failed = |failure: &&Failure| !failure.is_in_progress(now);
        let waits = [
            wait(
                self.0.iter().filter(of_account).filter(failed).map(end),
                counter.per_account,
                now,
            ),
            wait(self.0.iter().filter(failed).map(end), counter.total, now),
        ];
        if let Some(seconds) = waits.into_iter().flatten().max() {
            return Err(Refused::TooManyFailures(seconds));
        }
        let places_of_account = self.0.iter().filter(of_account).count();
        if places_of_account >= counter.per_account || self.0.len() >= counter.total {
            return Err(Refused::TooManyAtOnce);
        }
        self.0.push(Failure {
            at: now.0,
            account: Some(account.clone()),
            is_forgiven: false,
            is_in_progress: !counter.has_only_failed,
        });
        Ok(Attempt {
            account,
            at: now.0,
            is_cleared: counter.is_cleared,
        })
    }

    /// The login succeeded: clears the failures of this account, but not those of other accounts.
    pub fn succeed(&mut self, attempt: &Attempt) {
        self.withdraw(attempt);
        let is_cleared = |failure: &&mut Failure| {
            attempt.is_cleared && failure.account.as_ref() == Some(&attempt.account)
        };
        for failure in self.0.iter_mut().filter(is_cleared) {
            failure.is_forgiven = true;
        }
    }

    /// The login failed.
    pub fn fail(&mut self, attempt: &Attempt) {
        if let Some(failure) = self.index(attempt).and_then(|index| self.0.get_mut(index)) {
            failure.is_in_progress = false;
        }
    }

    /// Does not count the attempt: the password was not compared, or the comparison was not a
    /// guess.
    pub fn withdraw(&mut self, attempt: &Attempt) {
        if let Some(index) = self.index(attempt) {
            self.0.remove(index);
        }
    }

    /// Where an attempt is counted. Of those at the same time, it is one in progress, if any is.
    fn index(&self, attempt: &Attempt) -> Option<usize> {
        let is_it = |failure: &Failure| {
            failure.at == attempt.at && failure.account.as_ref() == Some(&attempt.account)
        };
        let is_open = |failure: &Failure| is_it(failure) && failure.is_in_progress;
        let open = self.0.iter().rposition(is_open);
        open.or_else(|| self.0.iter().rposition(is_it))
    }

    /// Whether there are no failures.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The network of an address. An IPv6 address counts as its /64, which usually belongs to one
/// customer.
#[must_use]
pub fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V6(address) => prefix(address.to_bits(), 64),
        address @ IpAddr::V4(_) => address.to_string(),
    }
}

/// The network that becomes familiar to an account when it logs in from this address: an IPv4
/// address or an IPv6 /48, since the addresses of one connection change within it.
#[must_use]
pub fn familiar_network(address: IpAddr) -> String {
    site(address).unwrap_or_else(|| network(address))
}

/// The /48 of an IPv6 address, usually the largest block that one customer gets.
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

/// Whole seconds until fewer than `limit` failures remain; `None` if fewer remain now. `ends` are
/// the times when the failures stop counting.
fn wait(ends: impl Iterator<Item = i64>, limit: usize, now: Timestamp) -> Option<u64> {
    let mut ends: Vec<i64> = ends.collect();
    ends.sort_unstable();
    let freed_by = ends.len().checked_sub(limit)?;
    let micros = ends.get(freed_by)?.saturating_sub(now.0);
    let micros = u64::try_from(micros).ok()?;
    Some(micros.div_ceil(MICROS_PER_SECOND.unsigned_abs()))
}

#[cfg(test)]
mod tests;
