//! Reads a sheet of a workbook (XLSX).

use std::collections::HashSet;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use calamine::{DataRef, Reader, SheetType, SheetVisible, Xlsx, XlsxError};

use crate::table::{Record, Table};
use crate::{Cell, Error, Format, Limits, Options, Read, Row};

mod cell;
mod digits;
mod formulas;
mod guard;
mod lengths;
mod parts;
mod well_formed;

/// The names of sheets in a message.
const NAMED_SHEETS: usize = 20;
/// How often the text of a workbook may be repeated by its cells.
const REPEATS: u64 = 4;

/// Reads a sheet of a workbook, and passes its rows to `each`.
///
/// Rows without any value are left out. Of merged cells, the first one has the value.
pub fn read_workbook(
    mut input: impl io::Read + io::Seek,
    options: &Options,
    limits: &Limits,
    each: impl FnMut(Row) -> io::Result<()>,
) -> Result<Read, Error> {
    let has_formulas = guard::check(&mut input, limits)?;
    let mut book = catch(|| Xlsx::new(input))?;
    let sheets = book.sheets_metadata().iter();
    let sheets = sheets.filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let visible = sheets
        .clone()
        .find(|sheet| sheet.visible == SheetVisible::Visible);
    let first = visible.or_else(|| sheets.clone().next());
    let first = first.map(|sheet| sheet.name.clone());
    let names: Vec<String> = sheets.map(|sheet| sheet.name.clone()).collect();
    let sheet = choose(&names, first, options.sheet.as_deref())?;

    let mut rows = Rows {
        table: Table::new(options.header, limits, each).padded(),
        limits,
        record: None,
        bytes: 0,
        all_bytes: 0,
    };
    let unknown = if has_formulas {
        formulas::without_results(&mut book, &sheet)?
    } else {
        HashSet::new()
    };
    rows.read(&mut book, &sheet, &unknown)?;
    let outcome = rows.table.finish()?;
    Ok(Read {
        format: Format::Xlsx,
        separator: None,
        encoding: None,
        sheet: Some(sheet),
        sheets: names,
        header_row: outcome.header_row,
        has_escapes: false,
        columns: outcome.columns,
        rows: outcome.rows,
    })
}

fn choose(names: &[String], first: Option<String>, sheet: Option<&str>) -> Result<String, Error> {
    let Some(sheet) = sheet else {
        return first.ok_or_else(|| Error::Unreadable("it has no sheet".to_owned()));
    };
    if names.iter().any(|name| name == sheet) {
        return Ok(sheet.to_owned());
    }
    let listed: Vec<String> = names
        .iter()
        .take(NAMED_SHEETS)
        .map(|name| format!("{name:?}"))
        .collect();
    let more = if names.len() > NAMED_SHEETS {
        ", …"
    } else {
        ""
    };
    let listed = listed.join(", ");
    Err(Error::Unreadable(format!(
        "it has no sheet {sheet:?}, but {listed}{more}"
    )))
}

/// Runs calamine, whose arithmetic overflows on crafted references of cells.
fn catch<T>(read: impl FnOnce() -> Result<T, XlsxError>) -> Result<T, Error> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(read)) => Ok(read),
        Ok(Err(error)) => Err(Error::Unreadable(format!(
            "it is a broken workbook: {error}"
        ))),
        Err(_) => Err(Error::Unreadable("it is a broken workbook".to_owned())),
    }
}

/// Makes records of cells.
struct Rows<'l, F> {
    table: Table<'l, F>,
    limits: &'l Limits,
    record: Option<Record>,
    /// The bytes of the record, and of all records.
    bytes: usize,
    all_bytes: u64,
}

impl<F: FnMut(Row) -> io::Result<()>> Rows<'_, F> {
    fn read<R: io::Read + io::Seek>(
        &mut self,
        book: &mut Xlsx<R>,
        sheet: &str,
        unknown: &HashSet<(u32, u32)>,
    ) -> Result<(), Error> {
        let is_1904 = book.has_1904_epoch();
        let mut cells = catch(|| book.worksheet_cells_reader(sheet))?;
        let patterns = digits::patterns(cells.styles());
        while let Some((cell, style)) = catch(|| cells.next_cell_with_style_id())? {
            let (row, column) = cell.get_position();
            self.go_to(u64::from(row) + 1)?;
            let pattern = patterns.get(style).and_then(Option::as_deref);
            let read = |value: &DataRef<'_>| match value {
                DataRef::Empty if unknown.contains(&(row, column)) => formulas::problem(),
                value => digits::read_digits(value, pattern)
                    .unwrap_or_else(|| cell::read_cell(value, is_1904)),
            };
            self.cell(u64::from(column), cell.get_value(), read)?;
        }
        self.pass()
    }

    /// Begins another record, unless the row is the same.
    fn go_to(&mut self, number: u64) -> Result<(), Error> {
        let current = self.record.as_ref().map(|record| record.number);
        match current {
            Some(current) if current == number => return Ok(()),
            Some(current) if current > number => {
                let message = format!("row {number} stands behind row {current}");
                return Err(Error::Unreadable(message));
            }
            _ => {}
        }
        self.pass()?;
        self.bytes = 0;
        self.record = Some(Record {
            number,
            cells: Vec::new(),
            width: 0,
            filled: 0,
            problem: None,
        });
        Ok(())
    }

    fn pass(&mut self) -> Result<(), Error> {
        match self.record.take() {
            Some(record) => self.table.record(record),
            None => Ok(()),
        }
    }

    fn cell(
        &mut self,
        column: u64,
        data: &DataRef<'_>,
        read: impl FnOnce(&DataRef<'_>) -> Cell,
    ) -> Result<(), Error> {
        let Some(record) = &mut self.record else {
            return Ok(());
        };
        // Not copied before it is measured: many cells may share one long text.
        let bytes = cell::bytes(data);
        self.bytes = self.bytes.saturating_add(bytes);
        self.all_bytes = self.all_bytes.saturating_add(bytes as u64);
        let limit = self.limits.workbook_bytes.saturating_mul(REPEATS);
        if self.all_bytes > limit {
            return Err(Error::Limit {
                what: "bytes in its cells",
                limit,
            });
        }
        let cell = if bytes > self.limits.cell_bytes {
            Cell::Broken(format!("is longer than {} bytes", self.limits.cell_bytes))
        } else if self.bytes > self.limits.row_bytes {
            let problem = format!("is longer than {} bytes", self.limits.row_bytes);
            record.problem.get_or_insert(problem);
            record.cells = Vec::new();
            return Ok(());
        } else {
            read(data)
        };
        if cell != Cell::Nothing {
            put(record, column, cell, self.limits.columns);
        }
        Ok(())
    }
}

/// Puts a cell into its column. Those beyond the limit are only counted.
fn put(record: &mut Record, column: u64, cell: Cell, limit: usize) {
    record.filled = record.filled.max(column + 1);
    record.width = record.filled;
    let index = usize::try_from(column).ok().filter(|index| *index < limit);
    let Some(index) = index.filter(|_| record.problem.is_none()) else {
        return;
    };
    if record.cells.len() <= index {
        record.cells.resize(index + 1, Cell::Nothing);
    }
    if let Some(target) = record.cells.get_mut(index) {
        *target = cell;
    }
}
