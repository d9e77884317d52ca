//! `GET /imports/{public_id}/rows`: the rows of a file with their results.

use serde::Serialize;
use stockroom_access::permission::ObjectImport;
use stockroom_model::json::Value;
use stockroom_model::{ImportId, ObjectId};
use stockroom_store::{Import, ReadTx};
use stockroom_tables::{Cell, Row};
use utoipa::ToSchema;

use super::access::accessible;
use super::file::File;
use super::row_result::{self, ProblemAnswer, RowResult, RowStatus};
use crate::core::answer::document;
use crate::{Error, Permit};

/// The most rows of a page.
pub const MAX_ROWS: usize = 500;
/// The chunks that a page looks at: a status may be rare.
const MAX_CHUNKS: i64 = 100;
/// The characters of a cell that are shown.
const MAX_SHOWN: usize = 1_000;

/// The requested rows.
#[derive(Debug, Clone, Default)]
pub struct RowsRequest {
    /// Only rows with this status.
    pub status: Option<String>,
    /// The cursor of an earlier page.
    pub after: Option<String>,
    /// How many rows.
    pub limit: usize,
}

/// A page of rows.
#[derive(Debug)]
pub struct RowsPage {
    /// The rows.
    pub results: Vec<Value>,
    /// The cursor of the next page; `None` after the last row. A page that has none of the wanted
    /// rows may have a next one.
    pub after: Option<String>,
}

/// A position in a file: a chunk, and a row of it.
type RowPosition = (i64, usize);

/// Reads a page of rows.
///
/// # Errors
///
/// [`Error::Invalid`]: there is no such status, or the cursor is none.
pub async fn rows(
    permit: &Permit<ObjectImport>,
    id: ImportId,
    request: RowsRequest,
) -> Result<RowsPage, Error> {
    let wanted = match request.status.as_deref() {
        None => None,
        Some(word) => Some(RowStatus::named(word).ok_or_else(|| {
            let detail = "must be new, update, unchanged, duplicate, error, undone or kept";
            Error::invalid("status", detail)
        })?),
    };
    let position = match request.after.as_deref() {
        None | Some("") => (0, 0),
        Some(cursor) => read_cursor(cursor)
            .ok_or_else(|| Error::invalid("after", "is no cursor of a page of rows"))?,
    };
    let limit = request.limit.clamp(1, MAX_ROWS);
    let reader = permit.clone();
    let read = permit.read_newest(move |tx| {
        let import = accessible(&reader, tx, id)?;
        page(tx, &import, wanted, position, limit)
    });
    read.await
}

pub(super) fn read_cursor(cursor: &str) -> Option<RowPosition> {
    let (chunk, row) = cursor.split_once('.')?;
    let chunk: i64 = chunk.parse().ok()?;
    (chunk >= 0).then_some((chunk, row.parse().ok()?))
}

fn page(
    tx: &mut ReadTx<'_>,
    import: &Import,
    wanted: Option<RowStatus>,
    (mut chunk, mut skipped): RowPosition,
    limit: usize,
) -> Result<RowsPage, Error> {
    let file = File::read(&import.file)?;
    let names = file.names();
    let last = chunk.saturating_add(MAX_CHUNKS).min(import.chunks);
    let mut results = Vec::new();
    while chunk < last {
        let row_results = row_results(tx, import, chunk)?;
        let is_wanted = |index: usize| match wanted {
            None => true,
            Some(wanted) => row_results
                .get(index)
                .is_some_and(|result| result.status == wanted),
        };
        if wanted.is_none() || (0..row_results.len()).any(is_wanted) {
            for (index, row) in read_chunk(tx, import, chunk)?
                .iter()
                .enumerate()
                .skip(skipped)
            {
                if results.len() == limit {
                    let after = Some(format!("{chunk}.{index}"));
                    return Ok(RowsPage { results, after });
                }
                if is_wanted(index) {
                    results.push(answer(row, row_results.get(index), &names));
                }
            }
        }
        (chunk, skipped) = (chunk + 1, 0);
    }
    let after = (chunk < import.chunks).then(|| format!("{chunk}.0"));
    Ok(RowsPage { results, after })
}

/// The rows of a chunk.
pub(super) fn read_chunk(
    tx: &mut ReadTx<'_>,
    import: &Import,
    chunk: i64,
) -> Result<Vec<Row>, Error> {
    let rows = tx.import_chunk(import.id, chunk)?.unwrap_or_default();
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    serde_json::from_str(&rows).map_err(Error::internal)
}

pub(super) fn row_results(
    tx: &mut ReadTx<'_>,
    import: &Import,
    chunk: i64,
) -> Result<Vec<RowResult>, Error> {
    let text = tx.import_results(import.id, chunk)?;
    row_result::read_results(&text.unwrap_or_default())
}

/// A row of a file
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportRow)]
pub struct RowAnswer {
    /// Its number as a spreadsheet shows it
    #[schema(value_type = i64, minimum = 1)]
    row: u64,
    /// What became of it, or in a dry run what would become of it
    #[schema(required)]
    status: Option<ReportedStatus>,
    /// Id of its object
    #[schema(value_type = Option<i64>, required)]
    object: Option<ObjectId>,
    problems: Vec<ProblemAnswer>,
    /// In the order of the columns
    cells: Vec<Value>,
}

/// What became of a row
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = ImportRowStatus)]
#[serde(rename_all = "lowercase")]
pub enum ReportedStatus {
    /// It made an object.
    New,
    /// It changed an object.
    Update,
    /// The object held all of it already.
    Unchanged,
    /// An earlier row of the file has the same key.
    Duplicate,
    /// It was refused.
    Error,
    /// What it did was taken back.
    Undone,
    /// What it did was not taken back.
    Kept,
}

impl ReportedStatus {
    /// `None` for what becomes of objects that the file lacks.
    const fn of(status: RowStatus) -> Option<Self> {
        Some(match status {
            RowStatus::New => Self::New,
            RowStatus::Update => Self::Update,
            RowStatus::Unchanged => Self::Unchanged,
            RowStatus::Duplicate => Self::Duplicate,
            RowStatus::Error => Self::Error,
            RowStatus::Undone => Self::Undone,
            RowStatus::Kept => Self::Kept,
            RowStatus::Missing => return None,
        })
    }
}

fn answer(row: &Row, result: Option<&RowResult>, names: &[&str]) -> Value {
    let problems = result.map_or(&[][..], |result| &result.problems);
    let cells = (0..names.len()).map(|column| shown(row.cell(column)));
    document(&RowAnswer {
        row: row.number,
        status: result.and_then(|result| ReportedStatus::of(result.status)),
        object: result.and_then(|result| result.object),
        problems: problems
            .iter()
            .map(|problem| problem.answer(names))
            .collect(),
        cells: cells.collect(),
    })
}

/// A cell as people see it; the end of a long one is left out.
fn shown(cell: &Cell) -> Value {
    match cell {
        Cell::Missing | Cell::Nothing | Cell::Broken(_) => Value::Null,
        Cell::Value(Value::String(text)) => Value::String(cut(text)),
        Cell::Value(value @ (Value::Array(_) | Value::Object(_))) => {
            Value::String(cut(&value.to_string()))
        }
        Cell::Value(value) => value.clone(),
    }
}

fn cut(text: &str) -> String {
    text.chars().take(MAX_SHOWN).collect()
}
