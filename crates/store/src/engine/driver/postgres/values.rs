//! Conversion of values to and from the server.

use std::error::Error as StdError;

use bytes::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

use super::super::{Param, Row};
use crate::Error;
use crate::engine::driver::versions::Versions;

impl Param<'_> {
    /// Its type on the server.
    pub(super) fn kind(&self) -> Type {
        match self {
            Self::Null => Type::UNKNOWN,
            Self::Int(_) => Type::INT8,
            Self::Text(_) => Type::TEXT,
            Self::Bytes(_) => Type::BYTEA,
            Self::Ints(_) => Type::INT8_ARRAY,
            Self::ManyBytes(_) => Type::BYTEA_ARRAY,
        }
    }
}

impl ToSql for Param<'_> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(value) if *kind == Type::INT8 => value.to_sql(kind, out),
            Self::Text(value) if *kind == Type::TEXT => value.to_sql(kind, out),
            Self::Bytes(value) if *kind == Type::BYTEA => value.to_sql(kind, out),
            Self::Ints(values) if *kind == Type::INT8_ARRAY => values.to_sql(kind, out),
            Self::ManyBytes(values) if *kind == Type::BYTEA_ARRAY => values.to_sql(kind, out),
            other => Err(format!("{other:?} is no {kind}").into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// The values of one column of many rows.
#[derive(Debug)]
pub(super) enum Column<'a> {
    Ints(Vec<Option<i64>>),
    Texts(Vec<Option<&'a str>>),
    Bytes(Vec<Option<&'a [u8]>>),
    /// A column of NULLs, of any type.
    Nulls(Vec<Option<i64>>),
    /// One value for all rows.
    Same(Param<'a>),
}

impl ToSql for Column<'_> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Self::Ints(values) if *kind == Type::INT8_ARRAY => values.to_sql(kind, out),
            Self::Texts(values) if *kind == Type::TEXT_ARRAY => values.to_sql(kind, out),
            Self::Bytes(values) if *kind == Type::BYTEA_ARRAY => values.to_sql(kind, out),
            Self::Nulls(values) => values.to_sql(kind, out),
            Self::Same(value) => value.to_sql(kind, out),
            _ => Err(format!("a column of other values than {kind}").into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// Splits rows, given one after another, into columns.
pub(super) fn columns<'a>(rows: &[Param<'a>], width: usize) -> Result<Vec<Column<'a>>, Error> {
    let column = |index: usize| {
        let values = || rows.iter().skip(index).step_by(width);
        match values().find(|value| !matches!(value, Param::Null)) {
            Some(Param::Int(_)) => all(values(), int).map(Column::Ints),
            Some(Param::Text(_)) => all(values(), text).map(Column::Texts),
            Some(_) => all(values(), bytes).map(Column::Bytes),
            None => Some(Column::Nulls(vec![None; rows.len() / width])),
        }
    };
    (0..width)
        .map(|index| {
            column(index)
                .ok_or_else(|| Error::Damaged(format!("values of several kinds in column {index}")))
        })
        .collect()
}

/// The value in the last column, if all rows have the same number there.
pub(super) fn last_in_common<'a>(rows: &[Param<'a>], width: usize) -> Option<Column<'a>> {
    let last = || rows.iter().skip(width - 1).step_by(width);
    let common = int(last().next()?)?;
    let is_common = last().all(|value| int(value) == Some(common));
    is_common.then_some(Column::Same(Param::Int(common)))
}

/// `None` if a value is neither null nor of this kind.
fn all<'r, 'a: 'r, T>(
    values: impl Iterator<Item = &'r Param<'a>>,
    of_kind: fn(&Param<'a>) -> Option<T>,
) -> Option<Vec<Option<T>>> {
    values
        .map(|value| match value {
            Param::Null => Some(None),
            other => of_kind(other).map(Some),
        })
        .collect()
}

fn int(param: &Param<'_>) -> Option<i64> {
    match param {
        Param::Int(value) => Some(*value),
        _ => None,
    }
}

fn text<'a>(param: &Param<'a>) -> Option<&'a str> {
    match param {
        Param::Text(value) => Some(value),
        _ => None,
    }
}

fn bytes<'a>(param: &Param<'a>) -> Option<&'a [u8]> {
    match param {
        Param::Bytes(value) => Some(value),
        _ => None,
    }
}

impl Row for tokio_postgres::Row {
    fn opt_int(&self, column: usize) -> Result<Option<i64>, Error> {
        self.try_get(column).map_err(|error| unexpected(&error))
    }

    fn opt_text(&self, column: usize) -> Result<Option<&str>, Error> {
        self.try_get(column).map_err(|error| unexpected(&error))
    }

    fn opt_bytes(&self, column: usize) -> Result<Option<&[u8]>, Error> {
        self.try_get(column).map_err(|error| unexpected(&error))
    }
}

/// The catalog versions in rows of their table.
pub(super) fn versions_of(rows: &[tokio_postgres::Row]) -> Result<Versions, Error> {
    let mut versions = Versions::default();
    for row in rows {
        versions.add(row)?;
    }
    Ok(versions)
}

fn unexpected(error: &tokio_postgres::Error) -> Error {
    Error::Damaged(error.to_string())
}
