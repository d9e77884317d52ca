//! The type that a JSON value has for MongoDB.

use serde_json::{Map, Value};
use stockroom_model::Timestamp;

use crate::number::Numeric;

/// A borrowed value with its type: `{"$date": …}` is a date, every other object is an object.
#[derive(Debug, Clone, Copy)]
pub enum Datum<'a> {
    /// `null`; a missing value compares as null.
    Null,
    /// A number.
    Number(Numeric),
    /// A text.
    Text(&'a str),
    /// An object; the order of its keys is part of its value.
    Object(&'a Map<String, Value>),
    /// An array.
    Array(&'a [Value]),
    /// A boolean.
    Bool(bool),
    /// A point in time.
    Date(Timestamp),
}

impl<'a> Datum<'a> {
    /// Determines the type of `value`.
    #[must_use]
    pub fn of(value: &'a Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(truth) => Self::Bool(*truth),
            Value::Number(number) => Self::Number(number.into()),
            Value::String(text) => Self::Text(text),
            Value::Array(items) => Self::Array(items),
            Value::Object(entries) => {
                Timestamp::from_date(value).map_or(Self::Object(entries), Self::Date)
            }
        }
    }

    /// The value as JSON. Equal numbers have one form: an integer of 64 bits if possible. Null for
    /// a number that is infinite.
    #[must_use]
    pub fn to_value(self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Number(number) => number.to_number().map_or(Value::Null, Value::Number),
            Self::Text(text) => Value::from(text),
            Self::Object(entries) => Value::Object(entries.clone()),
            Self::Array(items) => Value::from(items),
            Self::Bool(truth) => Value::Bool(truth),
            Self::Date(time) => time.to_date(),
        }
    }

    /// The position of the type in MongoDB's order of types. A filter compares only values of the
    /// same rank.
    #[must_use]
    pub fn rank(&self) -> u8 {
        match self {
            Self::Null => 1,
            Self::Number(_) => 2,
            Self::Text(_) => 3,
            Self::Object(_) => 4,
            Self::Array(_) => 5,
            Self::Bool(_) => 6,
            Self::Date(_) => 7,
        }
    }
}

/// The entries of `value` if it is an object and not a date.
pub(crate) fn object(value: &Value) -> Option<&Map<String, Value>> {
    match Datum::of(value) {
        Datum::Object(entries) => Some(entries),
        _ => None,
    }
}
