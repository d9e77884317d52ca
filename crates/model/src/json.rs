//! Strict JSON: reads every body, filter and setting (`docs/guide/src/values.md`).

use std::fmt;
use std::io::{self, Write};

use serde::Serialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;
pub use serde_json::{Map, Number, Value};

/// Maximum nesting depth of arrays and objects.
pub const MAX_DEPTH: usize = 64;
/// Maximum number of values in one text, unless the caller sets another limit.
pub const MAX_VALUES: usize = 100_000;

/// Why a text is not acceptable JSON.
#[derive(Debug, thiserror::Error)]
pub enum Malformed {
    /// It is not strict JSON; the message names line and column.
    #[error("{0}")]
    Syntax(String),
    /// It ends before its value does.
    #[error("{0}")]
    Unfinished(String),
    /// It holds too many values.
    #[error("{found} values are more than the limit of {limit}")]
    TooMany {
        /// Values in the text.
        found: usize,
        /// Values that are accepted.
        limit: usize,
    },
}

/// Parses one JSON value that holds at most [`MAX_VALUES`] values.
pub fn parse(text: &[u8]) -> Result<Value, Malformed> {
    parse_within(text, MAX_VALUES)
}

/// Parses one JSON value that holds at most `max_values` values, itself included. They are counted
/// before parsing, because a parsed value takes up to a hundred times the bytes of its text.
///
/// # Errors
///
/// [`Malformed`] for broken JSON, invalid UTF-8, lone surrogates, duplicate keys, NUL in a text,
/// more than [`MAX_DEPTH`] levels, numbers that no double can hold, and too many values.
pub fn parse_within(text: &[u8], max_values: usize) -> Result<Value, Malformed> {
    let found = count_values(text);
    if found > max_values {
        return Err(Malformed::TooMany {
            found,
            limit: max_values,
        });
    }
    let text = std::str::from_utf8(text).map_err(|error| {
        Malformed::Syntax(format!("invalid UTF-8 at byte {}", error.valid_up_to()))
    })?;
    let syntax = |error: serde_json::Error| match error.classify() {
        Category::Eof => Malformed::Unfinished(error.to_string()),
        _ => Malformed::Syntax(error.to_string()),
    };
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Strict { depth: 0 }
        .deserialize(&mut reader)
        .map_err(syntax)?;
    reader.end().map_err(syntax)?;
    Ok(value)
}

/// The number of values in a JSON text, without keys: 1, plus 1 for each comma and 1 for each array
/// or object that is not empty. For broken JSON it is an estimate. Counting stops below
/// [`MAX_DEPTH`], where the parser stops too.
#[must_use]
pub fn count_values(text: &[u8]) -> usize {
    let mut count = 1;
    let mut is_opened = false;
    let mut depth = 0_usize;
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        if is_opened && !byte.is_ascii_whitespace() {
            is_opened = false;
            count += usize::from(!matches!(byte, b']' | b'}'));
        }
        match byte {
            b'"' => skip_text(&mut bytes),
            b',' => count += 1,
            b'[' | b'{' => {
                is_opened = true;
                depth += 1;
                if depth > MAX_DEPTH {
                    break;
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    count
}

/// The number of values in a value, itself included.
#[must_use]
pub fn values_in(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(values_in).sum(),
        Value::Object(members) => members.values().map(values_in).sum(),
        _ => 0,
    }
}

/// Skips the rest of a text and its closing quote.
fn skip_text<'a>(bytes: &mut impl Iterator<Item = &'a u8>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => _ = bytes.next(),
            _ => {}
        }
    }
}

/// Appends `key` to a JSON Pointer (RFC 6901).
#[must_use]
pub fn pointer(parent: &str, key: impl fmt::Display) -> String {
    let key = key.to_string().replace('~', "~0").replace('/', "~1");
    format!("{parent}/{key}")
}

/// The length of a value as JSON text, in bytes.
#[must_use]
pub fn length<T: Serialize + ?Sized>(value: &T) -> usize {
    let mut counter = Counter(0);
    // Counting cannot fail, and all maps here have text keys.
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}

/// The length of a value as JSON text in bytes, if it exceeds `limit`.
#[must_use]
pub fn longer_than(value: &Value, limit: usize) -> Option<usize> {
    if most_bytes(value) <= limit {
        return None;
    }
    Some(length(value)).filter(|bytes| *bytes > limit)
}

/// An upper bound of [`length`], without serializing the value.
#[must_use]
pub fn most_bytes(value: &Value) -> usize {
    /// Every byte of a text may need a `\uXXXX` escape.
    const ESCAPED: usize = 6;
    const SCALAR: usize = 32;
    match value {
        Value::String(text) => SCALAR + text.len() * ESCAPED,
        Value::Array(items) => {
            SCALAR + items.iter().map(|item| 1 + most_bytes(item)).sum::<usize>()
        }
        Value::Object(members) => members.iter().fold(SCALAR, |sum, (key, value)| {
            sum + SCALAR + key.len() * ESCAPED + most_bytes(value)
        }),
        _ => SCALAR,
    }
}

struct Counter(usize);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Clone, Copy)]
struct Strict {
    depth: usize,
}

impl Strict {
    fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.depth == MAX_DEPTH {
            return Err(E::custom(format_args!(
                "nested deeper than {MAX_DEPTH} levels"
            )));
        }
        Ok(Self {
            depth: self.depth + 1,
        })
    }
}

fn text<E: serde::de::Error>(text: &str) -> Result<&str, E> {
    if text.contains('\0') {
        Err(E::custom("the character NUL is not allowed in a text"))
    } else {
        Ok(text)
    }
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(text(value)?.to_owned()))
    }

    fn visit_string<E: serde::de::Error>(self, value: String) -> Result<Value, E> {
        text::<E>(&value)?;
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            text::<A::Error>(&key)?;
            if object.contains_key(&key) {
                return Err(A::Error::custom(format_args!(
                    "the key {key:?} stands twice in one object"
                )));
            }
            object.insert(key, entries.next_value_seed(inner)?);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_exact_integers_and_doubles() {
        let text =
            "[9223372036854775807,18446744073709551615,-9223372036854775808,0.1,10.0,-0.0,1e300]";
        assert_eq!(
            parse(text.as_bytes()).unwrap().to_string(),
            text.replace("1e300", "1e+300")
        );
    }

    #[test]
    fn refuses_what_the_contract_refuses() {
        let deep = "[".repeat(65) + &"]".repeat(65);
        for text in [
            r#"{"a":1,"a":2}"#,
            r#""\ud800""#,
            r#""\u0000""#,
            r#"{"\u0000":1}"#,
            "1e999",
            "",
            "[1,]",
            "1 2",
            &deep,
        ] {
            assert!(parse(text.as_bytes()).is_err(), "accepted {text}");
        }
        assert!(parse(b"\"\xff\"").is_err());
        let deep = "[".repeat(64) + &"]".repeat(64);
        assert!(parse(deep.as_bytes()).is_ok());
    }

    #[test]
    fn values_are_counted_as_the_parser_sees_them() {
        for (text, count) in [
            ("1", 1),
            ("[]", 1),
            (" [ ] ", 1),
            ("[[],[],{}]", 4),
            (r#"{"a":[1,2],"b":{"c":null}}"#, 6),
            (r#"["a,b","[{\"",",\\"]"#, 4),
        ] {
            assert_eq!(count_values(text.as_bytes()), count, "{text}");
            assert!(parse_within(text.as_bytes(), count).is_ok(), "{text}");
            let error = parse_within(text.as_bytes(), count - 1)
                .unwrap_err()
                .to_string();
            let expected = format!("{count} values are more than the limit of {}", count - 1);
            assert_eq!(error, expected, "{text}");
        }
    }
}
