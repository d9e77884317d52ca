//! Sessions, failed logins and the login trail.

use clap::builder::RangedU64ValueParser;
use clap::{Args, value_parser};
use stockroom_service::{Config as ServiceConfig, ThrottleLimits};

/// Bounds on logins.
#[derive(Args, Clone)]
#[command(next_help_heading = "Logins")]
#[expect(clippy::struct_field_names, reason = "a field is named as its flag")]
pub(crate) struct Logins {
    /// Maximum lifetime of a session with its refreshed tokens, in seconds
    #[arg(
        long,
        env = "STOCKROOM_SESSION_LIFETIME",
        value_name = "SECONDS",
        default_value_t = ServiceConfig::default().session_lifetime_seconds,
        value_parser = value_parser!(i64).range(1..)
    )]
    session_lifetime: i64,
    /// Sessions of one user; beyond that, the oldest ones end
    #[arg(
        long,
        env = "STOCKROOM_MAX_SESSIONS",
        value_name = "NUMBER",
        default_value_t = ServiceConfig::default().max_sessions_per_user,
        value_parser = at_least_one()
    )]
    max_sessions: usize,
    /// How long a failed login counts, in seconds
    #[arg(
        long,
        env = "STOCKROOM_FAILED_LOGIN_WINDOW",
        value_name = "SECONDS",
        default_value_t = ThrottleLimits::default().window_seconds,
        value_parser = value_parser!(u32).range(1..)
    )]
    failed_login_window: u32,
    /// Failed logins of one account from one address (IPv6: /64)
    #[arg(
        long,
        env = "STOCKROOM_FAILED_LOGINS",
        value_name = "NUMBER",
        default_value_t = ThrottleLimits::default().account_and_network,
        value_parser = at_least_one()
    )]
    failed_logins: usize,
    /// Failed logins from one address (IPv6: /64)
    #[arg(
        long,
        env = "STOCKROOM_FAILED_LOGINS_NETWORK",
        value_name = "NUMBER",
        default_value_t = ThrottleLimits::default().network,
        value_parser = at_least_one()
    )]
    failed_logins_network: usize,
    /// Failed logins of one account from one IPv6 /48
    #[arg(
        long,
        env = "STOCKROOM_FAILED_LOGINS_SITE_ACCOUNT",
        value_name = "NUMBER",
        default_value_t = ThrottleLimits::default().account_and_site,
        value_parser = at_least_one()
    )]
    failed_logins_site_account: usize,
    /// Failed logins from one IPv6 /48
    #[arg(
        long,
        env = "STOCKROOM_FAILED_LOGINS_SITE",
        value_name = "NUMBER",
        default_value_t = ThrottleLimits::default().site,
        value_parser = at_least_one()
    )]
    failed_logins_site: usize,
    /// Failed logins of one account from all addresses from which it did not log in recently
    #[arg(
        long,
        env = "STOCKROOM_FAILED_LOGINS_ACCOUNT",
        value_name = "NUMBER",
        default_value_t = ThrottleLimits::default().account,
        value_parser = at_least_one()
    )]
    failed_logins_account: usize,
    /// How long a login exempts its address from --failed-logins-account, in days
    #[arg(
        long,
        env = "STOCKROOM_FAMILIAR_DAYS",
        value_name = "DAYS",
        default_value_t = ThrottleLimits::default().familiar_days,
        value_parser = value_parser!(u32).range(1..)
    )]
    familiar_days: u32,
    /// How long recorded logins are kept, in days
    #[arg(
        long,
        env = "STOCKROOM_LOGIN_EVENT_DAYS",
        value_name = "DAYS",
        default_value_t = ServiceConfig::default().login_event_days,
        value_parser = value_parser!(u32).range(1..)
    )]
    login_event_days: u32,
    /// Maximum number of recorded logins
    #[arg(
        long,
        env = "STOCKROOM_MAX_LOGIN_EVENTS",
        value_name = "NUMBER",
        default_value_t = ServiceConfig::default().max_login_events,
        value_parser = value_parser!(u32).range(1..)
    )]
    max_login_events: u32,
}

impl Logins {
    pub(super) fn apply(&self, service: &mut ServiceConfig) {
        service.session_lifetime_seconds = self.session_lifetime;
        service.max_sessions_per_user = self.max_sessions;
        service.login_event_days = self.login_event_days;
        service.max_login_events = self.max_login_events;
        service.throttle = ThrottleLimits {
            window_seconds: self.failed_login_window,
            account_and_network: self.failed_logins,
            network: self.failed_logins_network,
            account_and_site: self.failed_logins_site_account,
            site: self.failed_logins_site,
            account: self.failed_logins_account,
            familiar_days: self.familiar_days,
        };
    }
}

fn at_least_one() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..)
}
