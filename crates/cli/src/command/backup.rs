//! `stockroom backup FILE`

use std::ops::ControlFlow;
use std::path::Path;

use anyhow::Context as _;
use stockroom_auth::{Clock as _, SystemClock};
use stockroom_store::{Priority, backup};

use super::progress::{Reporter, report};
use crate::config::Config;
use crate::logging::say;

pub(crate) fn run_backup(file: &Path, config: &Config) -> anyhow::Result<()> {
    Priority::Lower.apply();
    let location = config.database.location()?;
    let mut reporter = Reporter::start();
    let saved = backup(&location, file, SystemClock.now(), &mut |progress| {
        reporter.show(&progress);
        ControlFlow::Continue(())
    });
    reporter.finish();
    let saved = saved.with_context(|| format!("the backup of {location} failed"))?;
    say(&report(&saved, &format!("saved to {}", file.display())));
    Ok(())
}
