//! Generates rows for every table from the kinds of its columns.

use super::super::rows::scan;
use crate::engine::driver::{BatchStatement, Driver, Param};
use crate::engine::table::{Kind, TABLES, Table};

/// More than the rows of one batch.
const MANY: i64 = 4_200;
const FEW: i64 = 40;

/// Their order depends on the language, and some need escaping in a statement.
const TEXTS: [&str; 8] = ["a", "B", "ä", "Z", "_ '\\", "e\u{301}", "日本", "\n\t$1?"];

/// A value of a column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl Value {
    fn of(param: &Param<'_>) -> Self {
        match param {
            Param::Int(value) => Self::Int(*value),
            Param::Text(value) => Self::Text((*value).to_owned()),
            Param::Bytes(value) => Self::Bytes(value.to_vec()),
            _ => Self::Null,
        }
    }

    pub(crate) fn param(&self) -> Param<'_> {
        match self {
            Self::Null => Param::Null,
            Self::Int(value) => Param::Int(*value),
            Self::Text(value) => Param::Text(value),
            Self::Bytes(value) => Param::Bytes(value),
        }
    }
}

/// Fills every table.
pub(super) fn fill(driver: &mut dyn Driver) {
    driver.script("BEGIN").unwrap();
    for table in TABLES {
        let rows = match table.name {
            "object" | "object_field" | "change" => MANY,
            _ => FEW,
        };
        insert(driver, table, 1..=rows);
    }
    driver.script("COMMIT").unwrap();
}

/// Writes these rows of a table.
pub(super) fn insert(driver: &mut dyn Driver, table: &Table, rows: impl Iterator<Item = i64>) {
    let values: Vec<Value> = rows.flat_map(|row| row_of(table, row)).collect();
    let params: Vec<Param<'_>> = values.iter().map(Value::param).collect();
    let (one, all) = (table.insert_one(), table.insert_all());
    let many = BatchStatement {
        width: table.columns.len(),
        one: &one,
        alike: None,
        copy: None,
        all: &all,
    };
    driver.execute_many(&many, &params).unwrap();
}

fn row_of(table: &Table, row: i64) -> impl Iterator<Item = Value> {
    let is_in_parts = table.columns.iter().any(|(_, kind)| *kind == Kind::Part);
    // Columns have different values, so that mixed-up columns are detected.
    (1..).zip(table.columns).map(move |(column, (name, kind))| {
        let number = row * 100 + column;
        let is_null = row % 3 == 0 || row > 4_096;
        match kind {
            Kind::OptBytes | Kind::OptInt | Kind::OptText if is_null => Value::Null,
            // Three counter slots each.
            Kind::Int if is_in_parts => Value::Int(row / 3),
            Kind::Part => Value::Int(row % 3),
            Kind::Int if row % 7 == 3 && *name != "seq" => Value::Int(-number),
            Kind::Int if row == 1 && *name != "seq" => Value::Int(i64::MIN + column),
            Kind::Int | Kind::Local | Kind::OptInt | Kind::Sum => Value::Int(number),
            Kind::Text | Kind::OptText => {
                let text = TEXTS[usize::try_from(row).unwrap() % TEXTS.len()];
                Value::Text(format!("{text}{number}"))
            }
            Kind::Bytes | Kind::OptBytes => {
                Value::Bytes([&[0, 0xFF], number.to_string().as_bytes()].concat())
            }
        }
    })
}

/// The content of all tables.
pub(super) fn content(driver: &mut dyn Driver) -> Vec<Vec<String>> {
    TABLES.iter().map(|table| rows_of(driver, table)).collect()
}

fn rows_of(driver: &mut dyn Driver, table: &Table) -> Vec<String> {
    let mut rows = Vec::new();
    let scanned = scan(driver, table, &mut |batch| {
        let params = batch.params(table.columns.len())?;
        rows.extend(
            params
                .chunks(table.columns.len())
                .map(|row| format!("{row:?}")),
        );
        Ok(())
    });
    scanned.unwrap();
    rows
}

/// The rows of all tables, to be written again.
pub(crate) fn rows_of_all_tables(driver: &mut dyn Driver) -> Vec<Vec<Vec<Value>>> {
    let mut tables = Vec::new();
    for table in TABLES {
        let mut rows = Vec::new();
        let width = table.columns.len();
        let scanned = scan(driver, table, &mut |batch| {
            let params = batch.params(width)?;
            let values: Vec<Value> = params.iter().map(Value::of).collect();
            rows.extend(values.chunks(width).map(<[Value]>::to_vec));
            Ok(())
        });
        scanned.unwrap();
        tables.push(rows);
    }
    tables
}
