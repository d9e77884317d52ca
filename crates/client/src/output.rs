//! Output: tables for people; JSON, YAML and CSV for programs.
//!
//! Values come from other users, so that what goes to a terminal has no control characters, and a
//! cell of a CSV file is no formula.

mod column;
mod csv;
mod file;
mod printer;
mod table;
mod text;

use std::convert::Infallible;
use std::io::{Write as _, stderr, stdout};

use clap::{Args, ValueEnum};
use serde_json::Value;

use crate::failure::Failure;

pub(crate) use self::column::cell;
pub(crate) use self::file::{write_file, write_stdout};
pub(crate) use self::printer::Printer;
pub(crate) use self::text::printable;

/// How records are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Aligned columns, cut to the width of the terminal
    Table,
    /// A list with a record in each line; a single record over several lines
    Json,
    /// The same as YAML
    Yaml,
    /// The columns of the table, for spreadsheets
    Csv,
}

/// How to print.
#[derive(Args, Clone)]
pub(crate) struct OutputFlags {
    /// How to print
    #[arg(short, long, value_enum, value_name = "FORMAT", default_value_t = Format::Table)]
    pub(crate) output: Format,
}

/// How to print a list.
#[derive(Args, Clone)]
pub(crate) struct ListOutputFlags {
    #[command(flatten)]
    pub(crate) format: OutputFlags,
    /// Columns, between commas: members such as label, paths such as meta.icon, names of fields
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', value_parser = item_of_list)]
    pub(crate) columns: Vec<String>,
    /// Print no first row with the names of the columns
    #[arg(long)]
    pub(crate) no_header: bool,
}

/// An item of a list between commas, around which there may be spaces.
#[expect(clippy::unnecessary_wraps, reason = "the form of a parser of clap")]
pub(crate) fn item_of_list(text: &str) -> Result<String, Infallible> {
    Ok(text.trim().to_owned())
}

impl OutputFlags {
    /// Prints one record.
    pub(crate) fn record(&self, record: &Value) -> Result<(), Failure> {
        let text = match self.output {
            Format::Json => text::json_lines(record),
            Format::Yaml => text::yaml(record),
            Format::Table => table::record(record),
            Format::Csv => csv::record(record),
        };
        say(&text)
    }

    /// Prints the record that was written, or in a table only what was done with it.
    pub(crate) fn written(&self, done: &str, record: &Value) -> Result<(), Failure> {
        match self.output {
            Format::Table => say(&format!("{}\n", printable(done))),
            _ => self.record(record),
        }
    }
}

/// Prints for the caller.
pub(crate) fn say(text: &str) -> Result<(), Failure> {
    let mut out = stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Prints a message for the user. Errors are ignored.
pub(crate) fn complain(text: &str) {
    let lines: Vec<_> = text.lines().map(printable).collect();
    let _ = writeln!(stderr(), "{}", lines.join("\n"));
}
