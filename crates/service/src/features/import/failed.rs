//! `GET /imports/{public_id}/failed`: the refused rows as a file that can be repaired and imported
//! again.

use std::borrow::Cow;

use futures_util::Stream;
use futures_util::stream::try_unfold;
use stockroom_access::permission::ObjectImport;
use stockroom_model::ImportId;
use stockroom_model::json::Value;
use stockroom_model::kind::guessed_value;
use stockroom_tables::csv::{self, Writer};
use stockroom_tables::{Cell, Row};

use super::access::accessible;
use super::file::File;
use super::row_result::RowResult;
use super::rows;
use crate::{Error, Permit};

/// A file with the refused rows of an import.
pub struct Failed<S> {
    /// Its name.
    pub name: String,
    /// Its parts.
    pub content: S,
}

/// Opens the file of the refused rows. The last column says what is wrong.
///
/// # Errors
///
/// There is no such import.
pub async fn failed(
    permit: &Permit<ObjectImport>,
    id: ImportId,
) -> Result<Failed<impl Stream<Item = Result<String, Error>> + Send + use<>>, Error> {
    let reader = permit.clone();
    let import = permit.read_newest(move |tx| accessible(&reader, tx, id));
    let file = File::read(&import.await?.file)?;
    let base = file
        .name
        .rsplit_once('.')
        .map_or(&*file.name, |(base, _)| base);
    let name = format!("{base}-failed.csv");
    let permit = permit.clone();
    let names: Vec<String> = file.columns.into_iter().map(|column| column.name).collect();
    // The first part has the header.
    let content = try_unfold(-1_i64, move |chunk| {
        let (permit, names) = (permit.clone(), names.clone());
        async move {
            if chunk < 0 {
                return Ok(Some((header(&names), 0)));
            }
            let read = part(&permit, id, chunk, names.len()).await?;
            Ok(read.map(|part| (part, chunk + 1)))
        }
    });
    Ok(Failed { name, content })
}

fn header(names: &[String]) -> String {
    let mut line = String::from("\u{feff}");
    let names = names.iter().map(String::as_str);
    let names = names
        .filter(|name| *name != csv::PROBLEM)
        .chain([csv::PROBLEM]);
    Writer::new(b',').line(&mut line, names.map(|name| csv::Cell::Text(name.into())));
    line
}

/// The refused rows of a chunk; `None` after the last chunk.
async fn part(
    permit: &Permit<ObjectImport>,
    id: ImportId,
    chunk: i64,
    columns: usize,
) -> Result<Option<String>, Error> {
    let reader = permit.clone();
    let read = permit.read_newest(move |tx| {
        let import = accessible(&reader, tx, id)?;
        if chunk >= import.chunks {
            return Ok(None);
        }
        let file = File::read(&import.file)?;
        let names = file.names();
        let kept = |column: &usize| names.get(*column) != Some(&csv::PROBLEM);
        let kept: Vec<usize> = (0..columns).filter(kept).collect();
        let row_results = rows::row_results(tx, &import, chunk)?;
        let mut lines = String::new();
        if row_results.iter().any(|result| result.status.is_failure()) {
            let rows = rows::read_chunk(tx, &import, chunk)?;
            let failed = rows.iter().zip(&row_results);
            for (row, result) in failed.filter(|(_, result)| result.status.is_failure()) {
                line(&mut lines, &file, row, result, &kept, &names);
            }
        }
        Ok(Some(lines))
    });
    read.await
}

fn line(
    out: &mut String,
    file: &File,
    row: &Row,
    result: &RowResult,
    columns: &[usize],
    names: &[&str],
) {
    let problems = result.problems.iter().map(|problem| {
        let column = problem.column.and_then(|column| names.get(column));
        match column {
            Some(column) => format!("{column}: {}", problem.detail),
            None => problem.detail.clone(),
        }
    });
    let problems = problems.collect::<Vec<String>>().join("; ");
    let cells = columns.iter().map(|column| cell(file, row.cell(*column)));
    let problems = [csv::Cell::Text(problems.into())];
    // What stands beyond the columns is not lost; the row is refused again until it is repaired.
    let beyond = row
        .cells
        .iter()
        .skip(names.len())
        .map(|extra| cell(file, extra));
    Writer::new(b',').line(out, cells.chain(problems).chain(beyond));
}

/// A cell that is read back as it was.
fn cell<'c>(file: &File, cell: &'c Cell) -> csv::Cell<'c> {
    match cell {
        Cell::Missing => csv::Cell::of(None, true),
        Cell::Nothing | Cell::Broken(_) => csv::Cell::Nothing,
        Cell::Value(Value::String(text)) if file.has_escapes => {
            csv::Cell::Text(Cow::Borrowed(csv::undo(text)))
        }
        // A table means a number by it, or a boolean.
        Cell::Value(Value::String(text))
            if file.is_table() && !guessed_value(text.clone()).is_string() =>
        {
            csv::Cell::Text(text.into())
        }
        Cell::Value(value) => of_value(value),
    }
}

/// A cell that is this value, whatever field it is for.
fn of_value(value: &Value) -> csv::Cell<'static> {
    match csv::Cell::of(Some(&value.to_string()), false) {
        csv::Cell::Nothing => csv::Cell::Nothing,
        csv::Cell::Number(number) => csv::Cell::Text(number.to_owned().into()),
        csv::Cell::Text(text) => csv::Cell::Text(text.into_owned().into()),
    }
}
