//! A type prepared for rendering: the parts that are the same in all of its objects, as JSON text.

use std::ops::Deref;

use serde_json::{Map, Value, json};
use stockroom_model::object::secret::MASK;
use stockroom_model::r#type::{FieldDefinition, Section};
use stockroom_model::{RecordLimits, Timestamp, Type};

/// A type prepared for rendering. It is expensive to make and cheap to use, so keep it until the
/// type changes.
#[derive(Debug)]
pub struct TypeTemplate {
    definition: Type,
    /// The text before the name of the type's author.
    pub(crate) head: String,
    /// The text between the author's name and the fields.
    pub(crate) middle: String,
    fields: Vec<Field>,
    pub(crate) sections: Vec<SectionTemplate>,
    /// The sections as stored.
    pub(crate) outline: String,
    /// Indices of the fields that are in no section.
    pub(crate) unsectioned: Vec<usize>,
    /// Indices of the summary fields.
    pub(crate) summary: Vec<usize>,
    /// See [`RecordLimits`].
    pub(crate) rendered_bytes: usize,
    /// See [`RecordLimits`].
    pub(crate) shown_value_bytes: usize,
}

/// A field, prepared for rendering.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) definition: FieldDefinition,
    /// Its name, escaped as in JSON, without quotes.
    pub(crate) key: String,
    /// Whether its values are references to follow.
    pub(crate) is_followed: bool,
    /// The definition up to the value, for objects with a value.
    pub(crate) held: String,
    /// The same for objects without a value.
    pub(crate) lacking: String,
}

/// The fields of a section, as indices.
#[derive(Debug)]
pub(crate) struct SectionTemplate {
    /// Unknown names are left out. The link of a reference section is always included.
    pub(crate) fields: Vec<usize>,
    /// The reference field of a reference section.
    pub(crate) link: Option<usize>,
}

impl Deref for TypeTemplate {
    type Target = Type;

    fn deref(&self) -> &Type {
        &self.definition
    }
}

impl TypeTemplate {
    /// Prepares a type.
    #[must_use]
    pub fn new(definition: &Type, limits: &RecordLimits) -> Self {
        let fields = definition.fields().iter();
        let meta = &definition.render_meta;
        let sections: Vec<SectionTemplate> = meta
            .sections
            .iter()
            .map(|section| SectionTemplate::new(definition, section))
            .collect();
        Self {
            head: head(definition),
            middle: middle(definition),
            fields: fields.clone().map(Field::new).collect(),
            outline: serde_json::to_string(&meta.sections).unwrap_or_default(),
            unsectioned: unsectioned(fields.len(), &sections),
            sections,
            summary: field_indices(definition, &meta.summary.fields).collect(),
            rendered_bytes: limits.rendered_bytes,
            shown_value_bytes: limits.shown_value_bytes,
            definition: definition.clone(),
        }
    }

    pub(crate) fn field_at(&self, index: usize) -> Option<&Field> {
        self.fields.get(index)
    }

    pub(crate) fn fields(&self) -> &[Field] {
        &self.fields
    }

    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        self.field_at(self.definition.field_index(name)?)
    }
}

fn head(definition: &Type) -> String {
    let known = json!({
        "type_id": definition.public_id,
        "type_name": definition.name,
        "type_label": definition.label,
        "creation_time": definition.created().map(Timestamp::to_date),
        "author_id": definition.author_id,
    });
    format!("{},\"author_name\":", opened(&known))
}

fn middle(definition: &Type) -> String {
    let known = json!({
        "icon": definition.render_meta.icon,
        "active": definition.active,
        "version": definition.version,
        "acl": acl(&definition.acl),
    });
    let known = opened(&known);
    format!(
        ",{},\"fields\":[",
        known.strip_prefix('{').unwrap_or(&known)
    )
}

/// The JSON text of an object without its closing bracket.
fn opened(value: &Value) -> String {
    let mut text = value.to_string();
    text.pop();
    text
}

/// The two parts of an access list that have a meaning. A type stored without them gets the parts
/// of an open list.
fn acl(stored: &Value) -> Value {
    let includes = stored
        .pointer("/groups/includes")
        .filter(|includes| includes.is_object());
    json!({
        "activated": stored.get("activated").and_then(Value::as_bool).unwrap_or(false),
        "groups": { "includes": includes.cloned().unwrap_or_else(|| json!({})) },
    })
}

/// The indices of the fields that are in no section.
fn unsectioned(fields: usize, sections: &[SectionTemplate]) -> Vec<usize> {
    let mut is_shown = vec![false; fields];
    for index in sections.iter().flat_map(|section| &section.fields) {
        if let Some(is_shown) = is_shown.get_mut(*index) {
            *is_shown = true;
        }
    }
    (0..fields)
        .filter(|index| is_shown.get(*index) == Some(&false))
        .collect()
}

fn field_indices<'a>(
    definition: &'a Type,
    names: &'a [String],
) -> impl Iterator<Item = usize> + 'a {
    names.iter().filter_map(|name| definition.field_index(name))
}

impl SectionTemplate {
    fn new(definition: &Type, section: &Section) -> Self {
        let link = section
            .is_reference()
            .then(|| definition.field_index(&section.link_name()))
            .flatten()
            .filter(|link| {
                let field = definition.fields().get(*link);
                field.is_some_and(|field| field.kind.is_reference())
            });
        let unlisted = link
            .filter(|link| !field_indices(definition, &section.fields).any(|index| index == *link));
        Self {
            fields: unlisted
                .into_iter()
                .chain(field_indices(definition, &section.fields))
                .collect(),
            link,
        }
    }
}

impl Field {
    pub(crate) fn is_secret(&self) -> bool {
        self.definition.kind.is_secret()
    }

    fn new(field: &FieldDefinition) -> Self {
        let quoted = Value::from(field.name.as_str()).to_string();
        Self {
            key: quoted
                .get(1..quoted.len() - 1)
                .unwrap_or_default()
                .to_owned(),
            is_followed: field.kind.is_reference(),
            held: up_to_value(field, true),
            lacking: up_to_value(field, false),
            definition: field.clone(),
        }
    }
}

/// The definition of a field up to its value.
fn up_to_value(field: &FieldDefinition, is_held: bool) -> String {
    let mut entry = as_sent(field);
    let initial = entry.shift_remove("value");
    if is_held && let Some(initial) = initial.filter(is_given) {
        entry.insert("default".to_owned(), initial);
    }
    if field.kind.is_secret()
        && let Some(default) = entry.get_mut("default").filter(|default| is_given(default))
    {
        *default = Value::from(MASK);
    }
    format!("{},\"value\":", opened(&Value::Object(entry)))
}

/// The definition as sent, without keys that rendering itself uses.
fn as_sent(field: &FieldDefinition) -> Map<String, Value> {
    let mut entry = field.definition.clone();
    for key in ["reference", "references"] {
        entry.shift_remove(key);
    }
    for (key, text) in [
        ("type", field.kind_name()),
        ("name", &*field.name),
        ("label", &*field.label),
    ] {
        entry.entry(key).or_insert_with(|| Value::from(text));
    }
    entry
}

/// Whether a value is given; null, `""`, 0, false and empty containers are not.
pub(crate) fn is_given(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
    }
}
