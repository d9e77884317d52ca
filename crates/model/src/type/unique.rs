//! Values that no two objects of a type may share (`docs/guide/src/unique-values.md`).

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::rename::{Rename, new_names};
use super::{FieldDefinition, Fields, Type};
use crate::body::Body;
use crate::json::{Value, pointer};
use crate::kind::FieldKind;
use crate::{Object, name};

/// The most fields whose values are unique together.
const MOST_FIELDS: usize = 8;
/// The most sets of such fields in a type.
const MOST_SETS: usize = 16;

/// Fields whose values together no two objects of a type may share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UniqueRule {
    /// The fields, of which each needs a value: null and the empty text are free.
    pub fields: Vec<UniqueField>,
    /// Whether texts that differ only in case, width or extra spaces are the same.
    pub fold: bool,
    /// Whether the rule holds among active objects only.
    pub active_only: bool,
}

/// A field of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UniqueField {
    /// Its name.
    pub name: String,
    /// Its kind, which knows when two values are the same.
    pub kind: FieldKind,
}

impl UniqueRule {
    fn new<'f>(fields: impl IntoIterator<Item = &'f FieldDefinition>) -> Self {
        let field = |field: &FieldDefinition| UniqueField {
            name: field.name.clone(),
            kind: field.kind,
        };
        Self {
            fields: fields.into_iter().map(field).collect(),
            fold: false,
            active_only: false,
        }
    }

    /// The rule of a field by its own definition, if it has one.
    fn of_field(field: &FieldDefinition) -> Option<Self> {
        let given = |key: &str| field.definition.get(key);
        field.is_unique().then(|| Self {
            fold: given("fold").and_then(Value::as_bool) == Some(true),
            active_only: given("where").and_then(Value::as_str) == Some("active"),
            ..Self::new([field])
        })
    }

    /// The rule with the new names of these fields.
    #[must_use]
    pub fn renamed(&self, renames: &[Rename]) -> Self {
        let (mut rule, new) = (self.clone(), new_names(renames));
        for field in &mut rule.fields {
            if let Some(name) = new.get(field.name.as_str()) {
                (*name).clone_into(&mut field.name);
            }
        }
        rule
    }

    /// How messages name its fields.
    #[must_use]
    pub fn titles(&self, of: &Type) -> Vec<String> {
        let title = |name| of.field(name).map(FieldDefinition::title);
        self.names().filter_map(title).collect()
    }

    /// The names of its fields.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|field| field.name.as_str())
    }

    /// The values that the object must share with no other one, in the form in which they are
    /// compared; `None` if they are free.
    #[must_use]
    pub fn values(&self, object: &Object) -> Option<Vec<Value>> {
        if self.active_only && !object.active() {
            return None;
        }
        let value = |field: &UniqueField| {
            let value = object.value(&field.name)?;
            let comparable = field.kind.comparable(value);
            let value = match comparable.unwrap_or_else(|| value.clone()) {
                Value::String(text) if self.fold => Value::String(name::key(&text)),
                value => value,
            };
            let is_free = value.is_null() || value.as_str() == Some("");
            (!is_free).then_some(value)
        };
        self.fields.iter().map(value).collect()
    }
}

impl Type {
    /// The rules that its definition asks for, each once: those of its fields, then those of sets
    /// of fields.
    #[must_use]
    pub fn unique_rules(&self) -> Vec<UniqueRule> {
        let of_fields = self.fields().iter().filter_map(UniqueRule::of_field);
        let of_sets = self.unique.iter().filter_map(|names| {
            let fields = names.iter().map(|name| {
                let field = self.field(name)?;
                (!field.kind.is_secret()).then_some(field)
            });
            Some(UniqueRule::new(fields.collect::<Option<Vec<_>>>()?))
        });
        let mut rules = Vec::new();
        for rule in of_fields.chain(of_sets) {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        rules
    }

    /// The sets of unique fields with the new names of these.
    pub(super) fn renamed_unique(&self, renames: &[Rename]) -> Vec<Vec<String>> {
        renamed(self.unique.clone(), renames)
    }
}

/// Reads the sets of fields whose values are unique together. A body without them keeps those of
/// the stored type that still have all their fields.
pub(super) fn unique(
    body: &Body<'_>,
    fields: &Fields,
    renames: &[Rename],
    stored: Option<&Type>,
) -> Option<Vec<Vec<String>>> {
    let known = stored.map(|stored| stored.renamed_unique(renames));
    let known = known.unwrap_or_default();
    if !body.members().contains_key("unique") {
        let is_whole = |set: &Vec<String>| set.iter().all(|name| fields.find(name).is_some());
        return Some(known.into_iter().filter(is_whole).collect());
    }
    body.at_most("unique", MOST_SETS, "sets of unique fields")?;
    let sets = body.items("unique", "a list of names of fields", names)?;
    let mut read = Vec::with_capacity(sets.len());
    let mut is_right = true;
    // A patch that renames a field, or takes it away, leaves the stored sets as they are.
    for (index, set) in renamed(sets, renames).into_iter().enumerate() {
        let at = pointer(&body.at("unique"), index);
        match refusal(&set, fields) {
            None => read.push(set),
            Some(detail) if known.contains(&set) => {
                body.warn_at(at, format!("ends: {detail}"));
            }
            Some(detail) => {
                body.problem_at(at, detail);
                is_right = false;
            }
        }
    }
    is_right.then_some(read)
}

/// Sets with the new names of these fields.
fn renamed(mut sets: Vec<Vec<String>>, renames: &[Rename]) -> Vec<Vec<String>> {
    let new = new_names(renames);
    for name in sets.iter_mut().flatten() {
        if let Some(new) = new.get(name.as_str()) {
            (*new).clone_into(name);
        }
    }
    sets
}

fn names(set: &Value) -> Option<Vec<String>> {
    let names = set.as_array()?.iter();
    names.map(|name| name.as_str().map(str::to_owned)).collect()
}

fn refusal(names: &[String], fields: &Fields) -> Option<String> {
    let count = names.len();
    if !(1..=MOST_FIELDS).contains(&count) {
        return Some(format!("must name 1 to {MOST_FIELDS} fields, not {count}"));
    }
    let mut seen = HashSet::new();
    names.iter().find_map(|name| match fields.find(name) {
        None => Some(format!("{name:?} is no field of this type")),
        Some(field) if field.kind.is_secret() => Some(format!(
            "{name:?} is a password, whose values are never compared"
        )),
        Some(_) if !seen.insert(name) => Some(format!("names {name:?} twice")),
        Some(_) => None,
    })
}

/// Warns about members of a field that were to make its values unique and do not.
pub(super) fn check_unique_field(field: &Body<'_>, kind: Option<FieldKind>) {
    let Some(unique) = field.given("unique") else {
        return;
    };
    let is_true = unique.as_bool() == Some(true);
    if !unique.is_boolean() {
        field.warn("unique", "has no effect: it must be true or false");
    } else if is_true && kind.is_some_and(|kind| kind.is_secret()) {
        let detail = "has no effect: values of passwords are never compared";
        field.warn("unique", detail);
    }
    if is_true && field.given("fold").is_some_and(|fold| !fold.is_boolean()) {
        field.warn("fold", "has no effect: it must be true or false");
    }
    let only = field.given("where");
    if is_true && only.is_some_and(|only| only.as_str() != Some("active")) {
        let detail = "has no effect: \"active\" makes values unique among active objects only";
        field.warn("where", detail);
    }
}
