//! Values as text in lines and links.

use serde_json::Value;
use stockroom_model::Timestamp;
use stockroom_model::object::secret::MASK;
use stockroom_model::r#type::{FieldDefinition, OBJECT_ID};

use crate::record::{Record, parse};
use crate::type_template::TypeTemplate;

/// A value looked up by name.
pub(crate) struct Named<'a> {
    /// The kind of the field.
    pub(crate) kind: &'a str,
    /// Empty if the object has no value.
    pub(crate) text: String,
    /// Whether the value is a password.
    pub(crate) is_secret: bool,
    /// Whether [`TOO_LONG`] replaces the value.
    pub(crate) is_too_long: bool,
}

/// Replaces a value that is too long.
const TOO_LONG: &str = "…";

/// The value of the field `name`, or the id of the object; `None` if the type has no such field.
pub(crate) fn named<'a>(
    record: &Record,
    template: &'a TypeTemplate,
    name: &str,
) -> Option<Named<'a>> {
    if name == OBJECT_ID {
        let id = record.public_id();
        return Some(Named {
            kind: "text",
            text: id.map(|id| id.to_string()).unwrap_or_default(),
            is_secret: false,
            is_too_long: false,
        });
    }
    let field = template.field(name)?;
    let value = record.value(&field.key).unwrap_or("null");
    let is_too_long = value.len() > template.shown_value_bytes && !field.definition.is_password();
    Some(Named {
        kind: &field.definition.kind,
        text: if is_too_long {
            TOO_LONG.to_owned()
        } else {
            text(&field.definition, parse(value))
        },
        is_secret: field.is_password(),
        is_too_long,
    })
}

fn text(field: &FieldDefinition, value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if text.is_empty() => String::new(),
        _ if field.is_password() => MASK.to_owned(),
        Value::String(text) if field.is_date() => Timestamp::from_text(&text)
            .map(Timestamp::to_plain)
            .unwrap_or_default(),
        Value::String(text) => text,
        other => {
            Timestamp::from_date(&other).map_or_else(|| other.to_string(), Timestamp::to_plain)
        }
    }
}
