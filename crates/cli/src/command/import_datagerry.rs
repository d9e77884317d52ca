//! `stockroom import-datagerry DUMP`

mod files;
mod leftovers;
mod moving;
mod source;

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use stockroom_datagerry::{Inventory, Limits, Report};
use stockroom_service::Service;
use stockroom_store::Store;

use self::leftovers::Leftovers;
use self::source::Source;
use crate::config::Config;
use crate::logging::{complain, say};

/// What to move, and where to tell of it.
#[derive(Args)]
pub(crate) struct Flags {
    /// The folder that `mongodump` wrote, or the file of `mongodump --archive`; also compressed
    #[arg(value_name = "DUMP")]
    dump: PathBuf,
    /// Read and check everything, and print the report, but write nothing
    #[arg(long)]
    dry_run: bool,
    /// A new file for the report, as JSON
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// A new folder for what Stockroom has no place for: files, logs, locations, rows of multi-data
    /// sections, and members of records
    #[arg(long, value_name = "DIR", conflicts_with = "dry_run")]
    leftovers: Option<PathBuf>,
}

pub(crate) fn run_import_datagerry(flags: &Flags, config: Config) -> anyhow::Result<()> {
    let source = Source::open(&flags.dump)?;
    let limits = Limits {
        record: config.service().records,
        ..Limits::default()
    };
    let read = Inventory::survey(&source, &limits);
    let (inventory, report) = read.context("nothing was moved")?;
    if flags.dry_run {
        save(flags.report.as_deref(), &report)?;
        say(&report.to_text());
        say("This was a dry run: nothing was written.");
        return Ok(());
    }
    let leftovers = flags.leftovers.as_deref();
    let report = super::block_on(moved(config, source, inventory, report, leftovers))?;
    save(flags.report.as_deref(), &report)?;
    say(&report.to_text());
    say("The inventory is moved.");
    Ok(())
}

async fn moved(
    config: Config,
    source: Source,
    inventory: Inventory,
    report: Report,
    leftovers: Option<&Path>,
) -> anyhow::Result<Report> {
    let started = super::serve::start(&config, Store::open_at).await?;
    if let Some(password) = &started.generated_password {
        complain(&format!(
            "\nUser 1 was made with the password {password}\nIt is shown this once.\n"
        ));
    }
    let moved = move_into(&started.service, source, inventory, report, leftovers).await;
    started.service.close().await?;
    moved
}

async fn move_into(
    service: &Arc<Service>,
    source: Source,
    inventory: Inventory,
    report: Report,
    leftovers: Option<&Path>,
) -> anyhow::Result<Report> {
    let into = service.move_in("moved in from DATAGERRY").await;
    let into = into.context("nothing was moved")?;
    if let Some(folder) = leftovers {
        let written = Leftovers::write(folder, &source, &inventory);
        written.context("nothing was moved, and the leftovers are incomplete")?;
    }
    moving::everything(into, source, Arc::new(inventory), report).await
}

/// Writes the report as JSON.
fn save(file: Option<&Path>, report: &Report) -> anyhow::Result<()> {
    let Some(file) = file else { return Ok(()) };
    let text = serde_json::to_string_pretty(&report.to_json())?;
    let made = File::create_new(file).and_then(|mut file| writeln!(file, "{text}"));
    made.with_context(|| format!("the report cannot be written to {}", file.display()))
}
