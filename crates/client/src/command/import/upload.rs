//! Sends the file.

use std::fs::File;
use std::io::{self, Read, stdin};
use std::path::Path;

use clap::{Args, ValueEnum};
use serde_json::Value;

use crate::connection::{Connection, Request};
use crate::failure::{Exit, Failure};
use crate::progress::Progress;

/// The kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FileFormat {
    Csv,
    Xlsx,
    Json,
    Ndjson,
}

/// How the server reads the file. By default it finds out.
#[derive(Args)]
pub(super) struct ReadingFlags {
    /// The kind of file [default: found out]
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        requires = "source",
        help_heading = "Reading"
    )]
    format: Option<FileFormat>,
    /// CSV: what stands between cells: `,`, `;`, `|` or `tab` [default: found out]
    #[arg(
        long,
        value_name = "SEPARATOR",
        requires = "source",
        help_heading = "Reading"
    )]
    separator: Option<String>,
    /// CSV: the encoding, such as utf-8 or windows-1252 [default: found out]
    #[arg(
        long,
        value_name = "NAME",
        requires = "source",
        help_heading = "Reading"
    )]
    encoding: Option<String>,
    /// The first row is data, and the columns are `column 1`, `column 2`, …
    #[arg(long, requires = "source", help_heading = "Reading")]
    no_header: bool,
    /// The row that names the columns, if a title stands above it [default: found out]
    #[arg(
        long,
        value_name = "NUMBER",
        requires = "source",
        conflicts_with = "no_header",
        value_parser = clap::value_parser!(u64).range(1..),
        help_heading = "Reading"
    )]
    header_row: Option<u64>,
    /// XLSX: the name of the sheet [default: the first one]
    #[arg(
        long,
        value_name = "NAME",
        requires = "source",
        help_heading = "Reading"
    )]
    sheet: Option<String>,
}

impl ReadingFlags {
    fn parameters(&self, name: String) -> Vec<(&'static str, String)> {
        let format = self.format.and_then(|format| format.to_possible_value());
        let format = format.map(|format| format.get_name().to_owned());
        let given = [
            ("file_name", Some(name)),
            ("format", format),
            ("separator", self.separator.clone()),
            ("encoding", self.encoding.clone()),
            ("header", self.no_header.then(|| "false".to_owned())),
            ("header_row", self.header_row.map(|row| row.to_string())),
            ("sheet", self.sheet.clone()),
        ];
        let given = given.into_iter();
        given
            .filter_map(|(name, value)| Some((name, value?)))
            .collect()
    }
}

/// Uploads the file and returns the id of the import.
pub(super) fn upload(
    connection: &Connection,
    file: &Path,
    flags: &ReadingFlags,
) -> Result<i64, Failure> {
    let failed = |error: io::Error| {
        let message = format!("cannot read {}: {error}", file.display());
        Failure::other(message)
    };
    let is_stdin = file == Path::new("-");
    let (source, length): (Box<dyn Read>, _) = if is_stdin {
        (Box::new(stdin()), None)
    } else {
        let open = File::open(file).map_err(failed)?;
        let metadata = open.metadata().map_err(failed)?;
        (Box::new(open), metadata.is_file().then_some(metadata.len()))
    };
    let name = file.file_name().filter(|_| !is_stdin);
    let name = name.map_or_else(
        || "stdin".into(),
        |name| name.to_string_lossy().into_owned(),
    );
    let request = Request {
        method: "POST",
        path: "/imports",
        parameters: flags.parameters(name),
        ..Request::default()
    };
    let mut body = Body {
        source,
        progress: Progress::start("bytes sent", length),
        sent: 0,
        error: None,
    };
    let answer = connection.upload(&request, length, &mut body);
    if let Some(error) = body.error {
        return Err(failed(error));
    }
    let sent = body.sent;
    let import = answer.map_err(|failure| hint(failure, sent))?;
    let import = import.into_record();
    let id = import.get("id").and_then(Value::as_i64);
    id.ok_or_else(|| Failure::other("the server does not say which import this is"))
}

/// A server that refuses a file while it is sent may close the connection before its answer is
/// read.
fn hint(mut failure: Failure, sent: u64) -> Failure {
    if failure.exit == Exit::Unreachable && sent > 0 {
        failure.message += "\n  the file may be longer than the server takes";
    }
    failure
}

/// A file, and how much of it was sent.
struct Body {
    source: Box<dyn Read>,
    progress: Progress,
    sent: u64,
    /// Why the file could not be read: to the connection, this is no different from its own errors.
    error: Option<io::Error>,
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.source.read(buffer) {
            Ok(read) => {
                self.sent += read as u64;
                self.progress.show(self.sent);
                Ok(read)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                let kind = error.kind();
                self.error = Some(error);
                Err(kind.into())
            }
        }
    }
}
