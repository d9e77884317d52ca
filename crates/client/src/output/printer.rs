//! Prints lists, page by page as they arrive.

use std::io::{IsTerminal as _, Write as _, stdout};

use serde_json::{Map, Value, json};

use super::column::{Column, cell};
use super::table::{Layout, printable_row, terminal_width};
use super::text::{json_line, printable, yaml};
use super::{Format, ListOutputFlags, csv};
use crate::failure::Failure;

/// Prints a list.
pub(crate) struct Printer {
    format: Format,
    columns: Vec<Column>,
    /// Whether the user chose the columns; documents then have nothing else.
    is_chosen: bool,
    has_header: bool,
    printed: u64,
    /// Made for the first page.
    layout: Option<Layout>,
}

impl Printer {
    /// A printer of these columns, unless the user chose others.
    pub(crate) fn new(flags: &ListOutputFlags, columns: &[impl AsRef<str>]) -> Self {
        let is_chosen = !flags.columns.is_empty();
        let columns = if is_chosen {
            flags.columns.iter().map(Column::new).collect()
        } else {
            let columns = columns.iter();
            columns.map(|path| Column::new(path.as_ref())).collect()
        };
        Self {
            format: flags.format.output,
            columns,
            is_chosen,
            has_header: !flags.no_header,
            printed: 0,
            layout: None,
        }
    }

    /// How many records were printed.
    pub(crate) const fn printed(&self) -> u64 {
        self.printed
    }

    pub(crate) fn is_table(&self) -> bool {
        self.format == Format::Table
    }

    /// Prints a page.
    pub(crate) fn page(&mut self, records: &[Value]) -> Result<(), Failure> {
        let text = match self.format {
            Format::Table => self.table(records),
            Format::Csv => self.csv(records),
            Format::Json => self.json(records),
            Format::Yaml => self.yaml(records),
        };
        self.printed += records.len() as u64;
        write(&text)
    }

    /// Prints what follows the last page.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        let end = match (self.format, self.printed) {
            (Format::Json | Format::Yaml, 0) => "[]\n",
            (Format::Json, _) => "\n]\n",
            (Format::Table | Format::Csv, 0) => return self.page(&[]),
            _ => "",
        };
        write(end)
    }

    fn table(&mut self, records: &[Value]) -> String {
        let mut rows: Vec<Vec<String>> = Vec::new();
        if self.has_header && self.layout.is_none() {
            let titles = self.columns.iter().map(Column::heading);
            rows.push(
                titles
                    .map(|title| printable(title).to_uppercase())
                    .collect(),
            );
        }
        rows.extend(records.iter().map(|record| {
            let cells = self.columns.iter().map(|column| cell(column.value(record)));
            printable_row(cells.collect())
        }));
        let layout = self.layout.get_or_insert_with(|| {
            let right = self
                .columns
                .iter()
                .map(|column| are_numbers(column, records));
            Layout::new(&rows, right.collect(), terminal_width())
        });
        rows.iter().map(|row| layout.line(row)).collect()
    }

    fn csv(&mut self, records: &[Value]) -> String {
        let mut text = String::new();
        if self.has_header && self.layout.is_none() {
            text += &csv::header(&self.columns);
            self.layout = Some(Layout::new(&[], Vec::new(), None));
        }
        text.extend(records.iter().map(|record| {
            let values = self.columns.iter().map(|column| column.value(record));
            csv::row(values)
        }));
        if stdout().is_terminal() {
            let lines = text.lines().map(|line| format!("{}\n", printable(line)));
            return lines.collect();
        }
        text
    }

    fn json(&self, records: &[Value]) -> String {
        let mut text = String::new();
        for (record, number) in records.iter().zip(self.printed..) {
            text.push_str(if number == 0 { "[\n" } else { ",\n" });
            text += &json_line(&self.chosen(record));
        }
        text
    }

    fn yaml(&self, records: &[Value]) -> String {
        let records = records.iter().map(|record| {
            let record = json!([self.chosen(record)]);
            let item = yaml(&record);
            if item.starts_with('-') {
                return item;
            }
            // In the notation of JSON, which cannot be joined with other items.
            format!("- {}\n", json_line(&record[0]))
        });
        records.collect()
    }

    /// The record, or the chosen columns of it.
    fn chosen(&self, record: &Value) -> Value {
        if !self.is_chosen {
            return record.clone();
        }
        let columns = self.columns.iter();
        let members = columns.map(|column| {
            let value = column.value(record).cloned().unwrap_or_default();
            (column.title().to_owned(), value)
        });
        Value::Object(members.collect::<Map<_, _>>())
    }
}

fn are_numbers(column: &Column, records: &[Value]) -> bool {
    let mut values = records.iter().filter_map(|record| column.value(record));
    values.clone().any(Value::is_number) && values.all(|value| value.is_number() || value.is_null())
}

fn write(text: &str) -> Result<(), Failure> {
    let mut out = stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}
