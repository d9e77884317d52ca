//! Fields that get another name: `renamed_from` in their definition.

use std::collections::{BTreeMap, HashSet};

use super::{FieldDefinition, Fields, OBJECT_ID, Type};
use crate::body::{Body, Report};
use crate::json::{Value, pointer};
use crate::object::check::listed;

/// The key of a definition in a body that says what the field was called. It is not stored.
pub(super) const KEY: &str = "renamed_from";

/// A field that gets another name. The values of all objects move with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rename {
    /// The JSON Pointer of `renamed_from` in the body.
    pub pointer: String,
    /// The name in the stored type.
    pub from: String,
    /// The new name.
    pub to: String,
}

/// Reads the renames of a body, whose definitions are `fields`, and notes those that cannot be.
pub(super) fn renames(
    body: &Body<'_>,
    fields: &[FieldDefinition],
    stored: Option<&Type>,
) -> Vec<Rename> {
    let sent = body.list("fields").unwrap_or_default().iter();
    let mut renames: Vec<Rename> = Vec::new();
    for (index, (sent, field)) in sent.zip(fields).enumerate() {
        let Some(from) = sent.get(KEY).and_then(Value::as_str) else {
            continue;
        };
        if is_stored(field, from, stored) {
            continue;
        }
        let rename = Rename {
            pointer: pointer(&pointer(&body.at("fields"), index), KEY),
            from: from.to_owned(),
            to: field.name.clone(),
        };
        match refusal(&rename, fields, &renames, stored) {
            Some(detail) => body.problem_at(rename.pointer, detail),
            None => renames.push(rename),
        }
    }
    renames
}

/// Whether the key is part of the stored definition: an older release stored it like any other.
fn is_stored(field: &FieldDefinition, from: &str, stored: Option<&Type>) -> bool {
    let known = stored.and_then(|stored| stored.field(&field.name));
    known.and_then(|known| known.definition.get(KEY)?.as_str()) == Some(from)
}

fn refusal(
    rename: &Rename,
    fields: &[FieldDefinition],
    others: &[Rename],
    stored: Option<&Type>,
) -> Option<String> {
    let Rename { from, to, .. } = rename;
    let Some(stored) = stored else {
        return Some("is for changes of a type; a new type has no field to rename".to_owned());
    };
    if stored.field(from).is_none() {
        let names = stored.fields().iter().map(|field| field.name.as_str());
        return Some(format!(
            "must name a field of the stored type, not {from:?}; its fields are {}",
            listed(names)
        ));
    }
    if fields.iter().any(|field| field.name == *from) {
        return Some(format!(
            "names {from:?}, which is still a field; remove that one, or leave out renamed_from"
        ));
    }
    if stored.field(to).is_some() {
        return Some(format!(
            "cannot move values to {to:?}, which is a field of the stored type already; choose a new name"
        ));
    }
    others.iter().any(|other| other.from == *from).then(|| {
        format!("names {from:?} like another field; the values can move to one of them only")
    })
}

impl Type {
    /// The type with these fields under their new names, and nothing else changed.
    #[must_use]
    pub fn with_renamed_fields(&self, renames: &[Rename]) -> Self {
        let mut definition = self.clone();
        if renames.is_empty() {
            return definition;
        }
        let new: BTreeMap<&str, &str> = new_names(renames);
        let fields = self.fields().iter().map(|field| {
            let mut field = field.clone();
            if let Some(name) = new.get(field.name.as_str()) {
                (*name).clone_into(&mut field.name);
                field.definition.insert("name".to_owned(), (*name).into());
            }
            field
        });
        definition.fields = Some(Fields::from(fields.collect::<Vec<_>>()));
        definition.unique = self.renamed_unique(renames);
        definition
    }

    /// Warns of templates, summaries and reference sections that still name a renamed field. Lists of
    /// names have their own warnings.
    pub fn check_old_names(&self, renames: &[Rename], report: &Report) {
        let new = new_names(renames);
        let warn = |at: String, name: &str| {
            if let Some(new) = new.get(name) {
                report.warning(at, format!("names {name:?}, which is called {new:?} now"));
            }
        };
        for (index, external) in self.render_meta.externals.iter().enumerate() {
            for name in placeholders(&external.href) {
                warn(format!("/render_meta/externals/{index}/href"), name);
            }
        }
        for (index, section) in self.render_meta.sections.iter().enumerate() {
            if section.is_reference() {
                let at = format!("/render_meta/sections/{index}/name");
                warn(at, &section.link_name());
            }
        }
        for (index, field) in self.fields().iter().enumerate() {
            for name in field.names_in_summaries_of(self.public_id.get()) {
                warn(pointer(&pointer("/fields", index), "summaries"), name);
            }
        }
    }

    /// The fields of another type that its reference sections and summaries name.
    #[must_use]
    pub fn names_of_fields_of(&self, other: i64) -> HashSet<&str> {
        let references = self.render_meta.sections.iter();
        let references = references.filter_map(|section| section.reference.as_ref());
        let selected = references
            .filter(|reference| reference.type_id == other)
            .flat_map(|reference| &reference.selected_fields)
            .map(String::as_str);
        let fields = self.fields().iter();
        selected
            .chain(fields.flat_map(|field| field.names_in_summaries_of(other)))
            .collect()
    }
}

impl FieldDefinition {
    /// The fields that its lines for referenced objects of a type name.
    fn names_in_summaries_of(&self, type_id: i64) -> impl Iterator<Item = &str> {
        let summaries = self.definition.get("summaries").and_then(Value::as_array);
        let summaries = summaries.into_iter().flatten().filter(move |summary| {
            summary.get("type_id").and_then(crate::body::integer) == Some(type_id)
        });
        summaries.flat_map(|summary| {
            let names = summary.get("fields").and_then(Value::as_array);
            let names = names.into_iter().flatten().filter_map(Value::as_str);
            let line = summary.get("line").and_then(Value::as_str);
            names.chain(placeholders(line.unwrap_or_default()))
        })
    }
}

/// The new names of renamed fields by the old ones.
#[must_use]
pub fn new_names(renames: &[Rename]) -> BTreeMap<&str, &str> {
    let names = renames.iter();
    names
        .map(|rename| (rename.from.as_str(), rename.to.as_str()))
        .collect()
}

/// The names in curly brackets; digits are an index.
fn placeholders(template: &str) -> impl Iterator<Item = &str> {
    let names = template.split('{').skip(1);
    names
        .filter_map(|rest| Some(rest.split_once('}')?.0))
        .filter(|name| *name != OBJECT_ID && !name.bytes().all(|byte| byte.is_ascii_digit()))
}
