//! The numbers and texts of a document, without a tree of the rest: an array of megabytes is passed
//! over in a fraction of the time that its tree takes.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use stockroom_model::json::Value;

/// The names and values of the fields whose value is a number or a text.
///
/// # Errors
///
/// The document is malformed, or its `fields` are no array.
pub(super) fn scalar_values(document: &str) -> Result<Vec<(String, Value)>, serde_json::Error> {
    let Items { fields } = serde_json::from_str(document)?;
    let named = |item: Part| match item {
        Part::Item(Some(name), Some(value)) => Some((name, value)),
        _ => None,
    };
    Ok(fields.into_iter().filter_map(named).collect())
}

#[derive(Deserialize)]
struct Items {
    #[serde(default)]
    fields: Vec<Part>,
}

/// A part of a document, as far as it is wanted.
enum Part {
    Scalar(Value),
    /// The name and the value of an object, if they are scalars.
    Item(Option<String>, Option<Value>),
    Other,
}

impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PartVisitor)
    }
}

struct PartVisitor;

impl<'de> Visitor<'de> for PartVisitor {
    type Value = Part;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Part, E> {
        Ok(Part::Other)
    }

    fn visit_unit<E>(self) -> Result<Part, E> {
        Ok(Part::Other)
    }

    fn visit_i64<E>(self, value: i64) -> Result<Part, E> {
        Ok(Part::Scalar(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Part, E> {
        Ok(Part::Scalar(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Part, E> {
        Ok(Part::Scalar(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Part, E> {
        Ok(Part::Scalar(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Part, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Part::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Part, A::Error> {
        let (mut name, mut value) = (None, None);
        while let Some(member) = members.next_key::<String>()? {
            match member.as_str() {
                "name" => name = members.next_value::<Part>()?.text(),
                "value" => value = members.next_value::<Part>()?.scalar(),
                _ => _ = members.next_value::<IgnoredAny>()?,
            }
        }
        Ok(Part::Item(name, value))
    }
}

impl Part {
    fn scalar(self) -> Option<Value> {
        match self {
            Self::Scalar(value) => Some(value),
            _ => None,
        }
    }

    fn text(self) -> Option<String> {
        match self.scalar()? {
            Value::String(text) => Some(text),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_fields_with_scalar_values_are_kept() {
        let document = r#"{"public_id": 1, "fields": [
            {"name": "a", "value": 5}, {"value": "7", "name": "b"}, {"name": "c"}, 3, null,
            {"name": "d", "value": [1, {"name": "x", "value": 1}]}, {"name": "e", "value": true},
            {"name": "f", "value": {"name": "y", "value": 2}}, {"name": 4, "value": 4}, [5]
        ]}"#;
        let values = scalar_values(document).unwrap();
        assert_eq!(values, [("a".into(), 5.into()), ("b".into(), "7".into())]);
        assert_eq!(scalar_values(r#"{"public_id": 1}"#).unwrap(), []);
        assert!(scalar_values(r#"{"fields": {"name": "a"}}"#).is_err());
    }
}
