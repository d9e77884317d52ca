//! Values as bytes that sort as the values do, for the index of a store.

mod number;
mod tag;

use serde_json::{Map, Value};
use stockroom_model::Timestamp;

use crate::datum::Datum;

pub(crate) use tag::Tag;

/// The default number of bytes of a text that its key keeps.
pub const TEXT_BYTES: usize = 512;

/// Capacity for the key of any scalar except a text.
const SCALAR_BYTES: usize = 1 + number::BYTES;
/// Ends an object or array. It is smaller than every tag, so that a prefix sorts first.
const END: u8 = 0;
/// Ends a text inside an object or array. It is smaller than any continuation of the text, so a NUL
/// is escaped.
const TEXT_END: [u8; 2] = [0, 1];
const ESCAPED_NUL: [u8; 2] = [0, 0xFF];

/// A value as bytes. Their order is that of [`compare`](crate::compare), except that of each text,
/// nested ones included, only the first bytes count. Equal values, such as `1` and `1.0`, have the
/// same key.
///
/// The first byte is the type. Stores persist keys, so the format must not change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Vec<u8>);

/// From the bytes of an existing key.
impl From<Vec<u8>> for Key {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl Key {
    /// The key of a value. Keeps the first `text_bytes` bytes of each text, even if that splits a
    /// character.
    #[must_use]
    pub fn of(datum: Datum<'_>, text_bytes: usize) -> Self {
        let mut bytes = Vec::with_capacity(SCALAR_BYTES);
        bytes.push(Tag::of(datum).byte());
        match datum {
            // A top-level value needs no end marker.
            Datum::Number(number) => bytes.extend_from_slice(number::Form::of(number).trimmed()),
            Datum::Text(text) => bytes.extend_from_slice(cut(text, text_bytes)),
            _ => inner(datum, text_bytes, &mut bytes),
        }
        Self(bytes)
    }

    /// The sort key of an empty array: before every value, as `undefined` in MongoDB. No value has
    /// this key.
    #[must_use]
    pub fn undefined() -> Self {
        Self(vec![Tag::Undefined.byte()])
    }

    /// The value of the key of a scalar. A text that [is cut](Key::is_cut) loses its incomplete
    /// last character; a number may lose its form (`3.0` becomes `3`). `None` for the keys of
    /// objects, arrays and [`Key::undefined`], and for bytes that are not a key.
    #[must_use]
    pub fn decode(key: &[u8]) -> Option<Datum<'_>> {
        let (tag, rest) = key.split_first()?;
        match (Tag::from_byte(*tag)?, rest) {
            (Tag::Null, []) => Some(Datum::Null),
            (Tag::Number, _) => number::decode(rest).map(Datum::Number),
            (Tag::Text, _) => whole_characters(rest).map(Datum::Text),
            (Tag::Bool, [truth @ (0 | 1)]) => Some(Datum::Bool(*truth == 1)),
            (Tag::Date, _) => {
                let bits = u64::from_be_bytes(rest.try_into().ok()?);
                Some(Datum::Date(Timestamp(unflip(bits))))
            }
            _ => None,
        }
    }

    /// Whether this is the key of a text of at least `text_bytes` bytes, so that several texts may
    /// share it.
    #[must_use]
    pub fn is_cut(key: &[u8], text_bytes: usize) -> bool {
        key.split_first()
            .is_some_and(|(tag, text)| *tag == Tag::Text.byte() && text.len() >= text_bytes)
    }

    /// The bytes, borrowed.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The bytes, owned.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Writes the value after its tag in a self-delimiting form.
fn inner(datum: Datum<'_>, text_bytes: usize, into: &mut Vec<u8>) {
    match datum {
        Datum::Null => {}
        Datum::Number(number) => into.extend_from_slice(number::Form::of(number).whole()),
        Datum::Text(text) => escape(cut(text, text_bytes), into),
        Datum::Object(entries) => object(entries, text_bytes, into),
        Datum::Array(items) => {
            for item in items {
                let item = Datum::of(item);
                into.push(Tag::of(item).byte());
                inner(item, text_bytes, into);
            }
            into.push(END);
        }
        Datum::Bool(truth) => into.push(truth.into()),
        Datum::Date(time) => into.extend_from_slice(&flip(time.0).to_be_bytes()),
    }
}

/// For each entry: the type, then the name, then the value.
fn object(entries: &Map<String, Value>, text_bytes: usize, into: &mut Vec<u8>) {
    for (name, value) in entries {
        let value = Datum::of(value);
        into.push(Tag::of(value).byte());
        escape(name.as_bytes(), into);
        inner(value, text_bytes, into);
    }
    into.push(END);
}

fn escape(text: &[u8], into: &mut Vec<u8>) {
    for byte in text {
        match byte {
            0 => into.extend(ESCAPED_NUL),
            _ => into.push(*byte),
        }
    }
    into.extend(TEXT_END);
}

fn cut(text: &str, text_bytes: usize) -> &[u8] {
    let bytes = text.as_bytes();
    bytes.get(..text_bytes).unwrap_or(bytes)
}

/// Drops an incomplete last character.
fn whole_characters(bytes: &[u8]) -> Option<&str> {
    match str::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(fault) if fault.error_len().is_none() => {
            str::from_utf8(bytes.get(..fault.valid_up_to())?).ok()
        }
        Err(_) => None,
    }
}

const SIGN: u64 = 1 << 63;

/// Maps signed integers to unsigned ones in the same order.
fn flip(integer: i64) -> u64 {
    integer.cast_unsigned() ^ SIGN
}

fn unflip(bits: u64) -> i64 {
    (bits ^ SIGN).cast_signed()
}
