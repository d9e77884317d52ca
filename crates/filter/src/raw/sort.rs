//! Sort keys from the text of a document.

use serde_json::{Map, Value};

use super::scan::Raw;
use super::{ExtraMembers, parse};
use crate::error::Damaged;
use crate::key::Key;
use crate::sort::{Sort, SortPath};

impl Sort {
    /// Like [`Sort::key`], for the JSON text of a document; `extra` are members stored beside the
    /// text. Parses only the member that contains the value.
    ///
    /// # Errors
    ///
    /// [`Damaged`] when that member is not valid JSON.
    pub fn key_of_text(&self, document: &str, extra: &[(&str, i64)]) -> Result<Key, Damaged> {
        Ok(self.key(&self.part(document, extra)?))
    }

    /// A smaller document with the same key.
    fn part(&self, text: &str, extra: ExtraMembers<'_>) -> Result<Value, Damaged> {
        let name = match &self.path {
            SortPath::Missing => return Ok(Value::Null),
            SortPath::Field(_) => "fields",
            SortPath::Path(path) => path.segments().first().map_or("", |first| first.name()),
        };
        // `{"$date": …}` alone would read as a date.
        if !super::is_object(text) || name == "$date" {
            return parse(text, extra);
        }
        if let Some((_, number)) = extra.iter().rev().find(|(other, _)| *other == name) {
            return Ok(document(name, Value::from(*number)));
        }
        let Some(value) = Raw::new(text).member(name)? else {
            return Ok(Value::Object(Map::new()));
        };
        let value = match &self.path {
            SortPath::Field(field) => fields_named(value, field)?,
            _ => value.parse()?,
        };
        Ok(document(name, value))
    }
}

fn document(name: &str, value: Value) -> Value {
    Value::Object(Map::from_iter([(name.to_owned(), value)]))
}

fn fields_named(fields: Raw<'_>, name: &str) -> Result<Value, Damaged> {
    let mut found = Vec::new();
    if let Some(mut items) = fields.items()? {
        while let Some(item) = items.next()? {
            if let Some(own) = item.member("name")?
                && own.is_text(name)? == Some(true)
            {
                found.push(item.parse()?);
            }
        }
    }
    Ok(Value::Array(found))
}
