//! Renders the object that a reference field names.

use serde_json::Value;
use stockroom_model::ObjectId;
use stockroom_model::TypeId;
use stockroom_model::body::integer;
use stockroom_model::kind::reference_target;
use stockroom_model::r#type::FieldDefinition;

use crate::fields::{self, Secrets};
use crate::out::Out;
use crate::record::{Record, parse};
use crate::type_template::{Field, TypeTemplate, is_given};
use crate::work::Work;
use crate::{RenderContext, Target, placeholder, text};

/// A field with its referenced object, if `hops` are left.
pub(crate) fn field(
    out: &mut Out,
    field: &Field,
    record: Option<&Record>,
    context: &impl RenderContext,
    hops: usize,
    secrets: Secrets,
) {
    let held = fields::open(out, field, record, secrets);
    if hops > 0
        && field.is_followed
        && let Some(value) = held
    {
        reference(out, &field.definition, &parse(value), context);
    }
    out.raw("}");
}

/// The member `reference` of a reference field: omitted if the field references nothing, null if
/// the reader may not see the target.
fn reference(out: &mut Out, field: &FieldDefinition, value: &Value, context: &impl RenderContext) {
    if !names_something(value) {
        return;
    }
    out.raw(r#","reference":"#);
    let summaries = field.definition.get("summaries").and_then(Value::as_array);
    let found = match target(value).map_or(Target::Missing, |id| context.object(id)) {
        Target::Hidden => return out.raw("null"),
        Target::Missing => None,
        Target::Visible(record) => type_of(record, context).map(|template| (record, template)),
    };
    match (found, summaries) {
        (Some((record, template)), Some(summaries)) => in_a_line(out, record, template, summaries),
        (Some((record, template)), None) => in_full(out, record, template),
        (None, Some(_)) => out.raw(
            r#"{"type_id":0,"object_id":0,"line":"","type_label":"","summaries":[],"icon":null,"prefix":false}"#,
        ),
        (None, None) => out
            .raw(r#"{"type_id":0,"type_name":"","type_label":"","object_id":0,"summaries":[]}"#),
    }
}

/// The object that a value refers to, if it can refer to one.
pub(crate) fn target(value: &Value) -> Option<ObjectId> {
    reference_target(value)
}

/// The template of an object's type.
pub(crate) fn type_of<'w>(
    record: &Record,
    context: &'w impl RenderContext,
) -> Option<&'w TypeTemplate> {
    record.type_id().and_then(|id| context.template(id))
}

/// `"0"` counts as 0: no reference.
fn names_something(value: &Value) -> bool {
    is_given(value) && value.as_str() != Some("0")
}

/// The line that the field's definition has for the type of the target, or else the target's own
/// summary.
fn in_a_line(out: &mut Out, record: &Record, template: &TypeTemplate, summaries: &[Value]) {
    out.raw(r#"{"type_id":"#);
    out.json(&template.public_id);
    out.raw(r#","object_id":"#);
    out.json(&record.public_id());
    out.raw(r#","line":"#);
    let summary = summaries
        .iter()
        .find(|summary| type_id(summary) == Some(template.public_id));
    let listed = summary.map(names).unwrap_or_default();
    let pattern = summary
        .and_then(|summary| summary.get("line"))
        .and_then(Value::as_str)
        .unwrap_or_default();
    let work = out.work();
    work.pay(pattern.len());
    out.json(&summary.map(|_| line(pattern, &listed, record, template, work)));
    let shown: &[String] = match summary {
        None => &template.render_meta.summary.fields,
        Some(_) if placeholder::has_placeholders(pattern) => &listed,
        Some(_) => &[],
    };
    out.raw(r#","type_label":"#);
    out.json(&template.label);
    out.raw(r#","summaries":["#);
    texts(out, shown, record, template);
    out.raw(r#"],"icon":"#);
    out.json(&template.render_meta.icon);
    out.raw(r#","prefix":"#);
    out.json(&summary.is_some_and(prefix));
    out.raw("}");
}

/// The short form of summaries in references: texts and kinds of fields.
fn texts(out: &mut Out, names: &[String], record: &Record, template: &TypeTemplate) {
    let work = out.work();
    let values = names
        .iter()
        .filter_map(|name| text::named(record, template, name, work));
    out.list(values, |out, value| {
        out.raw(r#"{"value":"#);
        out.json(&value.text);
        out.raw(r#","type":"#);
        out.json(value.kind);
        out.raw("}");
    });
}

/// All fields of the target; references among them are rendered as ids only.
fn in_full(out: &mut Out, record: &Record, template: &TypeTemplate) {
    out.raw(r#"{"type_id":"#);
    out.json(&template.public_id);
    out.raw(r#","type_name":"#);
    out.json(&template.name);
    out.raw(r#","type_label":"#);
    out.json(&template.label);
    out.raw(r#","object_id":"#);
    out.json(&record.public_id());
    out.raw(r#","summaries":["#);
    out.list(template.fields(), |out, field| {
        fields::plain(out, field, Some(record), Secrets::Masked);
    });
    out.raw("]}");
}

/// A placeholder without a value becomes empty: an unknown name must not shift the other values.
fn line(
    pattern: &str,
    listed: &[String],
    record: &Record,
    template: &TypeTemplate,
    work: &Work<'_>,
) -> String {
    let filled = placeholder::fill(pattern, template.shown_value_bytes, |placeholder| {
        let named = placeholder
            .key
            .field(listed)
            .and_then(|name| text::named(record, template, name, work));
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
