//! Reads files, and writes rows in a short form.

use std::io::Cursor;

use serde_json::Value;
use stockroom_tables::{Cell, Error, Limits, Options, Read, Row, read_text, read_workbook};

/// What was read: the columns and the rows.
#[derive(Debug, Default)]
pub(crate) struct File {
    pub(crate) read: Option<Read>,
    pub(crate) rows: Vec<Row>,
    pub(crate) error: Option<String>,
}

impl File {
    fn of(result: Result<Read, Error>, rows: Vec<Row>) -> Self {
        let (read, error) = match result {
            Ok(read) => (Some(read), None),
            Err(error) => (None, Some(error.to_string())),
        };
        Self { read, rows, error }
    }

    pub(crate) fn read(&self) -> &Read {
        self.read
            .as_ref()
            .unwrap_or_else(|| panic!("{:?}", self.error))
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.read()
            .columns
            .iter()
            .map(|column| &*column.name)
            .collect()
    }

    /// Each row as `number: cell | cell`. Texts stand as they are, other values are JSON behind `=`;
    /// `-` is a missing cell, `~` an empty one.
    pub(crate) fn short(&self) -> Vec<String> {
        self.rows.iter().map(short).collect()
    }
}

fn short(row: &Row) -> String {
    if let Some(problem) = &row.problem {
        return format!("{}: problem: {problem}", row.number);
    }
    let cell = |cell: &Cell| match cell {
        Cell::Missing => "-".to_owned(),
        Cell::Nothing => "~".to_owned(),
        Cell::Value(Value::String(text)) => text.clone(),
        Cell::Value(value) => format!("={value}"),
        Cell::Broken(problem) => format!("broken: {problem}"),
    };
    let cells: Vec<String> = row.cells.iter().map(cell).collect();
    format!("{}: {}", row.number, cells.join(" | "))
}

pub(crate) fn text_with(bytes: &[u8], options: &Options, limits: &Limits) -> File {
    let mut rows = Vec::new();
    let result = read_text(bytes, options, limits, |row| {
        rows.push(row);
        Ok(())
    });
    File::of(result, rows)
}

pub(crate) fn text(text: &str) -> File {
    text_with(text.as_bytes(), &Options::default(), &Limits::default())
}

pub(crate) fn workbook_with(bytes: &[u8], options: &Options, limits: &Limits) -> File {
    let mut rows = Vec::new();
    let result = read_workbook(Cursor::new(bytes), options, limits, |row| {
        rows.push(row);
        Ok(())
    });
    File::of(result, rows)
}
