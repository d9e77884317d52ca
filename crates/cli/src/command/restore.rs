//! `stockroom restore FILE`

use std::path::Path;

use anyhow::Context as _;
use stockroom_auth::{Clock as _, SystemClock};
use stockroom_store::restore;

use super::progress::{Reporter, report};
use crate::config::Config;
use crate::logging::say;

pub(crate) fn run_restore(file: &Path, config: &Config) -> anyhow::Result<()> {
    let location = config.database.location()?;
    let mut reporter = Reporter::start();
    let restored = restore(file, &location, SystemClock.now(), &mut |progress| {
        reporter.show(&progress);
    });
    reporter.finish();
    let restored =
        restored.with_context(|| format!("{} was not restored to {location}", file.display()))?;
    say(&report(&restored, "restored and verified"));
    Ok(())
}
