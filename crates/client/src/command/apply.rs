//! `stockroom apply`: makes records what files say.
//!
//! | stage | file in `apply/` | input → output |
//! |---|---|---|
//! | read | `manifest.rs` | files → `Manifest`s, in the order in which they need each other |
//! | resolve | `references.rs` | names of other records → ids, or the write that makes them |
//! | plan | `plan.rs`, `types.rs`, `difference.rs` | a `Manifest` and the stored record → `Write` |
//! | send | `batch.rs` | `Write`s → batches |

mod batch;
mod difference;
mod manifest;
mod plan;
mod references;
mod types;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use self::manifest::Manifest;
use self::plan::{Action, Planner, Write};
use crate::connection::ConnectionFlags;
use crate::failure::Failure;
use crate::input;
use crate::output::{printable, say};
use crate::progress::Progress;
use crate::resource::OBJECT;

/// What to apply.
#[derive(Args)]
pub struct Flags {
    /// A file with one or more YAML or JSON documents; - reads standard input; repeat it for more
    #[arg(short = 'f', long = "from", value_name = "FILE", required = true)]
    from: Vec<PathBuf>,
    /// Print what would change, and let the server check it, but change nothing
    #[arg(long)]
    dry_run: bool,
    /// Delete the objects of this type that the files do not have; repeat it for more
    #[arg(long, value_name = "TYPE")]
    prune: Vec<String>,
    /// The reason, for the history
    #[arg(long, value_name = "TEXT")]
    comment: Option<String>,
    /// What to print of a record that is written
    #[arg(short, long, value_enum, value_name = "FORMAT", default_value_t = Format::Changes)]
    output: Format,
    #[command(flatten)]
    connection: ConnectionFlags,
}

/// What is printed of a record that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// What changes in it, and at the end how many there are
    Changes,
    /// Its kind and name, for scripts
    Name,
}

/// Plans all writes before it sends the first.
pub(crate) fn run_apply(flags: &Flags) -> Result<(), Failure> {
    let manifests = read(flags)?;
    let connection = flags.connection.connect()?;
    let mut planner = Planner::new(&connection);
    let mut progress = Progress::start("documents compared", Some(manifests.len() as u64));
    let objects = manifests.partition_point(|manifest| manifest.resource.name != OBJECT.name);
    for (index, manifest) in manifests.iter().enumerate() {
        if index == objects {
            planner.promise(&manifests[objects..])?;
        }
        planner.add(manifest)?;
        progress.show(index as u64 + 1);
    }
    planner.finish()?;
    for name in &flags.prune {
        planner.prune(name)?;
    }
    drop(progress);
    let unchanged = planner.unchanged;
    let writes = planner.writes;
    for write in &writes {
        say(&match flags.output {
            Format::Changes => lines(write),
            Format::Name => format!("{}\n", printable(&write.title)),
        })?;
    }
    batch::send(
        &connection,
        &writes,
        flags.dry_run,
        flags.comment.as_deref(),
    )?;
    if flags.output == Format::Name {
        return Ok(());
    }
    let count = |action| writes.iter().filter(|write| write.action == action).count();
    let (created, changed) = (count(Action::Insert), count(Action::Change));
    let deleted = match count(Action::Delete) {
        0 => String::new(),
        deleted => format!(", deleted: {deleted}"),
    };
    let would = if flags.dry_run { "would be " } else { "" };
    say(&format!(
        "{would}created: {created}, changed: {changed}, unchanged: {unchanged}{deleted}\n"
    ))
}

fn read(flags: &Flags) -> Result<Vec<Manifest>, Failure> {
    let mut manifests = Vec::new();
    for file in &flags.from {
        let documents = input::documents(file)?;
        let read = manifest::read_manifests(documents).map_err(|mut failure| {
            failure.message = format!("{}: {}", file.display(), failure.message);
            failure
        });
        manifests.extend(read?);
    }
    manifest::sort(&mut manifests);
    Ok(manifests)
}

/// What a write does, for people.
fn lines(write: &Write) -> String {
    let mark = match write.action {
        Action::Insert => '+',
        Action::Change => '~',
        Action::Delete => '-',
    };
    let mut lines = format!("{mark} {}\n", printable(&write.title));
    for difference in &write.differences {
        let difference = difference.to_string();
        lines.extend(["    ", &printable(&difference), "\n"]);
    }
    lines
}
