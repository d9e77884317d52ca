//! `stockroom config`

use clap::{ArgMatches, Command};

use crate::config::{Config, print};
use crate::logging;

/// `program` and `matches` list the settings by name.
pub(crate) fn run_config(
    program: &Command,
    matches: &ArgMatches,
    config: &Config,
) -> anyhow::Result<()> {
    if let Some((name, matches)) = matches.subcommand()
        && let Some(command) = program.find_subcommand(name)
    {
        config.database.location()?;
        logging::print(print(command, matches, config)?.trim_end())?;
    }
    Ok(())
}
