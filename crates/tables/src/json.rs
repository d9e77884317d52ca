//! Reads documents: a list of them (JSON), or one on each line (NDJSON).
//!
//! Members are columns. Of our own documents, `fields` is a list of objects with `name` and `value`,
//! and each of these is a column, but of the members only those that can be set.

use std::collections::{HashMap, HashSet};
use std::io;

use stockroom_model::json::{self, Malformed, Map, Value};

use crate::text::Text;
use crate::{Cell, Column, Error, Format, Limits, Read, Row};

mod numbers;
mod split;

use split::{Document, Splitter};

/// The bytes of the longest name of a column.
const NAME_BYTES: usize = 1_000;
/// The member that holds the fields of our own documents.
const FIELDS: &str = "fields";
/// What native documents have beside their fields.
const OWN_MEMBERS: [&str; 2] = ["public_id", "type_id"];
/// The members of native documents that are columns: nobody can set the others, and a field may have
/// the name of one.
const SETTABLE: [&str; 2] = ["public_id", "active"];

pub(crate) fn read_json(
    text: &mut Text<impl io::Read>,
    is_by_line: bool,
    limits: &Limits,
    each: impl FnMut(Row) -> io::Result<()>,
) -> Result<Read, Error> {
    let mut documents = Documents {
        limits,
        each,
        is_by_line,
        columns: Vec::new(),
        indexes: HashMap::new(),
        rows: 0,
    };
    let mut splitter = Splitter::new(is_by_line, limits.row_bytes);
    let mut document = |document: Document<'_>| documents.document(document);
    while !text.piece.is_empty() {
        splitter.feed(&text.piece, &mut document)?;
        text.next()?;
    }
    splitter.finish(&mut document)?;
    Ok(Read {
        format: if is_by_line {
            Format::Ndjson
        } else {
            Format::Json
        },
        separator: None,
        encoding: Some(text.encoding()),
        sheet: None,
        sheets: Vec::new(),
        header_row: None,
        has_escapes: false,
        columns: documents.columns,
        rows: documents.rows,
    })
}

/// Makes rows of documents.
struct Documents<'l, F> {
    limits: &'l Limits,
    each: F,
    is_by_line: bool,
    columns: Vec<Column>,
    indexes: HashMap<String, usize>,
    rows: u64,
}

impl<F: FnMut(Row) -> io::Result<()>> Documents<'_, F> {
    fn document(&mut self, (number, text): Document<'_>) -> Result<(), Error> {
        self.rows += 1;
        if self.rows > self.limits.rows {
            return Err(Error::Limit {
                what: "rows",
                limit: self.limits.rows,
            });
        }
        let members = match text {
            Ok(text) => self.parse(number, text)?,
            Err(problem) => Err(problem),
        };
        let (cells, problem) = match members {
            Ok(members) => (self.cells(members)?, None),
            Err(problem) => (Vec::new(), Some(problem)),
        };
        (self.each)(Row {
            number,
            cells,
            problem,
        })
        .map_err(Error::Input)
    }

    /// The members of a document, or why they cannot be used.
    fn parse(&self, number: u64, text: &str) -> Result<Result<Members, String>, Error> {
        if let Some(number) = numbers::too_long(text) {
            return Ok(Err(format!(
                "has the number {number}, which would lose its last digits: write it as a text"
            )));
        }
        let members = match json::parse(text.as_bytes()) {
            Ok(Value::Object(members)) => flatten(members),
            Ok(_) => Err("is no document (no JSON object)".to_owned()),
            // Most likely this is JSON over several lines, and no line of it makes sense.
            Err(Malformed::Unfinished(_)) if self.is_by_line && self.rows == 1 => {
                let message = format!(
                    "line {number} is no whole document: NDJSON has one on each line, JSON is a \
                     list of them"
                );
                return Err(Error::Unreadable(message));
            }
            Err(error @ Malformed::TooMany { .. }) => Err(format!("is too large: {error}")),
            Err(error) => Err(format!("is not acceptable JSON: {error}")),
        };
        let has_long_name = |members: &Members| {
            let mut names = members.iter().map(|(name, _)| name);
            names.any(|name| name.len() > NAME_BYTES)
        };
        if members.as_ref().is_ok_and(has_long_name) {
            return Ok(Err(format!("has a name of more than {NAME_BYTES} bytes")));
        }
        Ok(members)
    }

    fn cells(&mut self, members: Members) -> Result<Vec<Cell>, Error> {
        let mut cells = Vec::with_capacity(self.columns.len().min(members.len() * 2));
        for (name, value) in members {
            let index = self.index(name)?;
            if cells.len() <= index {
                cells.resize(index + 1, Cell::Missing);
            }
            if let Some(column) = self.columns.get_mut(index) {
                column.observe(&value);
            }
            if let Some(cell) = cells.get_mut(index) {
                *cell = Cell::Value(value);
            }
        }
        Ok(cells)
    }

    /// The column of a name. Documents may name new ones at any time.
    fn index(&mut self, name: String) -> Result<usize, Error> {
        if let Some(index) = self.indexes.get(&name) {
            return Ok(*index);
        }
        let index = self.columns.len();
        if index >= self.limits.columns {
            return Err(Error::Limit {
                what: "columns",
                limit: self.limits.columns as u64,
            });
        }
        self.columns.push(Column::new(name.clone()));
        self.indexes.insert(name, index);
        Ok(index)
    }
}

/// Names and values of a document; each name stands once.
type Members = Vec<(String, Value)>;

/// The members of a document, with its fields in place of the list of them. A field wins over a
/// member of the same name. Fields of the same name are refused, as one would be lost.
fn flatten(mut members: Map<String, Value>) -> Result<Members, String> {
    let fields = match members.shift_remove(FIELDS) {
        None => return Ok(members.into_iter().collect()),
        Some(Value::Object(fields)) => fields.into_iter().collect(),
        Some(Value::Array(list)) if list.iter().all(is_field) => {
            let is_native = OWN_MEMBERS.iter().all(|name| members.contains_key(*name));
            if is_native {
                members.retain(|name, _| SETTABLE.contains(&&**name));
            }
            let fields = list.into_iter().filter_map(field);
            let named = fields.map(|(name, value)| (column_of(name, is_native), value));
            named.collect::<Members>()
        }
        Some(other) => {
            members.insert(FIELDS.to_owned(), other);
            return Ok(members.into_iter().collect());
        }
    };
    let mut names = HashSet::with_capacity(fields.len());
    for (name, _) in &fields {
        if !names.insert(name) {
            return Err(format!("has the field {name:?} twice"));
        }
    }
    members.retain(|name, _| !names.contains(name));
    Ok(members.into_iter().chain(fields).collect())
}

/// The column of a field. In native documents, it is told from a member of the same name, as in our
/// exports of tables.
fn column_of(name: String, is_native: bool) -> String {
    if is_native && SETTABLE.contains(&&*name) {
        format!("{FIELDS}.{name}")
    } else {
        name
    }
}

fn is_field(value: &Value) -> bool {
    value.get("name").is_some_and(Value::is_string)
}

/// The name and the value of a field; `None` for one without a value.
fn field(mut field: Value) -> Option<(String, Value)> {
    let value = field.get_mut("value").map(Value::take)?;
    match field.get_mut("name").map(Value::take) {
        Some(Value::String(name)) => Some((name, value)),
        _ => None,
    }
}
