//! Reads a file of rows: what to pass in, and what comes out.

use std::io;

use encoding_rs::Encoding;

use crate::decode::Decoded;
use crate::{Column, Format, Header, Row};

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
        Format::Csv => crate::csv::reader::read(&mut text, options, limits, each),
        Format::Json => crate::json::read(&mut text, false, limits, each),
        Format::Ndjson => crate::json::read(&mut text, true, limits, each),
        Format::Xlsx => Err(Error::Unreadable("it is a workbook, not a text".to_owned())),
    }
}

/// The encoding with this label, such as `utf-8` or `latin1`.
#[must_use]
pub fn encoding_named(label: &str) -> Option<&'static Encoding> {
    Encoding::for_label_no_replacement(label.as_bytes())
}

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input failed, or the caller asked to stop.
    #[error(transparent)]
    Input(#[from] io::Error),
    /// Some bytes are not in the encoding of the file.
    #[error(
        "byte {byte} is not in the encoding {encoding}; tell the right `encoding`, such as windows-1252"
    )]
    Encoding {
        /// The encoding that was detected or given.
        encoding: &'static str,
        /// Where the first such bytes end, from 1.
        byte: u64,
    },
    /// The file as a whole makes no sense.
    #[error("{0}")]
    Unreadable(String),
    /// The file is too big.
    #[error("it has more {what} than the limit of {limit}")]
    Limit {
        /// What there are too many of.
        what: &'static str,
        /// How many there may be.
        limit: u64,
    },
}

/// How much a file may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The bytes of a cell of a table. A longer one is [`crate::Cell::Broken`].
    pub cell_bytes: usize,
    /// The bytes of a row or of a document. A longer one has a [`Row::problem`].
    pub row_bytes: usize,
    /// The columns of a file.
    pub columns: usize,
    /// The rows of a file.
    pub rows: u64,
    /// The bytes of everything in a workbook, unpacked.
    pub workbook_bytes: u64,
    /// The bytes of everything but worksheets in a workbook, unpacked. They are held in memory.
    pub workbook_text_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        const MIB: usize = 1_024 * 1_024;
        Self {
            cell_bytes: MIB,
            row_bytes: 4 * MIB,
            columns: 1_000,
            rows: 10_000_000,
            workbook_bytes: 256 * MIB as u64,
            workbook_text_bytes: 64 * MIB as u64,
        }
    }
}

/// What the caller knows of a file. The rest is detected.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The format.
    pub format: Option<Format>,
    /// The ASCII character between cells of CSV.
    pub separator: Option<u8>,
    /// The encoding of a text without a byte order mark.
    pub encoding: Option<&'static Encoding>,
    /// Which row of a table names the columns.
    pub header: Header,
    /// Whether cells of CSV are escaped as in our own exports.
    pub has_escapes: Option<bool>,
    /// The name of the sheet. By default it is the first visible one.
    pub sheet: Option<String>,
}

/// What a file turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// The format.
    pub format: Format,
    /// The character between cells of CSV.
    pub separator: Option<char>,
    /// The encoding of a text.
    pub encoding: Option<&'static str>,
    /// The name of the sheet.
    pub sheet: Option<String>,
    /// The names of all sheets of a workbook.
    pub sheets: Vec<String>,
    /// The number of the row that named the columns.
    pub header_row: Option<u64>,
    /// Whether cells are escaped as in our own exports. They are passed on as they stand: see
    /// [`crate::csv::undo`] and [`crate::csv::cell::read`].
    pub has_escapes: bool,
    /// The columns, and what they hold.
    pub columns: Vec<Column>,
    /// The rows that were passed on.
    pub rows: u64,
}

/// A text in pieces.
pub(crate) struct Text<R> {
    decoded: Decoded<R>,
    /// The current piece; empty at the end.
    pub(crate) piece: String,
}

impl<R: io::Read> Text<R> {
    fn new(input: R, options: &Options) -> Result<Self, Error> {
        let decoded = Decoded::new(input, options.encoding)?;
        let piece = String::new();
        let mut text = Self { decoded, piece };
        text.next()?;
        Ok(text)
    }

    /// Goes to the next piece.
    pub(crate) fn next(&mut self) -> Result<(), Error> {
        self.piece.clear();
        while self.piece.is_empty() && self.decoded.next(&mut self.piece)? {}
        Ok(())
    }

    pub(crate) fn encoding(&self) -> &'static str {
        self.decoded.encoding().name()
    }
}
