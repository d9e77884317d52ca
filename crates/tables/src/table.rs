//! Records of a table as rows under columns: shared by CSV and workbooks.

use std::io;

use serde_json::Value;

use crate::beginning::Beginning;
use crate::csv::PROBLEM;
use crate::{Cell, Column, Error, Limits, Row, csv, header};

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

impl Record {
    /// How many cells have a value.
    pub(crate) fn values(&self) -> usize {
        let has_value = |cell: &&Cell| !matches!(cell, Cell::Missing | Cell::Nothing);
        self.cells.iter().filter(has_value).count()
    }
}

/// Which row of a table names the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Header {
    /// The first one, or the one behind a title.
    #[default]
    Detected,
    /// The first one at or behind this number, from 1.
    Row(u64),
    /// None: the first row is data.
    None,
}

/// Makes rows of records.
pub(crate) struct Table<'l, F> {
    limits: &'l Limits,
    each: F,
    header: Header,
    /// The number of the header.
    header_row: Option<u64>,
    /// Unknown until the header is read.
    has_escapes: Option<bool>,
    /// Whether the cells behind the last one of a row are empty, and not missing.
    is_padded: bool,
    /// The rows that wait for the header.
    beginning: Beginning,
    columns: Option<Vec<Column>>,
    /// The columns up to the last one that the header names.
    named: usize,
    rows: u64,
}

impl<'l, F: FnMut(Row) -> io::Result<()>> Table<'l, F> {
    pub(crate) fn new(header: Header, limits: &'l Limits, each: F) -> Self {
        Self {
            limits,
            each,
            header,
            header_row: None,
            has_escapes: Some(false),
            is_padded: false,
            beginning: Beginning::default(),
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

    /// Fills rows up to the last column: workbooks do not store empty cells.
    pub(crate) fn padded(mut self) -> Self {
        self.is_padded = true;
        self
    }

    pub(crate) fn record(&mut self, record: Record) -> Result<(), Error> {
        if record.filled == 0 && record.problem.is_none() {
            return Ok(());
        }
        if self.columns.is_some() {
            return self.row(record);
        }
        match self.header {
            Header::Row(first) if record.number < first => Ok(()),
            Header::Row(_) => self.begin(&record),
            Header::None => {
                self.begin(&record)?;
                self.row(record)
            }
            Header::Detected if self.beginning.hold(record) => Ok(()),
            Header::Detected => self.settle(),
        }
    }

    /// Takes the records that waited for the header.
    fn settle(&mut self) -> Result<(), Error> {
        let mut records = self.beginning.take_from_header().into_iter();
        if let Some(first) = records.next() {
            self.begin(&first)?;
        }
        records.try_for_each(|record| self.row(record))
    }

    /// What all records had in common.
    pub(crate) fn finish(mut self) -> Result<Outcome, Error> {
        if self.columns.is_none() {
            self.settle()?;
        }
        let empty = || {
            Error::Unreadable(match self.header {
                Header::Row(row) => format!("it has no row {row}, which should name the columns"),
                Header::Detected | Header::None => "it has no rows".to_owned(),
            })
        };
        let mut columns = self.columns.ok_or_else(empty)?;
        while columns.len() > self.named && columns.last().is_some_and(|last| last.filled == 0) {
            columns.pop();
        }
        Ok(Outcome {
            columns,
            rows: self.rows,
            header_row: self.header_row,
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
        let has_header = self.header != Header::None;
        if let Some(problem) = record.problem.as_ref().filter(|_| has_header) {
            let message = format!("its header, row {}, {problem}", record.number);
            return Err(Error::Unreadable(message));
        }
        let width = usize::try_from(record.width.min(limit)).unwrap_or_default();
        let cells: &[Cell] = if has_header { &record.cells } else { &[] };
        let mut names = header::names(cells, width)?;
        self.named = usize::try_from(record.filled).unwrap_or_default();
        let is_export = names.first().is_some_and(|name| name == "public_id");
        let is_ours = is_export || names.last().is_some_and(|name| name == PROBLEM);
        if *self.has_escapes.get_or_insert(has_header && is_ours) {
            let cells: Vec<Cell> = cells.iter().map(undone).collect();
            names = header::names(&cells, width)?;
        }
        self.header_row = has_header.then_some(record.number);
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
        // The cells beyond the columns stay in a row that is refused, to be shown with it.
        let mut row = Row {
            number: record.number,
            cells: record.cells,
            problem: record.problem,
        };
        if record.filled > columns.len() as u64 {
            let (cells, columns) = (record.filled, columns.len());
            let first = if self.header_row.is_some() {
                "header"
            } else {
                "first row"
            };
            let problem = format!("has {cells} cells, but the {first} has {columns}");
            row.problem.get_or_insert(problem);
        }
        if row.problem.is_none() {
            row.cells.truncate(columns.len());
            if self.is_padded {
                row.cells.resize(columns.len(), Cell::Nothing);
            }
            observe(columns, &row.cells, self.has_escapes == Some(true));
        }
        (self.each)(row).map_err(Error::Input)
    }
}

/// A cell of a header as it was before it was escaped.
fn undone(cell: &Cell) -> Cell {
    match cell {
        Cell::Value(Value::String(text)) => Cell::Value(csv::undo(text).into()),
        other => other.clone(),
    }
}

/// What a table turned out to be.
pub(crate) struct Outcome {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: u64,
    pub(crate) header_row: Option<u64>,
    pub(crate) has_escapes: bool,
}

fn observe(columns: &mut [Column], cells: &[Cell], has_escapes: bool) {
    for (column, cell) in columns.iter_mut().zip(cells) {
        match cell {
            Cell::Value(Value::String(text)) if has_escapes => {
                match csv::cell::read_cell(Some(csv::undo(text)), true) {
                    Ok(Some(value)) => column.observe(&value),
                    Ok(None) => {}
                    Err(_) => column.observe(&Value::String(text.clone())),
                }
            }
            Cell::Value(value) => column.observe(value),
            Cell::Missing | Cell::Nothing | Cell::Broken(_) => {}
        }
    }
}
