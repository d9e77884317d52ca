//! Navigates JSON text without parsing it into values.
//!
//! Skipped parts are checked only for their quotes and brackets.

use std::borrow::Cow;

use serde_json::{Number, Value};
use stockroom_model::Timestamp;

use super::bytes::{self, Broken};
use crate::datum::Datum;
use crate::error::Damaged;
use crate::number::Numeric;

/// The parser's own limit; it bounds the recursion on damaged text.
const MAX_DEPTH: u8 = 128;

/// The value that starts at a position; its end is not known yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Raw<'t> {
    text: &'t str,
    at: usize,
    depth: u8,
}

/// The kind of a value; the contents of arrays and objects are not read yet.
pub(super) enum Shape<'t> {
    /// A scalar, dates included.
    Scalar(Datum<'t>),
    /// A text rewritten because it has escapes.
    Unescaped(String),
    /// An array.
    Array(Items<'t>),
    /// An object that is not a date.
    Object(Entries<'t>),
}

impl<'t> Raw<'t> {
    /// The value at the start of `text`.
    pub(super) const fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
        }
    }

    /// How many bytes it has at most.
    pub(super) const fn rest(self) -> usize {
        self.text.len() - self.at
    }

    pub(super) fn shape(self) -> Result<Shape<'t>, Damaged> {
        Ok(match self.byte(self.at)? {
            b'"' => match self.string()? {
                Cow::Borrowed(text) => Shape::Scalar(Datum::Text(text)),
                Cow::Owned(text) => Shape::Unescaped(text),
            },
            b'[' => Shape::Array(Items::of(self)),
            b'{' => match self.date()? {
                Some(time) => Shape::Scalar(Datum::Date(time)),
                None => Shape::Object(Entries(self)),
            },
            _ => Shape::Scalar(self.plain()?),
        })
    }

    /// The items, if this is an array.
    pub(super) fn items(self) -> Result<Option<Items<'t>>, Damaged> {
        Ok((self.byte(self.at)? == b'[').then_some(Items::of(self)))
    }

    /// The entries, if this is an object and not a date.
    pub(super) fn entries(self) -> Result<Option<Entries<'t>>, Damaged> {
        Ok((self.byte(self.at)? == b'{' && self.date()?.is_none()).then_some(Entries(self)))
    }

    /// The value of a key, if this is an object and not a date.
    pub(super) fn member(self, key: &str) -> Result<Option<Self>, Damaged> {
        match self.entries()? {
            Some(entries) => entries.get(key),
            None => Ok(None),
        }
    }

    /// Whether this is the text `wanted`; `None` if it is not a text.
    pub(super) fn is_text(self, wanted: &str) -> Result<Option<bool>, Damaged> {
        if self.byte(self.at)? != b'"' {
            return Ok(None);
        }
        let behind = bytes::spells(self.text.as_bytes(), self.at, wanted);
        Ok(Some(self.intact(behind)?.is_some()))
    }

    /// The whole value, parsed.
    pub(super) fn parse(self) -> Result<Value, Damaged> {
        serde_json::from_str(self.slice(self.at, self.end()?)?).map_err(|_| self.damaged(self.at))
    }

    fn plain(self) -> Result<Datum<'t>, Damaged> {
        match self.slice(self.at, self.end()?)? {
            "null" => Ok(Datum::Null),
            "true" => Ok(Datum::Bool(true)),
            "false" => Ok(Datum::Bool(false)),
            number => numeric(number)
                .map(Datum::Number)
                .ok_or(self.damaged(self.at)),
        }
    }

    /// The point in time of `{"$date": …}`, by the rules of [`Timestamp::from_date`].
    fn date(self) -> Result<Option<Timestamp>, Damaged> {
        let Some(inner) = bytes::behind(self.text.as_bytes(), self.at, b"{\"$date\":") else {
            return Ok(None);
        };
        let inner = self.inner(inner)?;
        if self.byte(inner.end()?)? != b'}' {
            return Ok(None);
        }
        Ok(match inner.byte(inner.at)? {
            b'"' => Timestamp::from_text(&inner.string()?),
            b'{' | b'[' => None,
            _ => match inner.plain()? {
                Datum::Number(Numeric::Integer(millis)) => {
                    i64::try_from(millis).ok().and_then(Timestamp::from_millis)
                }
                _ => None,
            },
        })
    }

    /// The position after the value.
    fn end(self) -> Result<usize, Damaged> {
        self.intact(bytes::value_end(self.text.as_bytes(), self.at))
    }

    /// The content of this text, unescaped.
    fn string(self) -> Result<Cow<'t, str>, Damaged> {
        let (end, escaped) = self.intact(bytes::string_end(self.text.as_bytes(), self.at + 1))?;
        if escaped {
            return serde_json::from_str(self.slice(self.at, end + 1)?)
                .map(Cow::Owned)
                .map_err(|_| self.damaged(self.at));
        }
        self.slice(self.at + 1, end).map(Cow::Borrowed)
    }

    /// A value inside this one.
    fn inner(self, at: usize) -> Result<Self, Damaged> {
        if self.depth == MAX_DEPTH {
            return Err(self.damaged(at));
        }
        Ok(Self {
            text: self.text,
            at,
            depth: self.depth + 1,
        })
    }

    fn slice(self, from: usize, to: usize) -> Result<&'t str, Damaged> {
        self.text.get(from..to).ok_or(self.damaged(from))
    }

    fn byte(self, at: usize) -> Result<u8, Damaged> {
        let byte = self.text.as_bytes().get(at).copied();
        byte.ok_or(self.damaged(at))
    }

    fn intact<T>(self, found: Result<T, Broken>) -> Result<T, Damaged> {
        found.map_err(|Broken| self.damaged(self.at))
    }

    fn damaged(self, at: usize) -> Damaged {
        Damaged {
            at: at.min(self.text.len()),
        }
    }
}

/// The entries of an object.
#[derive(Clone, Copy)]
pub(super) struct Entries<'t>(Raw<'t>);

impl<'t> Entries<'t> {
    /// The value of a key.
    pub(super) fn get(self, wanted: &str) -> Result<Option<Raw<'t>>, Damaged> {
        let object = self.0;
        let value = bytes::entry(object.text.as_bytes(), object.at, wanted);
        match object.intact(value)? {
            Some(value) => object.inner(value).map(Some),
            None => Ok(None),
        }
    }

    /// The whole object.
    pub(super) const fn object(self) -> Raw<'t> {
        self.0
    }
}

/// The items of an array, one after the other.
pub(super) struct Items<'t> {
    array: Raw<'t>,
    last: Option<Raw<'t>>,
    /// The position of the last item's `value`, if known: the item's end is closer from there.
    value: Option<usize>,
}

impl<'t> Items<'t> {
    const fn of(array: Raw<'t>) -> Self {
        Self {
            array,
            last: None,
            value: None,
        }
    }

    /// The next item. Searches for the end of the previous one only now, because a search often
    /// stops before.
    pub(super) fn next(&mut self) -> Result<Option<Raw<'t>>, Damaged> {
        let array = self.array;
        let at = match self.last {
            None if array.byte(array.at + 1)? == b']' => return Ok(None),
            None => array.at + 1,
            Some(last) => {
                let bytes = array.text.as_bytes();
                let value = self.value.take();
                let end = match value.and_then(|value| bytes::end_behind(bytes, value)) {
                    Some(end) => end,
                    None => last.end()?,
                };
                match array.byte(end)? {
                    b',' => end + 1,
                    b']' => return Ok(None),
                    _ => return Err(array.damaged(end)),
                }
            }
        };
        self.last = Some(array.inner(at)?);
        Ok(self.last)
    }

    /// The `value` of the last item, if it is in its usual place.
    pub(super) fn field_value(&mut self) -> Result<Option<Raw<'t>>, Damaged> {
        let bytes = self.array.text.as_bytes();
        self.value = self
            .last
            .and_then(|last| bytes::field_value(bytes, last.at));
        self.value.map(|value| self.array.inner(value)).transpose()
    }

    /// The next item that may have this `name`.
    pub(super) fn next_named(&mut self, name: &str) -> Result<Option<Raw<'t>>, Damaged> {
        let bytes = self.array.text.as_bytes();
        let Some(mut item) = self.next()? else {
            return Ok(None);
        };
        while let Some(end) = bytes::other_field_end(bytes, item.at, name) {
            match bytes.get(end) {
                Some(b',') => item.at = end + 1,
                Some(b']') => return Ok(None),
                _ => return Err(item.damaged(end)),
            }
        }
        self.last = Some(item);
        Ok(self.last)
    }

    /// The item at a position.
    pub(super) fn nth(mut self, position: usize) -> Result<Option<Raw<'t>>, Damaged> {
        for _ in 0..position {
            if self.next()?.is_none() {
                return Ok(None);
            }
        }
        self.next()
    }

    /// The number of items.
    pub(super) fn count(mut self) -> Result<u64, Damaged> {
        let mut count = 0;
        while self.next()?.is_some() {
            count += 1;
        }
        Ok(count)
    }

    /// The whole array.
    pub(super) const fn array(&self) -> Raw<'t> {
        self.array
    }
}

/// Other spellings go to the parser, which also decides which are doubles.
fn numeric(text: &str) -> Option<Numeric> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.starts_with(|first: char| matches!(first, '1'..='9'))
        && let Ok(integer) = text.parse::<i64>()
    {
        return Some(Numeric::Integer(integer.into()));
    }
    let number: Number = serde_json::from_str(text).ok()?;
    Some(Numeric::from(&number))
}
