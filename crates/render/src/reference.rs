//! What a reference field shows of the object that it names.

use serde_json::{Value, json};
use stockroom_model::body::integer;
use stockroom_model::r#type::FieldDefinition;
use stockroom_model::r#type::field::reference_target;
use stockroom_model::{Object, ObjectId, Type, TypeId};

use crate::fields::{self, Secrets, is_given};
use crate::{Target, World, placeholder, summary, text};

/// The `reference` of a field: `None` if it references nothing, null if the reader may not see the target.
pub(crate) fn reference(
    field: &FieldDefinition,
    value: &Value,
    world: &impl World,
) -> Option<Value> {
    if !is_followed(field) || !names_something(value) {
        return None;
    }
    let summaries = field.definition.get("summaries").and_then(Value::as_array);
    let found = match target(value).map_or(Target::Missing, |id| world.object(id)) {
        Target::Hidden => return Some(Value::Null),
        Target::Missing => None,
        Target::Visible(object) => type_of(object, world).map(|r#type| (object, r#type)),
    };
    Some(match (found, summaries) {
        (Some((object, r#type)), Some(summaries)) => in_a_line(object, r#type, summaries),
        (Some((object, r#type)), None) => in_full(object, r#type),
        (None, Some(_)) => json!({
            "type_id": 0, "object_id": 0, "line": "", "type_label": "", "summaries": [], "icon": null, "prefix": false,
        }),
        (None, None) => json!({
            "type_id": 0, "type_name": "", "type_label": "", "object_id": 0, "summaries": [],
        }),
    })
}

/// Whether the values of a field lead to objects. A secret does not, whatever else its definition says: what it led to would
/// give it away.
pub(crate) fn is_followed(field: &FieldDefinition) -> bool {
    field.is_reference() && !field.is_password()
}

/// The object that a value names, if it can name one at all.
pub(crate) fn target(value: &Value) -> Option<ObjectId> {
    reference_target(value).and_then(ObjectId::new)
}

/// The type of an object.
pub(crate) fn type_of<'w>(object: &Object, world: &'w impl World) -> Option<&'w Type> {
    object.type_id().and_then(|id| world.r#type(id))
}

/// `"0"` is read as 0: no reference.
fn names_something(value: &Value) -> bool {
    is_given(value) && value.as_str() != Some("0")
}

/// The line that the field's definition has for the type of the target; without one, the target's own summary.
fn in_a_line(object: &Object, r#type: &Type, summaries: &[Value]) -> Value {
    let summary = summaries
        .iter()
        .find(|summary| type_id(summary) == Some(r#type.public_id));
    let (line, shown, prefix) = match summary {
        Some(summary) => {
            let template = summary
                .get("line")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let listed = names(summary);
            let line = Value::from(line(template, &listed, object, r#type));
            let filled = placeholder::has_placeholders(template);
            (
                line,
                if filled { listed } else { Vec::new() },
                prefix(summary),
            )
        }
        None => (
            Value::Null,
            r#type.render_meta.summary.fields.clone(),
            false,
        ),
    };
    json!({
        "type_id": r#type.public_id,
        "object_id": object.public_id(),
        "line": line,
        "type_label": r#type.label,
        "summaries": summary::texts(&shown, object, r#type),
        "icon": r#type.render_meta.icon,
        "prefix": prefix,
    })
}

/// All fields of the target; references among them stay plain ids.
fn in_full(object: &Object, r#type: &Type) -> Value {
    let summaries: Vec<Value> = r#type
        .fields()
        .iter()
        .map(|field| fields::plain(field, Some(object), Secrets::Masked).into())
        .collect();
    json!({
        "type_id": r#type.public_id,
        "type_name": r#type.name,
        "type_label": r#type.label,
        "object_id": object.public_id(),
        "summaries": summaries,
    })
}

/// A placeholder without a value is empty: a name that is no field must not move the others.
fn line(template: &str, listed: &[String], object: &Object, r#type: &Type) -> String {
    let filled = placeholder::fill(template, |placeholder| {
        let named = placeholder
            .key
            .field(listed)
            .and_then(|name| text::named(object, r#type, name));
        Some(named.map(|named| named.text).unwrap_or_default())
    });
    filled.unwrap_or_default()
}

fn type_id(summary: &Value) -> Option<TypeId> {
    summary
        .get("type_id")
        .and_then(integer)
        .and_then(TypeId::new)
}

fn names(summary: &Value) -> Vec<String> {
    let names = summary.get("fields").and_then(Value::as_array);
    names
        .into_iter()
        .flatten()
        .filter_map(|name| name.as_str().map(str::to_owned))
        .collect()
}

fn prefix(summary: &Value) -> bool {
    summary
        .get("prefix")
        .and_then(Value::as_bool)
        .unwrap_or(true)
}
