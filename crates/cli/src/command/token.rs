//! `stockroom token NAME`

use anyhow::Context as _;
use stockroom_auth::{SystemClock, SystemEntropy};
use stockroom_service::bootstrap::offline_token;

use crate::config::Config;
use crate::logging::say;

pub(crate) fn run(name: &str, config: &Config) -> anyhow::Result<()> {
    let location = config.database.location()?;
    let token = offline_token(
        &location,
        name,
        &config.service(),
        config.secrets()?.master_key,
        &SystemClock,
        &SystemEntropy,
    );
    say(&token.with_context(|| format!("no token from {location}"))?);
    Ok(())
}
