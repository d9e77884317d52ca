//! `stockroom token NAME`

use anyhow::Context as _;
use stockroom_auth::{SystemClock, SystemEntropy};
use stockroom_service::bootstrap::offline_token;

use crate::config::Flags;
use crate::logging::say;

pub(crate) fn run(name: &str, flags: Flags) -> anyhow::Result<()> {
    let config = flags.resolve()?;
    let token = offline_token(
        &config.place,
        name,
        &super::serve::service_config(&config),
        config.secret_key,
        &SystemClock,
        &SystemEntropy,
    );
    say(&token.with_context(|| format!("no token from {}", config.place))?);
    Ok(())
}
