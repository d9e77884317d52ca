//! Finds the header of a table that begins with a title.

use serde_json::Value;

use crate::Cell;
use crate::table::Record;

/// The rows of the longest title, and those behind the header that must look like a table.
pub(crate) const TITLE: usize = 10;
const ROWS: usize = 5;
/// The bytes up to which records are held.
const BYTES: usize = 256 * 1_024;

/// The first records, as long as none of them is surely the header.
#[derive(Debug, Default)]
pub(crate) struct Beginning {
    held: Vec<Record>,
    bytes: usize,
}

impl Beginning {
    /// Holds a record. False if that is enough to tell the header: at once, unless the first record
    /// has a single value, as titles have.
    pub(crate) fn hold(&mut self, record: Record) -> bool {
        let text = |cell: &Cell| match cell {
            Cell::Value(Value::String(text)) => text.len(),
            _ => 0,
        };
        self.bytes += record.cells.iter().map(text).sum::<usize>();
        self.held.push(record);
        let is_title = self.held.first().is_some_and(|first| first.values() == 1);
        is_title && self.held.len() <= TITLE + ROWS && self.bytes <= BYTES
    }

    /// The records from the header on.
    pub(crate) fn take_from_header(&mut self) -> Vec<Record> {
        let mut held = std::mem::take(&mut self.held);
        held.drain(..title(&held));
        held
    }
}

/// How many records are a title: all of them have one value, and behind them stand words with a
/// table below, none of whose rows has one value or more cells than there are words.
fn title(held: &[Record]) -> usize {
    let Some(length) = held.iter().position(|record| record.values() != 1) else {
        return 0;
    };
    let (Some(header), Some(rows)) = (held.get(length), held.get(length + 1..)) else {
        return 0;
    };
    let fits = |row: &Record| row.values() > 1 && row.filled <= header.filled;
    let is_table = !rows.is_empty() && rows.iter().all(fits);
    if length <= TITLE && are_words(header) && is_table {
        length
    } else {
        0
    }
}

/// Whether all cells of a record are words.
fn are_words(record: &Record) -> bool {
    let is_word = |cell: &Cell| match cell {
        Cell::Value(Value::String(text)) => text.contains(char::is_alphabetic),
        _ => false,
    };
    let filled = usize::try_from(record.filled).unwrap_or(usize::MAX);
    record.problem.is_none() && record.cells.iter().take(filled).all(is_word)
}
