//! Checks an object's fields against its type, by the rules in the type itself
//! (`docs/guide/src/errors.md`).

use std::collections::{HashMap, HashSet};

use crate::Type;
use crate::body::Report;
use crate::id::ObjectId;
use crate::json::{Value, pointer};
use crate::r#type::field::FieldDefinition;

use super::merge::is_increment;
use super::secret::is_mask;
use super::stored_items::{StoredItems, name};
use super::violation::{INCREMENT_RULE, Violation};

/// A value that refers to another object. Whether that object exists is checked by the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// JSON Pointer of the value in the body.
    pub pointer: String,
    /// The field's name for messages.
    pub field: String,
    /// The referenced object.
    pub target: ObjectId,
    /// The types that the target may have; empty allows all.
    pub ref_types: Vec<i64>,
    /// The one type that a reference section shows for this field.
    pub shown_type: Option<i64>,
}

/// Checks every item except those unchanged from `stored`, the items of the replaced object.
/// Returns the references in the checked items.
pub fn check_fields(
    definition: &Type,
    items: &[Value],
    stored: Option<&[Value]>,
    report: &Report,
) -> Vec<Reference> {
    let stored_items = stored.map(StoredItems::new);
    let mut references = Vec::new();
    let shown = shown_types(definition);
    for (index, item) in items.iter().enumerate() {
        let (Some(name), Some(value)) = (name(item), item.get("value")) else {
            continue;
        };
        if stored_items
            .as_ref()
            .is_some_and(|stored_items| stored_items.contains(item))
        {
            continue;
        }
        match definition.field(name) {
            Some(field) => {
                let at = || pointer(&pointer("/fields", index), "value");
                let reference = check_value(field, value, at, report);
                references.extend(reference.map(|reference| Reference {
                    shown_type: shown.get(name).copied(),
                    ..reference
                }));
            }
            None if is_increment(value) => report.problem(
                pointer(&pointer("/fields", index), "value"),
                format!("the field {name:?} holds no number; {INCREMENT_RULE}"),
            ),
            None => report.warning(
                pointer(&pointer("/fields", index), "name"),
                format!(
                    "{name:?} is no field of the type {}: the object becomes unclean; the fields are {}",
                    definition.title(),
                    listed(definition.fields().iter().map(|field| field.name.as_str()))
                ),
            ),
        }
    }
    missing(definition, items, stored, report);
    left_out(definition, items, stored, report);
    references
}

/// The types that reference sections show, by the name of their reference field.
fn shown_types(definition: &Type) -> HashMap<String, i64> {
    let sections = definition.render_meta.sections.iter();
    sections
        .filter(|section| section.is_reference())
        .filter_map(|section| Some((section.link_name(), section.reference.as_ref()?.type_id)))
        .collect()
}

/// Warns of fields of the type that the object lacks, unless the stored object lacked them too.
fn left_out(definition: &Type, items: &[Value], stored: Option<&[Value]>, report: &Report) {
    let names = |items| -> HashSet<&str> { <[Value]>::iter(items).filter_map(name).collect() };
    let (sent, stored) = (names(items), stored.map(names));
    let fields = definition.fields().iter().map(|field| field.name.as_str());
    let missing: Vec<&str> = fields
        .filter(|name| !sent.contains(name))
        .filter(|name| stored.as_ref().is_none_or(|stored| stored.contains(name)))
        .collect();
    if !missing.is_empty() {
        report.warning(
            "/fields",
            format!(
                "fields of the type {} are left out, which makes the object unclean: {}",
                definition.title(),
                listed(missing.into_iter())
            ),
        );
    }
}

/// Required fields must hold a value, unless the stored object had none there either.
fn missing(definition: &Type, items: &[Value], stored: Option<&[Value]>, report: &Report) {
    let mut required = definition
        .fields()
        .iter()
        .filter(|field| field.required)
        .peekable();
    if required.peek().is_none() {
        return;
    }
    let held = stored.map(values);
    let values = values(items);
    for field in required {
        let held = held.as_ref().map(|held| held.contains_key(&*field.name));
        let holds = match values.get(&*field.name) {
            // The mask stands for the stored password; without a stored one it is no value.
            Some(ItemContent::Mask) if field.kind.is_secret() => held == Some(true),
            Some(_) => true,
            None => false,
        };
        if !holds && held != Some(false) {
            report.problem(
                pointer_to(items, &field.name),
                format!("the field {} is required", field.title()),
            );
        }
    }
}

/// Where the value of a field stands, or where it is missing.
fn pointer_to(items: &[Value], field: &str) -> String {
    let has_value = |item: &Value| name(item) == Some(field) && item.get("value").is_some();
    match items.iter().position(has_value) {
        Some(index) => pointer(&pointer("/fields", index), "value"),
        None => "/fields".to_owned(),
    }
}

/// Whether the items of a name hold a value or the password mask.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ItemContent {
    Mask,
    Value,
}

/// The names of the items that hold a value.
fn values(items: &[Value]) -> HashMap<&str, ItemContent> {
    let mut values = HashMap::with_capacity(items.len());
    for item in items {
        if let Some(name) = name(item)
            && let Some(value) = item.get("value").filter(|value| !is_empty(value))
        {
            let shown = values.entry(name).or_insert(ItemContent::Mask);
            if !is_mask(value) {
                *shown = ItemContent::Value;
            }
        }
    }
    values
}

/// Whether a value counts as none.
#[must_use]
pub fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_str() == Some("")
}

/// Checks the JSON type by the kind of the field (`docs/guide/src/values.md`), then the rules of
/// its definition. `at` makes the JSON Pointer only for a problem, since most values have none.
fn check_value(
    field: &FieldDefinition,
    value: &Value,
    at: impl Fn() -> String,
    report: &Report,
) -> Option<Reference> {
    let mut fits_kind = true;
    field.each_violation(value, |violation| {
        fits_kind &= violation != Violation::Kind;
        report.problem(at(), field.rejection(violation, value));
    });
    if !fits_kind || is_empty(value) {
        return None;
    }
    Some(Reference {
        pointer: at(),
        field: field.title(),
        target: field.target(value)?,
        ref_types: field.ref_types.clone(),
        shown_type: None,
    })
}

/// How many names a message lists.
const LISTED: usize = 20;

/// Names for a message; a long list is abridged.
pub fn listed<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    let rest = names.len().saturating_sub(LISTED);
    let shown: Vec<&str> = names.take(LISTED).collect();
    match rest {
        0 => shown.join(", "),
        rest => format!("{} and {rest} more", shown.join(", ")),
    }
}
