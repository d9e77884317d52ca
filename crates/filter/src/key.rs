//! Values as bytes that sort as the values do, so that an index of a store can hold them.

mod number;
mod tag;

use serde_json::{Map, Value};
use stockroom_model::Timestamp;

use crate::datum::Datum;

pub(crate) use tag::Tag;

/// Texts count with this many bytes where nothing else is asked for.
pub const TEXT_BYTES: usize = 512;

/// Room for every scalar that is no text.
const SCALAR_BYTES: usize = 1 + number::BYTES;
/// Ends an object or array; smaller than every tag, so that the shorter one of two sorts first.
const END: u8 = 0;
/// Ends a text inside an object or array. Smaller than every text that goes on there, which is why
/// a NUL is escaped.
const TEXT_END: [u8; 2] = [0, 1];
const ESCAPED_NUL: [u8; 2] = [0, 0xFF];

/// A value as bytes. The order of the bytes is that of [`compare`](crate::compare), except that
/// texts count with their first bytes only, inner ones included; and equal values, such as `1` and
/// `1.0`, have one key.
///
/// The first byte tells the type. The form is meant to be stored: it must not change under data
/// that exists.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Vec<u8>);

/// Bytes that were a key once.
impl From<Vec<u8>> for Key {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl Key {
    /// The key of a value, of whose texts the first `text_bytes` bytes count; they may end within a
    /// character.
    #[must_use]
    pub fn of(datum: Datum<'_>, text_bytes: usize) -> Self {
        let mut bytes = Vec::with_capacity(SCALAR_BYTES);
        bytes.push(Tag::of(datum).byte());
        match datum {
            // What stands alone needs no end.
            Datum::Number(number) => bytes.extend_from_slice(number::Form::of(number).trimmed()),
            Datum::Text(text) => bytes.extend_from_slice(cut(text, text_bytes)),
            _ => inner(datum, text_bytes, &mut bytes),
        }
        Self(bytes)
    }

    /// The key by which an empty array is sorted: before every value, as `undefined` in MongoDB. No
    /// value has it.
    #[must_use]
    pub fn undefined() -> Self {
        Self(vec![Tag::Undefined.byte()])
    }

    /// The value of a key, if it is a scalar: of a text that [is cut](Key::is_cut) the whole
    /// characters that are left, and of a number the value but not the form (`3.0` comes back as
    /// `3`). `None` for the keys of objects, of arrays and of nothing, and for bytes that are no
    /// key.
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

    /// Whether this is the key of a text that may go on after the bytes that count; several texts
    /// can share it.
    #[must_use]
    pub fn is_cut(key: &[u8], text_bytes: usize) -> bool {
        key.split_first()
            .is_some_and(|(tag, text)| *tag == Tag::Text.byte() && text.len() >= text_bytes)
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The bytes, to be kept.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Writes what follows the tag so that it shows where it ends.
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

/// Of an entry the type counts first, then the name, then the value.
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

/// Leaves out a last character of which bytes are missing.
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

/// Integers with a sign in the order of those without.
fn flip(integer: i64) -> u64 {
    integer.cast_unsigned() ^ SIGN
}

fn unflip(bits: u64) -> i64 {
    (bits ^ SIGN).cast_signed()
}
