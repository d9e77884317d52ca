//! Strict JSON: what every body, filter and setting is read with (contract, "Values").

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
pub use serde_json::{Map, Number, Value};

/// Arrays and objects may be nested this deep.
pub const MAX_DEPTH: usize = 64;

/// Why a text is not acceptable JSON; the message names line and column.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(String);

/// Parses one JSON value.
///
/// # Errors
///
/// [`Malformed`] for broken JSON, invalid UTF-8, lone surrogates, duplicate keys, NUL in a text, more than [`MAX_DEPTH`]
/// levels, and numbers that no double can hold.
pub fn parse(text: &[u8]) -> Result<Value, Malformed> {
    let text = std::str::from_utf8(text)
        .map_err(|error| Malformed(format!("invalid UTF-8 at byte {}", error.valid_up_to())))?;
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Strict { depth: 0 }
        .deserialize(&mut reader)
        .map_err(|error| Malformed(error.to_string()))?;
    reader.end().map_err(|error| Malformed(error.to_string()))?;
    Ok(value)
}

/// Appends `key` to a JSON Pointer (RFC 6901).
#[must_use]
pub fn pointer(parent: &str, key: impl fmt::Display) -> String {
    let key = key.to_string().replace('~', "~0").replace('/', "~1");
    format!("{parent}/{key}")
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
        assert!(parse(("[".repeat(64) + &"]".repeat(64)).as_bytes()).is_ok());
    }
}
