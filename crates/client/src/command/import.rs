//! `stockroom import`: makes objects of the rows of a file, or takes types, categories and groups
//! (`records.rs`).
//!
//! | stage | file in `import/` | what happens |
//! |---|---|---|
//! | upload | `upload.rs` | the server reads the file |
//! | plan | `plan.rs`, `fields.rs` | columns go to fields; a new type is made, or new fields |
//! | wait | `wait.rs` | until the server is done, or the user leaves |
//! | report | `report.rs`, `missing.rs` | what became of the rows, and of missing records |

mod fields;
mod missing;
mod plan;
mod records;
mod report;
mod upload;
mod wait;

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use serde_json::{Value, json};

use self::plan::PlanFlags;
use self::upload::ReadingFlags;
use crate::Program;
use crate::connection::{Connection, ConnectionFlags, Request};
use crate::failure::Failure;
use crate::output::{Format, OutputFlags, say};
use crate::resource::TYPE;

/// What to import, or what to do with an import.
#[derive(Args)]
#[command(group = ArgGroup::new("import").required(true).args(["source", "undo", "watch", "cancel"]))]
pub struct Flags {
    /// The file: CSV, XLSX, JSON or NDJSON; - reads standard input. A JSON file of types, categories
    /// and groups is recognised
    #[arg(value_name = "FILE")]
    source: Option<PathBuf>,
    /// Take back what an import wrote
    #[arg(long, value_name = "ID")]
    undo: Option<i64>,
    /// Wait for an import that runs, and print what became of it
    #[arg(long, value_name = "ID")]
    watch: Option<i64>,
    /// End an import that runs; what it wrote stays
    #[arg(long, value_name = "ID")]
    cancel: Option<i64>,
    #[command(flatten)]
    plan: PlanFlags,
    #[command(flatten)]
    reading: ReadingFlags,
    /// Write the refused rows to this CSV file, with the reasons in the last column, if there are
    /// any
    #[arg(long, value_name = "FILE", conflicts_with = "cancel")]
    failed: Option<PathBuf>,
    #[command(flatten)]
    end: EndFlags,
    /// The reason, for the history
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["watch", "cancel"])]
    comment: Option<String>,
    #[command(flatten)]
    output: OutputFlags,
    #[command(flatten)]
    connection: ConnectionFlags,
}

/// What happens after the start.
#[derive(Args)]
struct EndFlags {
    /// Print the id of the import once it runs, and do not wait
    #[arg(long, conflicts_with_all = ["watch", "cancel", "failed"])]
    detach: bool,
    /// Delete the import with its file at its end, so that regular imports do not pile up; it
    /// cannot be undone then
    #[arg(long, conflicts_with_all = ["watch", "cancel", "undo", "detach"])]
    forget: bool,
}

/// Runs the import, or what else the flags ask for.
pub(crate) fn run_import(flags: &Flags, program: &Program) -> Result<(), Failure> {
    let connection = flags.connection.connect()?;
    if let Some(id) = flags.cancel {
        let import = flags.step(&connection, id, "cancel", &json!({}))?;
        return flags
            .output
            .written(&format!("cancelled import {id}"), &import);
    }
    let records = flags.source.as_deref().filter(|_| !flags.plan.is_of_rows());
    if let Some(body) = records.and_then(records::read_records) {
        return records::import_records(flags, &connection, &body);
    }
    let (id, made) = match (&flags.source, flags.undo, flags.watch) {
        (_, Some(id), _) => {
            flags.step(&connection, id, "undo", &json!({}))?;
            (id, None)
        }
        (_, _, Some(id)) => {
            // Only a server that was there is waited for.
            read(&connection, id)?;
            (id, None)
        }
        (Some(file), ..) => flags.start(&connection, file)?,
        _ => return Err(Failure::usage("name a file")),
    };
    if flags.end.detach {
        return flags.started(&connection, id);
    }
    let import = wait::wait(&connection, id, program)?;
    let is_dry = flags.source.is_some() && import["plan"]["dry_run"] == true;
    let reported = report::report(flags, &connection, import);
    if reported.is_err() || is_dry {
        // With objects it stays: the server refuses to delete it.
        withdraw(&connection, made);
    }
    // Nobody can undo a dry run.
    if flags.end.forget || is_dry {
        connection.send(&Request::delete(&path(id)))?;
    }
    reported
}

impl Flags {
    /// Types, categories and groups are there at once and have no rows.
    fn refuse_those_of_rows(&self) -> Result<(), Failure> {
        if self.end.detach || self.end.forget || self.failed.is_some() {
            let message = "the file holds types, categories or groups; --detach, --forget and --failed are for rows";
            return Err(Failure::usage(message));
        }
        Ok(())
    }

    /// Uploads the file and starts the import. Returns its id, and that of the type that was made
    /// for it.
    fn start(
        &self,
        connection: &Connection,
        file: &std::path::Path,
    ) -> Result<(i64, Option<i64>), Failure> {
        self.plan.check()?;
        let id = upload::upload(connection, file, &self.reading)?;
        let started = self.run(connection, id);
        if started.is_err() {
            // It would count among the imports of the user.
            let _ = connection.send(&Request::delete(&path(id)));
        }
        started.map(|made| (id, made))
    }

    fn run(&self, connection: &Connection, id: i64) -> Result<Option<i64>, Failure> {
        let plan = self.plan.read(connection, id)?;
        let ran = self.step(connection, id, "run", &plan.body);
        if ran.is_err() {
            withdraw(connection, plan.made);
        }
        ran.map(|_| plan.made)
    }

    fn step(
        &self,
        connection: &Connection,
        id: i64,
        step: &str,
        body: &Value,
    ) -> Result<Value, Failure> {
        let path = format!("{}/{step}", path(id));
        let mut request = Request::post(&path, body);
        if let Some(comment) = &self.comment {
            request.headers.push(("x-comment", comment.clone()));
        }
        Ok(connection.send(&request)?.into_record())
    }

    fn started(&self, connection: &Connection, id: i64) -> Result<(), Failure> {
        match self.output.output {
            Format::Table => say(&format!("{id}\n")),
            _ => self.output.record(&read(connection, id)?),
        }
    }
}

/// Deletes a type that was made for rows that were not imported.
fn withdraw(connection: &Connection, made: Option<i64>) {
    if let Some(id) = made {
        let _ = connection.send(&Request::delete(&TYPE.record(id)));
    }
}

/// The path of an import.
fn path(id: i64) -> String {
    format!("/imports/{id}")
}

fn read(connection: &Connection, id: i64) -> Result<Value, Failure> {
    Ok(connection.send(&Request::get(&path(id)))?.into_record())
}
