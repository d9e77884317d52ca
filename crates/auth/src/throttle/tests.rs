use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::{Clock, FixedClock};

const HOME: &str = "192.0.2.1";
const AWAY: &str = "192.0.2.2";

struct Login {
    counted: RefCell<HashMap<String, Failures>>,
    clock: FixedClock,
    limits: Limits,
    is_familiar: bool,
}

/// A login in progress: each attempt with the key of its counter.
type Begun = Vec<(String, Attempt)>;

impl Login {
    fn new() -> Self {
        Self {
            counted: RefCell::default(),
            clock: FixedClock::at(Timestamp(1_700_000_000_000_000)),
            limits: Limits::default(),
            is_familiar: false,
        }
    }

    /// The account has recently logged in from all addresses.
    fn from_familiar_networks() -> Self {
        Self {
            is_familiar: true,
            ..Self::new()
        }
    }

    /// Serializes the failures, as they are stored between two requests.
    fn with<T>(&self, key: &str, act: impl FnOnce(&mut Failures) -> T) -> T {
        let mut counted = self.counted.borrow_mut();
        let failures = counted.entry(key.to_owned()).or_default();
        let kept = serde_json::to_string(failures).unwrap();
        *failures = serde_json::from_str(&kept).unwrap();
        act(failures)
    }

    fn check(&self, account: &str, address: &str) -> Result<Begun, Refused> {
        let address = address.parse().unwrap();
        let mut begun = Begun::new();
        for counter in self.limits.counters(account, address, self.is_familiar) {
            let window = self.limits.window_micros();
            let counted = self.with(&counter.key, |failures| {
                failures.begin(account, &counter, window, self.clock.now())
            });
            match counted {
                Ok(attempt) => begun.push((counter.key, attempt)),
                Err(refused) => {
                    self.end(begun, Failures::withdraw);
                    return Err(refused);
                }
            }
        }
        Ok(begun)
    }

    fn end(&self, begun: Begun, end: fn(&mut Failures, &Attempt)) {
        for (key, attempt) in begun {
            self.with(&key, |failures| end(failures, &attempt));
        }
    }

    fn fail(&self, account: &str, address: &str, times: usize) {
        for _ in 0..times {
            let begun = self.check(account, address).unwrap();
            self.end(begun, Failures::fail);
        }
    }

    fn succeed(&self, account: &str, address: &str) {
        let begun = self.check(account, address).unwrap();
        self.end(begun, Failures::succeed);
    }

    fn refused(&self, account: &str, address: &str) -> Option<Refused> {
        let begun = self.check(account, address);
        begun.map(|begun| self.end(begun, Failures::withdraw)).err()
    }

    fn wait(&self, account: &str, address: &str) -> Option<u64> {
        self.refused(account, address).map(|refused| match refused {
            Refused::TooManyFailures(seconds) => seconds,
            Refused::TooManyAtOnce => panic!("an attempt is in progress"),
        })
    }

    fn pass(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }
}

#[test]
fn a_clock_that_was_set_back_makes_nobody_wait_longer_than_two_windows() {
    for (seconds, wait) in [
        (600, Some(1_500)),
        (900, Some(1_800)),
        (901, None),
        (40_000_000, None),
    ] {
        let login = Login::new();
        let right = login.clock.now();
        login.pass(seconds);
        login.fail("alice", HOME, 10);
        login.clock.set(right);
        assert_eq!(login.wait("alice", HOME), wait, "{seconds} s");
    }
}

#[test]
fn the_eleventh_try_waits_and_others_do_not() {
    let login = Login::new();
    login.fail("alice", HOME, 9);
    assert_eq!(login.wait("alice", HOME), None);
    login.fail("alice", HOME, 1);
    for (account, address, wait) in [
        ("alice", HOME, Some(900)),
        ("Alice", HOME, Some(900)),
        ("ALICE", "::ffff:192.0.2.1", Some(900)),
        ("alice", AWAY, None),
        ("bob", HOME, None),
    ] {
        assert_eq!(
            login.wait(account, address),
            wait,
            "{account} from {address}"
        );
    }
}

#[test]
fn failures_are_forgotten_one_by_one_after_15_minutes() {
    let login = Login::new();
    for _ in 0..10 {
        login.fail("alice", HOME, 1);
        login.pass(60);
    }
    assert_eq!(login.wait("alice", HOME), Some(300));
    login.pass(299);
    assert_eq!(login.wait("alice", HOME), Some(1));
    login.pass(1);
    login.fail("alice", HOME, 1);
    assert_eq!(login.wait("alice", HOME), Some(60));
}

#[test]
fn waiting_is_told_in_seconds_rounded_up() {
    let login = Login::new();
    login.fail("alice", HOME, 10);
    login.clock.advance(Duration::from_micros(899_000_001));
    assert_eq!(login.wait("alice", HOME), Some(1));
    login.clock.advance(Duration::from_micros(999_998));
    assert_eq!(login.wait("alice", HOME), Some(1));
    login.clock.advance(Duration::from_micros(1));
    assert_eq!(login.wait("alice", HOME), None);
}

#[test]
fn being_refused_does_not_prolong_the_wait() {
    let login = Login::new();
    login.fail("alice", HOME, 10);
    login.pass(600);
    for _ in 0..50 {
        assert_eq!(login.wait("alice", HOME), Some(300));
    }
}

#[test]
fn success_clears_the_pair_but_not_the_address() {
    let login = Login::new();
    login.fail("alice", HOME, 9);
    login.succeed("alice", HOME);
    login.fail("alice", HOME, 10);
    assert_eq!(login.wait("alice", HOME), Some(900));
    for account in 0..8 {
        login.fail(&format!("user{account}"), HOME, 10);
    }
    // 9 + 10 + 80 failures, without the successful login.
    login.fail("last", HOME, 1);
    assert_eq!(login.wait("fresh", HOME), Some(900));
}

#[test]
fn an_address_that_tries_many_accounts_waits() {
    let login = Login::new();
    for account in 0..100 {
        login.fail(&format!("user{account}"), HOME, 1);
    }
    assert_eq!(login.wait("fresh", HOME), Some(900));
    assert_eq!(login.wait("fresh", AWAY), None);
}

#[test]
fn an_ipv6_network_counts_as_one_address() {
    let login = Login::new();
    for host in 0..10 {
        login.fail("alice", &format!("2001:db8:1:2::{host}"), 1);
    }
    assert_eq!(login.wait("alice", "2001:db8:1:2:ffff::1"), Some(900));
    assert_eq!(login.wait("alice", "2001:db8:1:3::1"), None);
}

#[test]
fn tries_at_the_same_time_cannot_slip_past_the_limit() {
    let login = Login::new();
    let pending: Vec<_> = (0..10)
        .map(|_| login.check("alice", HOME).unwrap())
        .collect();
    let at_once = Some(Refused::TooManyAtOnce);
    assert_eq!(login.refused("alice", HOME), at_once);
    for begun in pending {
        login.end(begun, Failures::withdraw);
    }
    assert_eq!(login.refused("alice", HOME), None);
    let pending: Vec<_> = (0..10)
        .map(|_| login.check("alice", HOME).unwrap())
        .collect();
    for begun in pending {
        assert_eq!(login.refused("alice", HOME), at_once);
        login.end(begun, Failures::fail);
    }
    assert_eq!(login.wait("alice", HOME), Some(900));
}

#[test]
fn a_try_that_never_ends_counts_as_failed_from_its_beginning() {
    let login = Login::new();
    login.fail("alice", HOME, 9);
    let _ = login.check("alice", HOME).unwrap();
    login.pass(59);
    assert_eq!(login.refused("alice", HOME), Some(Refused::TooManyAtOnce));
    login.pass(1);
    assert_eq!(login.wait("alice", HOME), Some(840));
}

#[test]
fn of_tries_at_the_same_time_each_ends_in_its_own_way() {
    let login = Login::new();
    login.fail("alice", HOME, 8);
    let (first, second) = (login.check("alice", HOME), login.check("alice", HOME));
    login.end(first.unwrap(), Failures::fail);
    login.end(second.unwrap(), Failures::withdraw);
    login.fail("alice", HOME, 1);
    assert_eq!(login.wait("alice", HOME), Some(900));
}

#[test]
fn an_invalid_token_is_a_failure_at_once() {
    let login = Login::new();
    let counters = login.limits.token_counters(HOME.parse().unwrap());
    let (counter, mut failures) = (&counters[0], Failures::default());
    let mut begin = || failures.begin("", counter, login.limits.window_micros(), login.clock.now());
    let refused = (0..=100).find_map(|_| begin().err());
    assert_eq!(refused, Some(Refused::TooManyFailures(900)));
}

#[test]
fn no_more_is_kept_than_is_counted() {
    let login = Login::new();
    for account in 0..200 {
        let _ = login.check(&format!("user{account}"), HOME);
    }
    login.with(HOME, |failures| assert_eq!(failures.0.len(), 100));
    login.pass(900);
    assert_eq!(login.wait("fresh", HOME), None);
    login.with(HOME, |failures| assert!(failures.is_empty()));
}

#[test]
fn the_networks_of_an_ipv6_site_count_together_with_higher_limits() {
    let login = Login::new();
    for number in 0..50 {
        login.fail("alice", &format!("2001:db8:1:{number}::1"), 1);
    }
    assert_eq!(login.wait("alice", "2001:db8:1:ffff::1"), Some(900));
    assert_eq!(login.wait("alice", "2001:db8:2::1"), None);
    assert_eq!(login.wait("bob", "2001:db8:1:ffff::1"), None);
    for number in 50..500 {
        login.fail(
            &format!("user{number}"),
            &format!("2001:db8:1:{number:x}::1"),
            1,
        );
    }
    assert_eq!(login.wait("bob", "2001:db8:1:ffff::1"), Some(900));
    assert_eq!(login.wait("bob", "2001:db8:2::1"), None);
}

#[test]
fn an_account_that_is_guessed_at_from_everywhere_waits_but_where_it_is_at_home() {
    let mut login = Login::new();
    login.is_familiar = true;
    login.succeed("alice", HOME);
    login.is_familiar = false;
    for host in 0..100 {
        login.fail("alice", &format!("198.51.100.{host}"), 1);
    }
    assert_eq!(login.wait("alice", AWAY), Some(900));
    assert_eq!(login.wait("bob", AWAY), None);
    login.is_familiar = true;
    assert_eq!(login.wait("alice", HOME), None);
    login.succeed("alice", HOME);
    login.is_familiar = false;
    assert_eq!(
        login.wait("alice", AWAY),
        Some(900),
        "no new budget for guesses"
    );
    login.pass(900);
    assert_eq!(login.wait("alice", AWAY), None);
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Fail(usize),
    Succeed(usize),
    Pass(u64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..3_usize).prop_map(Step::Fail),
        1 => (0..3_usize).prop_map(Step::Succeed),
        1 => (1..400_u64).prop_map(Step::Pass),
    ]
}

proptest! {
    /// Compares with the rule itself on a plain list of (account, second); each account logs in
    /// from its own address.
    #[test]
    fn agrees_with_the_rule(steps in proptest::collection::vec(step(), 1..300)) {
        let accounts = ["alice", "bob", "carol"];
        let login = Login::from_familiar_networks();
        let mut now = 0;
        let mut by_pair: Vec<(usize, u64)> = Vec::new();
        for step in steps {
            by_pair.retain(|(_, at)| at + 900 > now);
            let refused = |who| by_pair.iter().filter(|(other, _)| *other == who).count() >= 10;
            match step {
                Step::Pass(seconds) => {
                    login.pass(seconds);
                    now += seconds;
                }
                Step::Fail(who) => {
                    let attempt = login.check(accounts[who], &format!("192.0.2.{who}"));
                    prop_assert_eq!(attempt.is_err(), refused(who));
                    if let Ok(attempt) = attempt {
                        login.end(attempt, Failures::fail);
                        by_pair.push((who, now));
                    }
                }
                Step::Succeed(who) => {
                    let attempt = login.check(accounts[who], &format!("192.0.2.{who}"));
                    prop_assert_eq!(attempt.is_err(), refused(who));
                    if let Ok(attempt) = attempt {
                        login.end(attempt, Failures::succeed);
                        by_pair.retain(|(other, _)| *other != who);
                    }
                }
            }
        }
    }
}

#[test]
fn logins_that_overlap_leave_no_failures() {
    let counter = Limits::default()
        .counters("ada", HOME.parse().unwrap(), true)
        .remove(0);
    let mut failures = Failures::default();
    let begin = |failures: &mut Failures, micros: i64| {
        let at = Timestamp(1_700_000_000_000_000 + micros);
        failures
            .begin("ada", &counter, Limits::default().window_micros(), at)
            .unwrap()
    };
    let (first, second) = (begin(&mut failures, 0), begin(&mut failures, 1));
    failures.succeed(&first);
    let third = begin(&mut failures, 2);
    failures.succeed(&second);
    failures.succeed(&third);
    assert!(failures.is_empty(), "{failures:?}");
}
