//! The values that a filter compares with.

use serde_json::{Map, Value};
use stockroom_model::Timestamp;

use crate::datum::Datum;
use crate::error::Invalid;
use crate::number::Numeric;
use crate::order::compare;

/// A value that a filter compares with; its type is determined when the filter is parsed.
#[derive(Debug, Clone)]
pub enum Literal {
    /// `null`, which also matches a missing value.
    Null,
    /// A number.
    Number(Numeric),
    /// A text.
    Text(String),
    /// A whole object; the order of its keys counts.
    Object(Box<Map<String, Value>>),
    /// A whole array.
    Array(Vec<Value>),
    /// A boolean.
    Bool(bool),
    /// `{"$date": …}`, or a text that [`Parsed::check`](crate::Parsed::check) turned into a date.
    Date(Timestamp),
}

impl Literal {
    /// Reads a value of a filter.
    ///
    /// # Errors
    ///
    /// [`Invalid`] for an invalid `$date`, and for any other key that begins with `$`: it is an
    /// operator where a value is expected. MongoDB would compare it as plain data and never find
    /// it.
    pub(crate) fn read(value: &Value) -> Result<Self, Invalid> {
        refuse_operators(value)?;
        Ok(match Datum::of(value) {
            Datum::Null => Self::Null,
            Datum::Number(number) => Self::Number(number),
            Datum::Text(text) => Self::Text(text.to_owned()),
            Datum::Object(entries) => Self::Object(Box::new(entries.clone())),
            Datum::Array(items) => Self::Array(items.to_vec()),
            Datum::Bool(truth) => Self::Bool(truth),
            Datum::Date(time) => Self::Date(time),
        })
    }

    /// The literal in comparable form.
    #[must_use]
    pub fn datum(&self) -> Datum<'_> {
        match self {
            Self::Null => Datum::Null,
            Self::Number(number) => Datum::Number(*number),
            Self::Text(text) => Datum::Text(text),
            Self::Object(entries) => Datum::Object(entries),
            Self::Array(items) => Datum::Array(items),
            Self::Bool(truth) => Datum::Bool(*truth),
            Self::Date(time) => Datum::Date(*time),
        }
    }
}

impl Literal {
    /// About how many bytes of memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        let more = match self {
            Self::Text(text) => text.len(),
            Self::Object(entries) => of_entries(entries),
            Self::Array(items) => items.iter().map(bytes).sum(),
            Self::Null | Self::Number(_) | Self::Bool(_) | Self::Date(_) => 0,
        };
        size_of::<Self>() + more
    }
}

fn bytes(value: &Value) -> usize {
    let more = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(bytes).sum(),
        Value::Object(entries) => of_entries(entries),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    };
    size_of::<Value>() + more
}

fn of_entries(entries: &Map<String, Value>) -> usize {
    let entries = entries.iter();
    entries.map(|(key, value)| key.len() + bytes(value)).sum()
}

impl PartialEq for Literal {
    fn eq(&self, other: &Self) -> bool {
        compare(self.datum(), other.datum()).is_eq()
    }
}

fn refuse_operators(value: &Value) -> Result<(), Invalid> {
    match value {
        Value::Array(items) => items.iter().enumerate().try_for_each(|(index, item)| {
            refuse_operators(item).map_err(|fault| fault.within(index))
        }),
        Value::Object(entries) if Timestamp::from_date(value).is_none() => {
            entries.iter().try_for_each(|(key, item)| {
                refuse_operator(key)
                    .and_then(|()| refuse_operators(item))
                    .map_err(|fault| fault.within(key))
            })
        }
        _ => Ok(()),
    }
}

fn refuse_operator(key: &str) -> Result<(), Invalid> {
    if key == "$date" {
        return Err(Invalid::here(
            "a date is {\"$date\": milliseconds since 1970} or {\"$date\": \"YYYY-MM-DDThh:mm:ssZ\"}, and nothing beside it",
        ));
    }
    if key.starts_with('$') {
        return Err(Invalid::here(format!(
            "the operator {key} cannot stand inside a value; only {{\"$date\": …}} can"
        )));
    }
    Ok(())
}

/// The values of `$in`, sorted and without duplicates, for binary search.
#[derive(Debug, Clone, PartialEq)]
pub struct LiteralSet(Vec<Literal>);

impl LiteralSet {
    /// Whether a value equal to `datum` is among them.
    #[must_use]
    pub fn contains(&self, datum: Datum<'_>) -> bool {
        self.0
            .binary_search_by(|literal| compare(literal.datum(), datum))
            .is_ok()
    }

    /// The values, ascending.
    #[must_use]
    pub fn as_slice(&self) -> &[Literal] {
        &self.0
    }
}

impl FromIterator<Literal> for LiteralSet {
    fn from_iter<I: IntoIterator<Item = Literal>>(literals: I) -> Self {
        let mut literals: Vec<_> = literals.into_iter().collect();
        literals.sort_by(|left, right| compare(left.datum(), right.datum()));
        literals.dedup();
        Self(literals)
    }
}
