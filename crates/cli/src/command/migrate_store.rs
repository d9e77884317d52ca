//! `stockroom migrate-store`

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use stockroom_auth::{Clock as _, SystemClock};
use stockroom_store::{Location, transfer};

use super::progress::{Reporter, report};
use crate::config::parse_location;
use crate::logging::{complain, say};

/// The two places. A URL may hold a password, so that each can be given as a secret as well.
#[derive(Args)]
pub(crate) struct Flags {
    /// The source: the data directory of a stopped server, or a URL such as
    /// `postgres://stockroom@db1/inventory`; for a URL with a password, use the environment, or the
    /// file that `STOCKROOM_MIGRATE_FROM_FILE` names
    #[arg(
        long,
        env = "STOCKROOM_MIGRATE_FROM",
        value_name = "PLACE",
        hide_env_values = true
    )]
    from: Option<String>,
    /// The target: a data directory or a URL, without records, created if missing; the file may be
    /// named by `STOCKROOM_MIGRATE_TO_FILE`
    #[arg(
        long,
        env = "STOCKROOM_MIGRATE_TO",
        value_name = "PLACE",
        hide_env_values = true
    )]
    to: Option<String>,
    /// Schema of the source tables [default: the first of the search path]
    #[arg(long, env = "STOCKROOM_MIGRATE_FROM_SCHEMA", value_name = "NAME")]
    from_schema: Option<String>,
    /// Schema of the target tables, created if missing [default: the first of the search path]
    #[arg(long, env = "STOCKROOM_MIGRATE_TO_SCHEMA", value_name = "NAME")]
    to_schema: Option<String>,
    /// PEM file with the certificate authorities for the source server [default: those of the
    /// system]
    #[arg(long, env = "STOCKROOM_MIGRATE_FROM_CA", value_name = "FILE")]
    from_ca: Option<PathBuf>,
    /// PEM file with the certificate authorities for the target server [default: those of the
    /// system]
    #[arg(long, env = "STOCKROOM_MIGRATE_TO_CA", value_name = "FILE")]
    to_ca: Option<PathBuf>,
}

pub(crate) fn run_migrate_store(flags: Flags) -> anyhow::Result<()> {
    let from = given("--from", flags.from)?;
    let from = parse_location(&from, flags.from_schema, flags.from_ca)?;
    let to = given("--to", flags.to)?;
    let to = parse_location(&to, flags.to_schema, flags.to_ca)?;
    if matches!(from, Location::Server(_)) {
        complain(
            "Servers that use the source can read, and their writes wait. Stop them before this ends: what they write afterwards is not copied.",
        );
    }
    let mut reporter = Reporter::start();
    let transferred = transfer(&from, &to, SystemClock.now(), &mut |progress| {
        reporter.show(&progress);
    });
    reporter.finish();
    let transferred =
        transferred.with_context(|| format!("the copy from {from} to {to} failed"))?;
    say(&report(&transferred, "copied and verified"));
    Ok(())
}

fn given(flag: &str, name: Option<String>) -> anyhow::Result<String> {
    name.filter(|name| !name.is_empty())
        .with_context(|| format!("{flag} must name a directory or a postgres:// URL"))
}
