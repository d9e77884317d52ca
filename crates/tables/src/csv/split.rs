//! Splits CSV into records, whatever pieces it comes in.

use memchr::{memchr, memchr3};
use serde_json::Value;

use crate::table::Record;
use crate::{Cell, Error, Limits};

/// Where the next character stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// At the beginning of a cell.
    Start,
    /// In a cell without quotes. A quote is a character like others.
    Plain,
    /// Inside quotes.
    Quoted,
    /// Behind a quote inside quotes, which closes them unless another one follows.
    Quote,
    /// Behind the closing quote, where nothing but spaces may stand.
    Closed,
}

/// What is wrong with a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    TooLong,
    /// More than spaces stand behind its closing quote.
    TextBehind,
}

/// Splits text into records. It holds one record and one cell at most.
pub(super) struct Splitter<'l> {
    separator: u8,
    limits: &'l Limits,
    state: State,
    /// Whether the last line ended with CR, so that LF does not end another one.
    is_after_cr: bool,
    /// The text of the current cell, unless it is too long.
    text: String,
    is_quoted: bool,
    /// Why the cell cannot be used.
    fault: Option<Fault>,
    record: Record,
    /// The bytes of the record.
    bytes: usize,
}

impl<'l> Splitter<'l> {
    pub(super) fn new(separator: u8, limits: &'l Limits) -> Self {
        Self {
            separator,
            limits,
            state: State::Start,
            is_after_cr: false,
            text: String::new(),
            is_quoted: false,
            fault: None,
            record: blank(1, 0),
            bytes: 0,
        }
    }

    /// Takes the next piece, and passes on the records that end in it.
    pub(super) fn feed(
        &mut self,
        piece: &str,
        each: &mut impl FnMut(Record) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut rest = piece;
        while let Some(first) = rest.bytes().next() {
            if std::mem::take(&mut self.is_after_cr) && first == b'\n' {
                rest = after(rest, 1);
                continue;
            }
            rest = match self.state {
                State::Start if first == b'"' => {
                    self.state = State::Quoted;
                    self.is_quoted = true;
                    after(rest, 1)
                }
                State::Start => {
                    self.state = State::Plain;
                    rest
                }
                State::Plain | State::Closed => self.up_to_end(rest, each)?,
                State::Quoted => self.quoted(rest),
                State::Quote if first == b'"' => {
                    self.state = State::Quoted;
                    self.push("\"");
                    after(rest, 1)
                }
                State::Quote => {
                    self.state = State::Closed;
                    rest
                }
            };
        }
        Ok(())
    }

    /// Passes on the last record, which may have no line end.
    pub(super) fn finish(
        mut self,
        each: &mut impl FnMut(Record) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self.state == State::Start && self.record.width == 0 {
            return Ok(());
        }
        if self.state == State::Quoted {
            let (row, cell) = (self.record.number, self.record.width + 1);
            self.spoil(format!(
                "opens a quote in row {row}, cell {cell}, that is never closed"
            ));
        }
        self.end_cell();
        each(self.record)
    }

    /// Takes the text up to the end of the cell, which may be in another piece.
    fn up_to_end<'p>(
        &mut self,
        rest: &'p str,
        each: &mut impl FnMut(Record) -> Result<(), Error>,
    ) -> Result<&'p str, Error> {
        let end = memchr3(self.separator, b'\n', b'\r', rest.as_bytes());
        let text = end.and_then(|end| rest.get(..end)).unwrap_or(rest);
        if self.state == State::Closed {
            if !text.trim().is_empty() {
                self.fault.get_or_insert(Fault::TextBehind);
            }
        } else {
            self.push(text);
        }
        let Some(end) = end else {
            return Ok("");
        };
        self.end_cell();
        let end_byte = rest.as_bytes().get(end).copied();
        if end_byte != Some(self.separator) {
            self.is_after_cr = end_byte == Some(b'\r');
            self.end_record(each)?;
        }
        Ok(after(rest, end + 1))
    }

    fn quoted<'p>(&mut self, rest: &'p str) -> &'p str {
        let Some(end) = memchr(b'"', rest.as_bytes()) else {
            self.push(rest);
            return "";
        };
        self.push(rest.get(..end).unwrap_or_default());
        self.state = State::Quote;
        after(rest, end + 1)
    }

    fn push(&mut self, text: &str) {
        if self.fault.is_some() {
            return;
        }
        if self.text.len() + text.len() > self.limits.cell_bytes {
            self.fault = Some(Fault::TooLong);
            self.text.clear();
        } else {
            self.text.push_str(text);
        }
    }

    fn end_cell(&mut self) {
        self.state = State::Start;
        self.record.width += 1;
        self.bytes += self.text.len();
        let is_quoted = std::mem::take(&mut self.is_quoted);
        let fault = self.fault.take();
        let cell = if fault == Some(Fault::TextBehind) {
            let problem =
                "has text behind its closing quote; a quote inside of quotes is written twice";
            Cell::Broken(problem.to_owned())
        } else if fault == Some(Fault::TooLong) {
            Cell::Broken(format!("is longer than {} bytes", self.limits.cell_bytes))
        } else if self.text.is_empty() && !is_quoted {
            Cell::Nothing
        } else if memchr(0, self.text.as_bytes()).is_some() {
            Cell::Broken("has a NUL character".to_owned())
        } else {
            Cell::Value(Value::String(self.text.as_str().to_owned()))
        };
        self.text.clear();
        if cell != Cell::Nothing {
            self.record.filled = self.record.width;
        }
        if self.bytes > self.limits.row_bytes {
            self.spoil(format!("is longer than {} bytes", self.limits.row_bytes));
        } else if self.record.cells.len() < self.limits.columns && self.record.problem.is_none() {
            self.record.cells.push(cell);
        }
    }

    /// Gives up the cells of the record.
    fn spoil(&mut self, problem: String) {
        self.record.problem.get_or_insert(problem);
        self.record.cells = Vec::new();
    }

    fn end_record(
        &mut self,
        each: &mut impl FnMut(Record) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let next = blank(self.record.number + 1, self.record.cells.len());
        self.bytes = 0;
        each(std::mem::replace(&mut self.record, next))
    }
}

fn blank(number: u64, cells: usize) -> Record {
    Record {
        number,
        cells: Vec::with_capacity(cells),
        width: 0,
        filled: 0,
        problem: None,
    }
}

/// The text behind some bytes, which are whole characters.
fn after(text: &str, bytes: usize) -> &str {
    text.get(bytes..).unwrap_or_default()
}

#[cfg(test)]
mod tests;
