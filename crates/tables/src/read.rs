//! Reads a file of rows that is a text.

use std::io;

use encoding_rs::Encoding;

use crate::text::Text;
use crate::{Error, Format, Limits, Options, Read, Row};

/// Reads CSV, JSON or NDJSON, and passes its rows to `each`.
///
/// Rows of tables without any value are left out, but counted in the numbers of rows.
pub fn read_text(
    input: impl io::Read,
    options: &Options,
    limits: &Limits,
    each: impl FnMut(Row) -> io::Result<()>,
) -> Result<Read, Error> {
    let mut text = Text::new(input, options)?;
    let format = options
        .format
        .unwrap_or_else(|| Format::of_bytes(text.piece.as_bytes()));
    match format {
        Format::Csv => crate::csv::reader::read_csv(&mut text, options, limits, each),
        Format::Json => crate::json::read_json(&mut text, false, limits, each),
        Format::Ndjson => crate::json::read_json(&mut text, true, limits, each),
        Format::Xlsx => Err(Error::Unreadable("it is a workbook, not a text".to_owned())),
    }
}

/// The encoding with this label, such as `utf-8` or `latin1`.
#[must_use]
pub fn encoding_named(label: &str) -> Option<&'static Encoding> {
    Encoding::for_label_no_replacement(label.as_bytes())
}
