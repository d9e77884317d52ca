//! `stockroom export`

use std::io::{IsTerminal as _, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::json;

use crate::command::resource::Lookup;
use crate::connection::{Connection, ConnectionFlags, Request};
use crate::failure::Failure;
use crate::output::{write_file, write_stdout};
use crate::resource::{TYPE, VIEW};

/// The kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FileFormat {
    /// A table of one type
    Csv,
    /// A workbook of one type
    Xlsx,
    /// A list of documents
    Json,
    /// A document in each line
    Ndjson,
    /// Everything that you see, as an archive of types, categories and objects
    Zip,
}

/// What to export.
#[derive(Args)]
pub struct Flags {
    /// The kind of file [default: that of the name of the output file]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<FileFormat>,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Name or id of the type of the objects
    #[arg(long = "type", value_name = "TYPE")]
    type_name: Option<String>,
    /// Name or id of a saved view
    #[arg(long, value_name = "VIEW")]
    view: Option<String>,
    /// Filter in JSON
    #[arg(long, value_name = "JSON")]
    filter: Option<String>,
    /// What the objects must contain, as in a search
    #[arg(short = 'q', long = "query", value_name = "WORDS")]
    words: Option<String>,
    /// Path to sort by; a minus in front reverses the order
    #[arg(long, value_name = "PATH", allow_hyphen_values = true)]
    sort: Option<String>,
    /// Columns, between commas
    #[arg(long, value_name = "COLUMNS")]
    columns: Option<String>,
    /// Labels instead of names and ids, for people
    #[arg(long)]
    labels: bool,
    /// Everything as it was at this time, such as 2026-03-04T05:06:07
    #[arg(long, value_name = "TIME")]
    as_of: Option<String>,
    #[command(flatten)]
    connection: ConnectionFlags,
}

/// Writes the file. An export that breaks off leaves no file, or the old one.
pub(crate) fn run_export(flags: &Flags) -> Result<(), Failure> {
    let format = flags.format()?;
    if flags.output.is_none() && format.is_binary() && stdout().is_terminal() {
        return Err(Failure::usage("name the file with -o FILE"));
    }
    let connection = flags.connection.connect()?;
    let mut request = Request::get("/exports/all");
    if format != FileFormat::Zip {
        request = Request::get("/exports/objects");
        request.parameters = flags.parameters(&connection, format)?;
    }
    let mut body = connection.download(&request)?;
    match &flags.output {
        Some(file) => write_file(file, &mut body),
        None => write_stdout(&mut body),
    }
}

impl FileFormat {
    const fn is_binary(self) -> bool {
        matches!(self, Self::Xlsx | Self::Zip)
    }

    /// The name, as parameters and file names have it.
    fn name(self) -> String {
        let value = self.to_possible_value();
        value
            .map(|value| value.get_name().to_owned())
            .unwrap_or_default()
    }
}

impl Flags {
    fn format(&self) -> Result<FileFormat, Failure> {
        let extension = self.output.as_deref().and_then(Path::extension);
        let extension = extension.and_then(|extension| extension.to_str());
        let by_name = extension.and_then(|name| FileFormat::from_str(name, true).ok());
        let format = self.format.or(by_name);
        format.ok_or_else(|| Failure::usage("name the kind of file with --format"))
    }

    fn parameters(
        &self,
        connection: &Connection,
        format: FileFormat,
    ) -> Result<Vec<(&'static str, String)>, Failure> {
        let lookup = |resource, name: &String| {
            let lookup = Lookup {
                connection,
                resource,
            };
            lookup.id(name)
        };
        let mut parameters = vec![("format", format.name())];
        if let Some(filter) = self.filter(|name| lookup(&TYPE, name))? {
            parameters.push(("filter", filter));
        }
        if let Some(view) = &self.view {
            parameters.push(("view", lookup(&VIEW, view)?.to_string()));
        }
        if let Some(sort) = &self.sort {
            let path = sort.strip_prefix('-');
            parameters.push(("sort", path.unwrap_or(sort).to_owned()));
            parameters.push(("order", if path.is_some() { "-1" } else { "1" }.to_owned()));
        }
        for (name, value) in [
            ("q", &self.words),
            ("columns", &self.columns),
            ("as_of", &self.as_of),
        ] {
            parameters.extend(value.clone().map(|value| (name, value)));
        }
        if self.labels {
            parameters.push(("labels", "true".to_owned()));
        }
        Ok(parameters)
    }

    fn filter(
        &self,
        type_id: impl Fn(&String) -> Result<i64, Failure>,
    ) -> Result<Option<String>, Failure> {
        let Some(name) = &self.type_name else {
            return Ok(self.filter.clone());
        };
        let of_type = json!({"type_id": type_id(name)?});
        let Some(filter) = &self.filter else {
            return Ok(Some(of_type.to_string()));
        };
        let filter: serde_json::Value = serde_json::from_str(filter)
            .map_err(|error| Failure::usage(format!("--filter is no JSON: {error}")))?;
        Ok(Some(json!({"$and": [of_type, filter]}).to_string()))
    }
}
