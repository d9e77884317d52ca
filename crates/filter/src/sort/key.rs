//! The value by which a document is ordered.

use serde_json::Value;
use stockroom_model::Timestamp;

use crate::datum::Datum;
use crate::number::Numeric;

/// Texts sort by this many bytes, so that an index of bounded keys gives the same order.
const TEXT_BYTES: usize = 512;

/// A comparable value. The order of the variants is MongoDB's order of types, and the derived order within them is
/// that of [`compare`](crate::compare), except that texts count with their first 512 bytes only, inner ones included.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum SortKey {
    /// An empty array.
    Undefined,
    /// `null` or missing.
    Null,
    /// A number.
    Number(Numeric),
    /// The first bytes of a text; they may end within a character.
    Text(Box<[u8]>),
    /// An object.
    Object(Box<[SortEntry]>),
    /// An array within an array.
    Array(Box<[SortKey]>),
    /// A boolean.
    Bool(bool),
    /// A point in time.
    Date(Timestamp),
}

/// An entry of an object. The order of the members is the order in which they count.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SortEntry {
    rank: u8,
    name: Box<str>,
    key: SortKey,
}

impl SortKey {
    pub(super) fn of(value: &Value) -> Self {
        match Datum::of(value) {
            Datum::Null => Self::Null,
            Datum::Number(number) => Self::Number(number),
            Datum::Text(text) => Self::Text(cut(text).into()),
            Datum::Object(entries) => Self::Object(
                entries
                    .iter()
                    .map(|(name, value)| SortEntry {
                        rank: Datum::of(value).rank(),
                        name: name.as_str().into(),
                        key: Self::of(value),
                    })
                    .collect(),
            ),
            Datum::Array(items) => Self::Array(items.iter().map(Self::of).collect()),
            Datum::Bool(truth) => Self::Bool(truth),
            Datum::Date(time) => Self::Date(time),
        }
    }
}

fn cut(text: &str) -> &[u8] {
    let bytes = text.as_bytes();
    bytes.get(..TEXT_BYTES).unwrap_or(bytes)
}
