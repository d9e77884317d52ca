//! Rows and their cells, and their form as JSON for storage.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

/// A row of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Its number as a spreadsheet shows it: a header is row 1. In JSON, the first document is 1; in
    /// NDJSON, this is the line.
    #[serde(rename = "n")]
    pub number: u64,
    /// Its cells, by column. Columns beyond the last cell are [`Cell::Missing`].
    #[serde(rename = "c")]
    pub cells: Vec<Cell>,
    /// Why the row as a whole cannot be used.
    #[serde(rename = "p", default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// A cell of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// The row has no such cell.
    Missing,
    /// The cell is empty.
    Nothing,
    /// A value. From CSV it is a text.
    Value(Value),
    /// Why its value cannot be used.
    Broken(String),
}

impl Row {
    /// Whether no cell has a value. A row that cannot be read is not blank.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        let is_empty = |cell: &Cell| match cell {
            Cell::Missing | Cell::Nothing => true,
            Cell::Value(Value::String(text)) => text.trim().is_empty(),
            Cell::Value(value) => value.is_null(),
            Cell::Broken(_) => false,
        };
        self.problem.is_none() && self.cells.iter().all(is_empty)
    }

    /// The cell of a column.
    #[must_use]
    pub fn cell(&self, column: usize) -> &Cell {
        self.cells.get(column).unwrap_or(&Cell::Missing)
    }
}

/// Most cells are a text or null, and stand as they are. Others are a list: empty for a missing
/// cell, of the value, or of null and the problem.
impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Missing => json!([]).serialize(serializer),
            Self::Nothing => serializer.serialize_unit(),
            Self::Value(value @ (Value::Null | Value::Array(_) | Value::Object(_))) => {
                [value].serialize(serializer)
            }
            Self::Value(value) => value.serialize(serializer),
            Self::Broken(problem) => (None::<bool>, problem).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Value::deserialize(deserializer)? {
            Value::Null => Self::Nothing,
            Value::Array(mut list) => match (list.pop(), list.pop()) {
                (None, _) => Self::Missing,
                (Some(value), None) => Self::Value(value),
                (Some(Value::String(problem)), Some(_)) => Self::Broken(problem),
                _ => return Err(D::Error::custom("no cell")),
            },
            value => Self::Value(value),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_read_back() {
        let row = Row {
            number: 7,
            cells: vec![
                Cell::Missing,
                Cell::Nothing,
                Cell::Value(json!("")),
                Cell::Value(json!("text")),
                Cell::Value(json!(1.5)),
                Cell::Value(json!(true)),
                Cell::Value(json!(null)),
                Cell::Value(json!([])),
                Cell::Value(json!([null, "x"])),
                Cell::Value(json!({"$date": 7})),
                Cell::Broken("too long".to_owned()),
            ],
            problem: None,
        };
        let text = serde_json::to_string(&row).unwrap();
        assert_eq!(serde_json::from_str::<Row>(&text).unwrap(), row);
    }
}
