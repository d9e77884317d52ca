//! One BSON document as JSON (<https://bsonspec.org/spec.html>). Every length is checked against the
//! bytes that are there before anything is allocated.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Number, Value, json};
use stockroom_model::Timestamp;

use crate::decimal;
use crate::notes::Notes;

/// Maximum bytes of a document: the limit of MongoDB, and what it adds on its own.
pub const MAX_DOCUMENT_BYTES: usize = 16 * 1024 * 1024 + 16 * 1024;
/// Maximum nesting depth of a document.
pub const MAX_DEPTH: usize = 60;
/// Maximum number of values in a document.
pub const MAX_DOCUMENT_VALUES: usize = 200_000;

/// A document of a collection.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Its members, with dates as `{"$date": milliseconds}`.
    pub members: Map<String, Value>,
    /// Which values JSON could not hold as they were.
    pub notes: Notes,
}

/// What is wrong with a document, and at which of its bytes.
#[derive(Debug, PartialEq)]
pub(crate) struct Malformed {
    pub(crate) at: usize,
    pub(crate) detail: String,
}

impl Document {
    /// Reads the bytes of one document.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader {
            bytes,
            at: 0,
            values: 0,
            notes: Notes::default(),
        };
        let members = reader.document(0)?;
        if reader.at != bytes.len() {
            return Err(reader.malformed("the document ends before its length says"));
        }
        Ok(Self {
            members,
            notes: reader.notes,
        })
    }
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
    values: usize,
    notes: Notes,
}

impl<'b> Reader<'b> {
    fn malformed(&self, detail: impl Into<String>) -> Malformed {
        Malformed {
            at: self.at,
            detail: detail.into(),
        }
    }

    fn take(&mut self, length: usize) -> Result<&'b [u8], Malformed> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let taken = rest
            .get(..length)
            .ok_or_else(|| self.malformed("a value is longer than the document"))?;
        self.at += length;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let bytes = self.take(N)?;
        bytes
            .try_into()
            .map_err(|_| self.malformed("a value is cut off"))
    }

    fn int32(&mut self) -> Result<i32, Malformed> {
        self.array().map(i32::from_le_bytes)
    }

    fn int64(&mut self) -> Result<i64, Malformed> {
        self.array().map(i64::from_le_bytes)
    }

    fn length(&mut self) -> Result<usize, Malformed> {
        let length = self.int32()?;
        usize::try_from(length).map_err(|_| self.malformed(format!("{length} is no length")))
    }

    /// The members of a document, to its end.
    fn document(&mut self, depth: usize) -> Result<Map<String, Value>, Malformed> {
        let mut members = Map::new();
        self.elements(depth, |reader, name, value| {
            if members.insert(name.to_owned(), value).is_some() {
                reader.notes.add(TWICE, name);
            }
        })?;
        Ok(members)
    }

    fn list(&mut self, depth: usize) -> Result<Value, Malformed> {
        let mut items = Vec::new();
        self.elements(depth, |_, _, value| items.push(value))?;
        Ok(Value::Array(items))
    }

    fn elements(
        &mut self,
        depth: usize,
        mut each: impl FnMut(&mut Self, &str, Value),
    ) -> Result<(), Malformed> {
        if depth > MAX_DEPTH {
            return Err(self.malformed(format!("more than {MAX_DEPTH} levels are nested")));
        }
        let start = self.at;
        let length = self.length()?;
        if self.bytes.len() - start < length {
            return Err(self.malformed("a document inside is longer than the one around it"));
        }
        loop {
            let [kind] = self.array()?;
            if kind == 0 {
                break;
            }
            let name = self.name()?;
            self.values += 1;
            if self.values > MAX_DOCUMENT_VALUES {
                return Err(self.malformed(format!(
                    "the document has more than {MAX_DOCUMENT_VALUES} values"
                )));
            }
            let value = self.value(kind, name, depth)?;
            each(self, name, value);
        }
        if self.at - start != length {
            return Err(self.malformed("the length of a document is wrong"));
        }
        Ok(())
    }

    /// A text that ends with a zero byte.
    fn name(&mut self) -> Result<&'b str, Malformed> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let end = rest.iter().position(|byte| *byte == 0);
        let end = end.ok_or_else(|| self.malformed("a name has no end"))?;
        let name = self.take(end)?;
        let _ = self.take(1)?;
        std::str::from_utf8(name).map_err(|_| self.malformed("a name is not UTF-8"))
    }

    fn text(&mut self, name: &str) -> Result<String, Malformed> {
        let length = self.length()?;
        let bytes = self.take(length)?;
        let Some((0, text)) = bytes.split_last() else {
            return Err(self.malformed("a text has no end"));
        };
        let text = std::str::from_utf8(text).map_err(|_| self.malformed("a text is not UTF-8"))?;
        if text.contains('\0') {
            self.notes.add(NUL, name);
            return Ok(text.replace('\0', ""));
        }
        Ok(text.to_owned())
    }

    fn value(&mut self, kind: u8, name: &str, depth: usize) -> Result<Value, Malformed> {
        Ok(match kind {
            0x01 => {
                let number = f64::from_le_bytes(self.array()?);
                self.number(number, name)
            }
            0x02 => Value::String(self.text(name)?),
            0x03 => Value::Object(self.document(depth + 1)?),
            0x04 => self.list(depth + 1)?,
            0x08 => match self.array()? {
                [0] => Value::Bool(false),
                [1] => Value::Bool(true),
                [other] => return Err(self.malformed(format!("{other} is no boolean"))),
            },
            0x09 => {
                let millis = self.int64()?;
                self.date(millis, name)
            }
            0x0A => Value::Null,
            0x10 => Value::from(self.int32()?),
            0x12 => Value::from(self.int64()?),
            other => self.rare_value(other, name, depth)?,
        })
    }

    /// Kinds that JSON lacks.
    fn rare_value(&mut self, kind: u8, name: &str, depth: usize) -> Result<Value, Malformed> {
        let value = match kind {
            0x05 => {
                let length = self.length()?;
                let _subtype = self.take(1)?;
                Value::String(STANDARD.encode(self.take(length)?))
            }
            0x06 => Value::Null,
            0x07 => {
                // The ids that MongoDB gives to documents are nobody's data.
                let hex = hex(self.take(12)?);
                if name != "_id" {
                    self.notes.add(AS_TEXT, name);
                }
                return Ok(hex);
            }
            0x0B => {
                let (pattern, options) = (self.name()?, self.name()?);
                Value::String(format!("/{pattern}/{options}"))
            }
            0x0C => {
                let collection = self.text(name)?;
                json!({ "$ref": collection, "$id": hex(self.take(12)?) })
            }
            0x0D | 0x0E => Value::String(self.text(name)?),
            0x0F => {
                let (_length, code) = (self.length()?, self.text(name)?);
                let _scope = self.document(depth + 1)?;
                Value::String(code)
            }
            0x11 => {
                let _ordinal = self.array::<4>()?;
                let seconds = u32::from_le_bytes(self.array()?);
                json!({ "$date": i64::from(seconds) * 1_000 })
            }
            0x13 => {
                let text = decimal::text(self.array()?);
                decimal_value(text)
            }
            0x7F => Value::String("MaxKey".to_owned()),
            0xFF => Value::String("MinKey".to_owned()),
            other => return Err(self.malformed(format!("{other:#04x} is no kind of a value"))),
        };
        self.notes.add(AS_TEXT, name);
        Ok(value)
    }

    fn number(&mut self, number: f64, name: &str) -> Value {
        Number::from_f64(number).map_or_else(
            || {
                self.notes.add(NOT_FINITE, name);
                Value::String(number.to_string())
            },
            Value::Number,
        )
    }

    fn date(&mut self, millis: i64, name: &str) -> Value {
        if let Some(time) = Timestamp::from_millis(millis) {
            return time.to_date();
        }
        self.notes.add(FAR_DATE, name);
        Value::String(millis.to_string())
    }
}

const TWICE: &str = "a member stood twice in the document; the last one is kept";
const NUL: &str = "a text held the character NUL, which is removed";
const NOT_FINITE: &str = "a number was NaN or infinite, and became a text";
const AS_TEXT: &str = "a value of a kind that JSON lacks became a text, number or date";
const FAR_DATE: &str = "a date was out of range, and became a text of its milliseconds";

fn hex(bytes: &[u8]) -> Value {
    let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
    Value::String(digits.collect())
}

/// A number if one holds it exactly, else the text.
fn decimal_value(text: String) -> Value {
    if let Ok(integer) = text.parse::<i64>() {
        return Value::from(integer);
    }
    let number = text.parse::<f64>().ok().filter(|number| {
        let shown = number.to_string();
        number.is_finite() && (shown == text || shown == text.trim_end_matches('0'))
    });
    number
        .and_then(Number::from_f64)
        .map_or(Value::String(text), Value::Number)
}
