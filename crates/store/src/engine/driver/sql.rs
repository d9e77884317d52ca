//! Statements that are built from parts, with the values of their parameters.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::{Param, one_of, one_of_bytes, select_ints, table_of_bytes};

/// A statement with the values of its parameters. It owns them, so any thread can send it.
#[derive(Debug, Default)]
pub(crate) struct Sql {
    text: Cow<'static, str>,
    values: Vec<Value>,
}

/// The value of a parameter.
#[derive(Debug)]
enum Value {
    Int(i64),
    Ints(Vec<i64>),
    Bytes(Vec<u8>),
    ManyBytes(Vec<Vec<u8>>),
}

impl Value {
    fn param(&self) -> Param<'_> {
        match self {
            Self::Int(value) => Param::Int(*value),
            Self::Ints(values) => Param::Ints(values),
            Self::Bytes(value) => Param::Bytes(value),
            Self::ManyBytes(values) => Param::ManyBytes(values),
        }
    }
}

/// Initial capacity of a text, enough for most statements.
const TYPICAL_BYTES: usize = 512;

impl Sql {
    /// Starts a statement with `text`, which has no parameters.
    pub(crate) const fn new(text: &'static str) -> Self {
        Self {
            text: Cow::Borrowed(text),
            values: Vec::new(),
        }
    }

    /// A complete statement whose only parameter is an id.
    pub(crate) fn of_id(text: &'static str, id: impl Into<i64>) -> Self {
        Self::of_ints(text, [id.into()])
    }

    /// A complete statement whose parameters are integers.
    pub(crate) fn of_ints<const N: usize>(text: &'static str, values: [i64; N]) -> Self {
        Self {
            text: Cow::Borrowed(text),
            values: values.map(Value::Int).into(),
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The values of the parameters, in their order.
    pub(crate) fn params(&self) -> Vec<Param<'_>> {
        self.values.iter().map(Value::param).collect()
    }

    pub(crate) fn push(&mut self, text: &str) -> &mut Self {
        self.owned().push_str(text);
        self
    }

    /// The text with room for what follows; a text that grows in small steps is copied each time.
    fn owned(&mut self) -> &mut String {
        if let Cow::Borrowed(start) = self.text {
            let mut text = String::with_capacity(TYPICAL_BYTES);
            text.push_str(start);
            self.text = Cow::Owned(text);
        }
        self.text.to_mut()
    }

    /// Inserts `text` at a byte offset of the text so far.
    pub(crate) fn insert(&mut self, at: usize, text: &str) {
        self.text.to_mut().insert_str(at, text);
    }

    /// Appends a parameter.
    pub(crate) fn int(&mut self, value: impl Into<i64>) -> &mut Self {
        self.bind(Value::Int(value.into()))
    }

    /// Appends an integer parameter, capped at `i64::MAX`.
    pub(crate) fn number(&mut self, value: usize) -> &mut Self {
        self.int(number(value))
    }

    /// Appends a parameter.
    pub(crate) fn bytes(&mut self, value: &[u8]) -> &mut Self {
        self.bind(Value::Bytes(value.to_vec()))
    }

    /// Appends a condition: the column is one of these integers or ids.
    pub(crate) fn among<T: Copy + Into<i64>>(&mut self, column: &str, values: &[T]) {
        if let [only] = values {
            self.push(column).push(" = ").int(*only);
            return;
        }
        let values = values.iter().map(|value| (*value).into()).collect();
        self.values.push(Value::Ints(values));
        let term = one_of(column, self.values.len());
        self.push(&term);
    }

    /// Appends a statement that selects these integers or ids.
    pub(crate) fn select_ints<T: Copy + Into<i64>>(&mut self, values: &[T]) {
        let values = values.iter().map(|value| (*value).into()).collect();
        self.values.push(Value::Ints(values));
        let statement = select_ints(self.values.len());
        self.push(&statement);
    }

    /// Appends a condition: the column is one of these byte strings.
    pub(crate) fn among_bytes(&mut self, column: &str, values: Vec<Vec<u8>>) {
        self.values.push(Value::ManyBytes(values));
        let term = one_of_bytes(column, self.values.len());
        self.push(&term);
    }

    /// Appends a table of one row, with these bytes in its column `value`.
    pub(crate) fn table_of_bytes(&mut self, bytes: &[u8]) {
        self.values.push(Value::ManyBytes(vec![bytes.to_vec()]));
        let table = table_of_bytes(self.values.len());
        self.push(&table);
    }

    /// Appends `LIMIT` and `OFFSET`.
    pub(crate) fn limit_offset(&mut self, limit: usize, offset: usize) -> &mut Self {
        let (limit, offset) = bounded(limit, offset);
        self.push(" LIMIT ").int(limit).push(" OFFSET ").int(offset)
    }

    /// Like [`Self::limit_offset`], with the limit in the text: with a parameter, a server plans
    /// each page anew, which takes longer than reading it.
    pub(crate) fn literal_limit_offset(&mut self, limit: usize, offset: usize) {
        let (limit, offset) = bounded(limit, offset);
        // Writing to a String cannot fail.
        let _ = write!(self.text.to_mut(), " LIMIT {limit}");
        if offset > 0 {
            self.push(" OFFSET ").int(offset);
        }
    }

    /// Appends another statement. Its parameters must be the first ones of this statement.
    pub(crate) fn append(&mut self, other: Self) {
        debug_assert!(self.values.is_empty(), "its parameters are numbered from 1");
        self.push(&other.text);
        self.values = other.values;
    }

    fn bind(&mut self, value: Value) -> &mut Self {
        self.values.push(value);
        // Writing to a String cannot fail.
        let _ = write!(self.text.to_mut(), "?{}", self.values.len());
        self
    }
}

/// Limits the sum of limit and offset to an `i64`, because shards are queried for the sum.
fn bounded(limit: usize, offset: usize) -> (i64, i64) {
    let offset = number(offset);
    (number(limit).min(i64::MAX - offset), offset)
}

fn number(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
