//! Records of a table as rows under columns: shared by CSV and workbooks.

use std::io;

use serde_json::Value;

use crate::csv::PROBLEM;
use crate::{Cell, Column, Error, Limits, Row, header};

/// A record of a table: a line of CSV, or a row of a sheet.
#[derive(Debug, PartialEq)]
pub(crate) struct Record {
    /// Its number as a spreadsheet shows it.
    pub(crate) number: u64,
    /// Its first cells, as many as a file may have columns.
    pub(crate) cells: Vec<Cell>,
    /// All its cells.
    pub(crate) width: u64,
    /// Its cells up to the last one that has a value.
    pub(crate) filled: u64,
    pub(crate) problem: Option<String>,
}

/// Makes rows of records.
pub(crate) struct Table<'l, F> {
    limits: &'l Limits,
    each: F,
    has_header: bool,
    /// Unknown until the header is read.
    has_escapes: Option<bool>,
    columns: Option<Vec<Column>>,
    /// The columns up to the last one that the header names.
    named: usize,
    rows: u64,
}

impl<'l, F: FnMut(Row) -> io::Result<()>> Table<'l, F> {
    pub(crate) fn new(has_header: Option<bool>, limits: &'l Limits, each: F) -> Self {
        Self {
            limits,
            each,
            has_header: has_header.unwrap_or(true),
            has_escapes: Some(false),
            columns: None,
            named: 0,
            rows: 0,
        }
    }

    /// Detects our own exports by their first column, unless the caller knows.
    pub(crate) fn with_escapes(mut self, has_escapes: Option<bool>) -> Self {
        self.has_escapes = has_escapes;
        self
    }

    pub(crate) fn record(&mut self, record: Record) -> Result<(), Error> {
        if record.filled == 0 && record.problem.is_none() {
            return Ok(());
        }
        if self.columns.is_none() {
            self.begin(&record)?;
            if self.has_header {
                return Ok(());
            }
        }
        self.row(record)
    }

    /// What all records had in common.
    pub(crate) fn finish(self) -> Result<Outcome, Error> {
        let empty = || Error::Unreadable("it has no rows".to_owned());
        let mut columns = self.columns.ok_or_else(empty)?;
        while columns.len() > self.named && columns.last().is_some_and(|last| last.filled == 0) {
            columns.pop();
        }
        Ok(Outcome {
            columns,
            rows: self.rows,
            has_header: self.has_header,
            has_escapes: self.has_escapes == Some(true),
        })
    }

    /// Names the columns by the first record.
    fn begin(&mut self, record: &Record) -> Result<(), Error> {
        let limit = self.limits.columns as u64;
        if record.filled > limit {
            return Err(Error::Limit {
                what: "columns",
                limit,
            });
        }
        if let Some(problem) = record.problem.as_ref().filter(|_| self.has_header) {
            let message = format!("its header, row {}, {problem}", record.number);
            return Err(Error::Unreadable(message));
        }
        let width = usize::try_from(record.width.min(limit)).unwrap_or_default();
        let cells: &[Cell] = if self.has_header { &record.cells } else { &[] };
        let names = header::names(cells, width)?;
        self.named = usize::try_from(record.filled).unwrap_or_default();
        let is_export = names.first().is_some_and(|name| name == "public_id");
        let is_ours = is_export || names.last().is_some_and(|name| name == PROBLEM);
        self.has_escapes.get_or_insert(self.has_header && is_ours);
        self.columns = Some(names.into_iter().map(Column::new).collect());
        Ok(())
    }

    fn row(&mut self, record: Record) -> Result<(), Error> {
        self.rows += 1;
        if self.rows > self.limits.rows {
            return Err(Error::Limit {
                what: "rows",
                limit: self.limits.rows,
            });
        }
        let columns = self.columns.as_deref_mut().unwrap_or_default();
        let mut row = Row {
            number: record.number,
            cells: record.cells,
            problem: record.problem,
        };
        row.cells.truncate(columns.len());
        if record.filled > columns.len() as u64 {
            let (cells, columns) = (record.filled, columns.len());
            let first = if self.has_header {
                "header"
            } else {
                "first row"
            };
            let problem = format!("has {cells} cells, but the {first} has {columns}");
            row.problem.get_or_insert(problem);
        }
        if row.problem.is_none() {
            observe(columns, &row.cells, self.has_escapes == Some(true));
        }
        (self.each)(row).map_err(Error::Input)
    }
}

/// What a table turned out to be.
pub(crate) struct Outcome {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: u64,
    pub(crate) has_header: bool,
    pub(crate) has_escapes: bool,
}

fn observe(columns: &mut [Column], cells: &[Cell], has_escapes: bool) {
    for (column, cell) in columns.iter_mut().zip(cells) {
        match cell {
            // The mark of a missing value.
            Cell::Value(Value::String(text)) if has_escapes && text == "\\" => {}
            Cell::Value(value) => column.observe(value),
            Cell::Missing | Cell::Nothing | Cell::Broken(_) => {}
        }
    }
}
