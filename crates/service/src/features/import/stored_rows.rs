//! The rows of a chunk as they are stored.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserializer as _, SeqAccess, Visitor};
use serde_json::Deserializer;
use stockroom_tables::Row;

use crate::Error;

/// Converts the rows one after the other, so that only one of them is held.
pub(super) fn convert<T>(text: &str, convert: impl FnMut(&Row) -> T) -> Result<Vec<T>, Error> {
    let rows = Rows(convert, PhantomData);
    let converted = Deserializer::from_str(text).deserialize_seq(rows);
    converted.map_err(Error::internal)
}

struct Rows<C, T>(C, PhantomData<T>);

impl<'de, C: FnMut(&Row) -> T, T> Visitor<'de> for Rows<C, T> {
    type Value = Vec<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an array of rows")
    }

    fn visit_seq<S: SeqAccess<'de>>(mut self, mut rows: S) -> Result<Vec<T>, S::Error> {
        let mut converted = Vec::new();
        while let Some(row) = rows.next_element()? {
            converted.push((self.0)(&row));
        }
        Ok(converted)
    }
}
