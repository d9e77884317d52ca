//! What to pass in when a file is read, and what comes out besides its rows.

use encoding_rs::Encoding;

use crate::{Column, Format, Header};

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
    /// [`crate::csv::undo`] and [`crate::csv::cell::read_cell`].
    pub has_escapes: bool,
    /// The columns, and what they hold.
    pub columns: Vec<Column>,
    /// The rows that were passed on.
    pub rows: u64,
}
