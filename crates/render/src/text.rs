//! Values as text in lines and links.

use stockroom_model::r#type::OBJECT_ID;

use crate::record::{Record, parse};
use crate::type_template::TypeTemplate;
use crate::work::Work;

/// A value looked up by name.
pub(crate) struct NamedValue<'a> {
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
    work: &Work<'_>,
) -> Option<NamedValue<'a>> {
    if name == OBJECT_ID {
        let id = record.public_id();
        return Some(NamedValue {
            kind: "text",
            text: id.map(|id| id.to_string()).unwrap_or_default(),
            is_secret: false,
            is_too_long: false,
        });
    }
    let field = template.field(name)?;
    let value = record.value(&field.key).unwrap_or("null");
    let is_long = value.len() > template.shown_value_bytes && !field.is_secret();
    work.pay_value(if is_long { "" } else { value });
    let is_too_long = is_long || work.is_over();
    Some(NamedValue {
        kind: field.definition.kind_name(),
        text: if is_too_long {
            TOO_LONG.to_owned()
        } else {
            field.definition.kind.line_text(parse(value))
        },
        is_secret: field.is_secret(),
        is_too_long,
    })
}
