//! `PATCH /imports/{public_id}/rows`: cells of rows are replaced before they are imported again.

use std::collections::BTreeMap;

use stockroom_access::permission::ObjectImport;
use stockroom_model::ImportId;
use stockroom_model::body::{Body, Report, integer};
use stockroom_model::json::Value;
use stockroom_model::object::listed;
use stockroom_store::{Import, ImportState, WriteTx};
use stockroom_tables::{Cell, Row};

use super::access::{existing, read_own};
use super::answer::{self, answer};
use super::file::File;
use super::refused;
use super::rows::{read_chunk, row_results};
use super::upload::{StoredLimits, check_stored};
use crate::{Error, Permit};

/// The most rows of a request.
const MAX_ROWS: usize = 500;
/// The most bytes of a chunk of rows after it.
const MAX_CHUNK_BYTES: usize = 16 * 1_024 * 1_024;

/// New cells by the places of their columns, for rows by their numbers.
type Repairs = BTreeMap<u64, Vec<(usize, Cell)>>;

/// Replaces cells of rows that were not imported.
///
/// # Errors
///
/// [`Error::Invalid`]: a step runs, the file has no such row or column, or a row was imported.
pub async fn repair(
    permit: &Permit<ObjectImport>,
    id: ImportId,
    body: Value,
) -> Result<Value, Error> {
    let import = read_own(permit, id).await?;
    let repairs = repairs(&body, &File::read(&import.file)?)?;
    let limits = StoredLimits::of(permit);
    let repaired = permit.write(move |tx| {
        let import = existing(tx, id)?;
        if import.step.state.is_running() {
            return Err(refused(&import, "be repaired"));
        }
        write(tx, &import, repairs.clone(), limits)?;
        Ok(import)
    });
    answer(&repaired.await?, false)
}

fn repairs(body: &Value, file: &File) -> Result<Repairs, Error> {
    let report = Report::default();
    let repairs = Body::open(body, "", &report).and_then(|body| {
        body.require("rows").then_some(())?;
        body.at_most("rows", MAX_ROWS, "rows")?;
        let rows = body.objects("rows", |row| row_repair(row, file))?;
        let mut repairs = Repairs::new();
        for (number, cells) in rows {
            repairs.entry(number).or_default().extend(cells);
        }
        Some(repairs)
    });
    Ok(report.finish(repairs)?)
}

fn row_repair(row: &Body<'_>, file: &File) -> Option<(u64, Vec<(usize, Cell)>)> {
    let number = row.given("row").and_then(integer);
    let number = number.and_then(|number| u64::try_from(number).ok());
    if number.is_none() {
        row.problem("row", "must be the number of a row");
    }
    row.require("cells").then_some(())?;
    let cells = new_cells(&row.inside("cells")?, file);
    Some((number?, cells))
}

fn new_cells(cells: &Body<'_>, file: &File) -> Vec<(usize, Cell)> {
    let mut repaired = Vec::new();
    for (name, value) in cells.members() {
        let column = file.columns.iter().position(|column| column.name == *name);
        match (column, value) {
            (None, _) => {
                let names = file.names();
                let known = listed(names.iter().copied());
                cells.problem(name, format!("the file has no such column; it has {known}"));
            }
            (_, Value::Array(_) | Value::Object(_)) => {
                cells.problem(name, "must be a text, a number, true, false or null");
            }
            (Some(column), Value::Null) => repaired.push((column, Cell::Nothing)),
            (Some(column), value) => repaired.push((column, Cell::Value(value.clone()))),
        }
    }
    repaired
}

/// Finds the rows chunk by chunk: they have ascending numbers, but not without gaps.
fn write(
    tx: &mut WriteTx<'_>,
    import: &Import,
    mut repairs: Repairs,
    limits: StoredLimits,
) -> Result<(), Error> {
    let was_dry = answer::plan(import)?.is_none_or(|plan| plan.dry_run);
    let nothing_is_imported = was_dry || import.step.state == ImportState::Undone;
    let mut next = 0;
    while let Some(number) = repairs.keys().next().copied() {
        let chunk = chunk_of(tx, import, number, next)?;
        let mut rows = read_chunk(tx, import, chunk)?;
        let last = rows.last().map_or(0, |row| row.number);
        let later = repairs.split_off(&(last.max(number) + 1));
        let row_results = if nothing_is_imported {
            Vec::new()
        } else {
            row_results(tx, import, chunk)?
        };
        for (number, cells) in std::mem::replace(&mut repairs, later) {
            let Ok(index) = rows.binary_search_by_key(&number, |row| row.number) else {
                let detail = format!("the file has no row {number} with values");
                return Err(Error::invalid("/rows", detail));
            };
            let result = row_results.get(index);
            if result.is_some_and(|result| !result.status.is_failure()) {
                let detail = format!("row {number} is imported already");
                return Err(Error::invalid("/rows", detail));
            }
            if let Some(row) = rows.get_mut(index) {
                replace(row, cells);
            }
        }
        let text = serde_json::to_string(&rows).map_err(Error::internal)?;
        if text.len() > MAX_CHUNK_BYTES {
            return Err(Error::invalid("/rows", "the rows would be too long"));
        }
        check_stored(&tx.set_import_chunk(import.id, chunk, &text)?, limits)?;
        next = chunk + 1;
    }
    Ok(())
}

/// The last chunk from `first` on that does not begin after the row.
fn chunk_of(tx: &mut WriteTx<'_>, import: &Import, number: u64, first: i64) -> Result<i64, Error> {
    let (mut low, mut high) = (first, import.chunks);
    while high - low > 1 {
        let middle = low.midpoint(high);
        let begin = read_chunk(tx, import, middle)?
            .first()
            .map_or(0, |row| row.number);
        if begin <= number {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

fn replace(row: &mut Row, cells: Vec<(usize, Cell)>) {
    // The row was looked at.
    row.problem = None;
    for (column, cell) in cells {
        if row.cells.len() <= column {
            row.cells.resize(column + 1, Cell::Missing);
        }
        if let Some(target) = row.cells.get_mut(column) {
            *target = cell;
        }
    }
}
