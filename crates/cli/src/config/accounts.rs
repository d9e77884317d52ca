//! Users, passwords and tokens.

use clap::{Args, value_parser};
use stockroom_service::Config as ServiceConfig;

/// Settings of users, passwords and tokens.
#[derive(Args, Clone)]
#[command(next_help_heading = "Accounts")]
pub(crate) struct Accounts {
    /// How long a token is valid, in seconds
    #[arg(
        long,
        env = "STOCKROOM_TOKEN_LIFETIME",
        value_name = "SECONDS",
        default_value_t = ServiceConfig::default().token_lifetime_seconds,
        value_parser = value_parser!(i64).range(1..)
    )]
    token_lifetime: i64,
    /// Minimum length of a password, in bytes
    #[arg(
        long,
        env = "STOCKROOM_MINIMUM_PASSWORD",
        value_name = "BYTES",
        default_value_t = ServiceConfig::default().minimum_password_bytes
    )]
    pub(crate) minimum_password: usize,
}

impl Accounts {
    pub(super) fn apply(&self, service: &mut ServiceConfig) {
        service.token_lifetime_seconds = self.token_lifetime;
        service.minimum_password_bytes = self.minimum_password;
    }
}
