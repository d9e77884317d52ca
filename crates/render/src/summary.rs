//! What names an object: its summary fields, and the line made of them.

use serde_json::{Value, json};
use stockroom_model::{Object, Type, title_case};

use crate::fields::{self, Secrets};
use crate::{MAX_HOPS, World, text};

/// The line that names an object in lists, pickers and references: the values of the summary fields, joined by ` | `, or type
/// and id if the type has none. Passwords are masked.
#[must_use]
pub fn summary_line(object: &Object, r#type: &Type) -> String {
    let values: Vec<String> = r#type
        .render_meta
        .summary
        .fields
        .iter()
        .filter_map(|name| Some(text::named(object, r#type, name)?.text))
        .collect();
    if values.is_empty() {
        return type_and_id(object, r#type);
    }
    values.join(" | ")
}

/// The summary fields, rendered.
pub(crate) fn summaries(object: &Object, r#type: &Type, world: &impl World) -> Vec<Value> {
    r#type
        .render_meta
        .summary
        .fields
        .iter()
        .filter_map(|name| r#type.field(name))
        .map(|field| fields::entry(field, Some(object), world, MAX_HOPS, Secrets::Masked).into())
        .collect()
}

/// The short form of summaries in references: the texts of fields with their kinds.
pub(crate) fn texts(names: &[String], object: &Object, r#type: &Type) -> Vec<Value> {
    names
        .iter()
        .filter_map(|name| text::named(object, r#type, name))
        .map(|named| json!({ "value": named.text, "type": named.kind }))
        .collect()
}

fn type_and_id(object: &Object, r#type: &Type) -> String {
    let id = object.public_id().map_or(0, i64::from);
    if r#type.label.is_empty() {
        format!("{} #{id}", title_case(&r#type.name))
    } else {
        format!("{} #{id}", r#type.label)
    }
}
