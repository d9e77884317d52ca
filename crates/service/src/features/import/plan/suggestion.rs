//! What a file probably means: which column goes to which field, and a type that could take it.

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::json;
use stockroom_model::FieldKind;
use stockroom_model::json::{Map, Value};
use stockroom_model::r#type::FieldDefinition;
use stockroom_model::{TypeId, UserId};
use stockroom_store::{Catalog, TypeEntry};
use stockroom_tables::{Column, Looks};

use crate::features::import::file::File;
use crate::features::import::plan::{ACTIVE, By, Mapping, PUBLIC_ID, Target};

/// The column of our own files that says why a row was refused. It goes nowhere.
pub(in crate::features::import) const PROBLEM: &str = stockroom_tables::csv::PROBLEM;

/// What our exports write before the name of a field that is that of a member.
const FIELDS: &str = "fields.";
/// The members to which columns go.
const MEMBERS: [&str; 2] = [PUBLIC_ID, ACTIVE];

/// The longest name of a proposed field.
const NAME_LENGTH: usize = 60;

/// The columns that have the name or the label of a field. Equal texts come first, so that no column
/// takes the field of another one that is only alike; then comes the next field that is free.
pub(in crate::features::import) fn mapping(
    file: &File,
    entry: &TypeEntry,
    catalog: &Catalog,
) -> Vec<Mapping> {
    let fields = entry.record.fields();
    let is_member = |column: &Column| MEMBERS.contains(&&*column.name) && is_marked(file, column);
    let mut targets: Vec<Option<&FieldDefinition>> = vec![None; file.columns.len()];
    let mut taken = HashSet::new();
    for (text, key) in MATCHES {
        let mut free: HashMap<String, VecDeque<&FieldDefinition>> = HashMap::new();
        for field in fields.iter().filter(|field| !taken.contains(&field.name)) {
            free.entry(key(text(field))).or_default().push_back(field);
        }
        // The key of a name without letters says nothing.
        free.remove("");
        for (column, target) in file.columns.iter().zip(&mut targets) {
            if target.is_none() && !is_member(column) {
                *target = free
                    .get_mut(&key(&column.name))
                    .and_then(VecDeque::pop_front);
                taken.extend(target.map(|field| &field.name));
            }
        }
    }
    let columns = file.columns.iter().zip(targets).enumerate();
    columns
        .filter_map(|(column, (found, field))| {
            let target = target(found, field, catalog)?;
            Some(Mapping { column, target })
        })
        .collect()
}

/// A text of a field, and what of it a column must have.
type Match = (fn(&FieldDefinition) -> &str, fn(&str) -> String);

/// The surest first.
const MATCHES: [Match; 5] = [
    (|field| &field.name, str::to_owned),
    (|field| &field.name, without_prefix),
    (|field| &field.label, str::to_owned),
    (|field| &field.name, plain),
    (|field| &field.label, plain),
];

fn target(column: &Column, field: Option<&FieldDefinition>, catalog: &Catalog) -> Option<Target> {
    match field {
        Some(field) if field.kind.is_secret() => None,
        Some(field) => Some(Target::Field {
            name: field.name.clone(),
            by: by(column, field, catalog),
            dates: None,
        }),
        None if column.name == PUBLIC_ID => Some(Target::PublicId),
        None if column.name == ACTIVE => Some(Target::Active),
        None => None,
    }
}

/// References are by id if the column holds integers; else by what the summary of the type shows
/// first.
pub(in crate::features::import) fn by(
    column: &Column,
    field: &FieldDefinition,
    catalog: &Catalog,
) -> Option<By> {
    if !field.kind.is_reference() || column.filled == column.integers {
        return None;
    }
    let shown = field.ref_types.iter().find_map(|id| {
        let entry = catalog.type_entry(TypeId::new(*id)?)?;
        let summary = entry.record.render_meta.summary.fields.first()?;
        entry.record.field(summary).map(|field| field.name.clone())
    });
    Some(By {
        types: field.ref_types.clone(),
        field: shown?,
        others: Vec::new(),
    })
}

/// Whether a column is a member, whatever field has its name: our exports mark that field.
fn is_marked(file: &File, column: &Column) -> bool {
    let of_field = |other: &Column| {
        let name = other.name.strip_prefix(FIELDS);
        name.is_some_and(|name| name == column.name)
    };
    let is_export = file
        .columns
        .first()
        .is_some_and(|first| first.name == PUBLIC_ID);
    file.has_escapes && is_export || file.columns.iter().any(of_field)
}

/// Our exports mark fields that are named like a member of objects.
fn without_prefix(name: &str) -> String {
    name.strip_prefix(FIELDS).unwrap_or(name).to_owned()
}

/// A name without case, spaces and marks.
pub(in crate::features::import) fn plain(name: &str) -> String {
    let letters = name.chars().filter(|character| character.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The body of a type with a field for each column.
pub(in crate::features::import) fn proposed_type(file: &File, author: UserId) -> Value {
    let label = file
        .name
        .rsplit_once('.')
        .map_or(&*file.name, |(base, _)| base);
    let columns = || {
        let columns = file.columns.iter();
        columns.filter(|column| ![PUBLIC_ID, ACTIVE, PROBLEM].contains(&&*column.name))
    };
    // A column whose name can be that of a field keeps it, wherever it stands.
    let kept = columns().filter(|column| field_name(&column.name) == column.name);
    let mut names: HashSet<String> = kept.map(|column| column.name.clone()).collect();
    names.extend([PUBLIC_ID, ACTIVE].map(str::to_owned));
    let mut fields = Vec::new();
    for column in columns() {
        let name = if names.contains(&column.name) {
            column.name.clone()
        } else {
            free_name(&column.name, &mut names)
        };
        fields.push(field(&name, column));
    }
    let shown: Vec<Value> = fields
        .iter()
        .take(2)
        .map(|field| field["name"].clone())
        .collect();
    let all: Vec<Value> = fields.iter().map(|field| field["name"].clone()).collect();
    json!({
        "name": type_name(label),
        "label": label,
        "author_id": author.get(),
        "fields": fields,
        "render_meta": {
            "sections": [
                {"type": "section", "name": "imported", "label": label, "fields": all},
            ],
            "summary": {"fields": shown},
        },
    })
}

fn field(name: &str, column: &Column) -> Value {
    let mut field = Map::new();
    let kind = match column.looks() {
        Looks::Integer | Looks::Number => FieldKind::Number,
        Looks::Boolean => FieldKind::Checkbox,
        Looks::Date => FieldKind::Date,
        Looks::Choice => FieldKind::Select,
        Looks::LongText => FieldKind::Textarea,
        Looks::Text | Looks::Empty => FieldKind::Text,
    };
    field.insert("type".to_owned(), kind.name().into());
    field.insert("name".to_owned(), name.into());
    field.insert("label".to_owned(), column.name.as_str().into());
    if column.looks() == Looks::Choice {
        let options = column.distinct.iter();
        let options: Vec<Value> = options
            .map(|option| json!({"name": option, "label": option}))
            .collect();
        field.insert("options".to_owned(), options.into());
    }
    Value::Object(field)
}

/// A name that no other field has.
fn free_name(column: &str, names: &mut HashSet<String>) -> String {
    let base = field_name(column);
    let mut name = base.clone();
    let mut number = 2;
    while !names.insert(name.clone()) {
        name = format!("{base}_{number}");
        number += 1;
    }
    name
}

/// The name of a type has at least two letters.
fn type_name(label: &str) -> String {
    let name = field_name(label);
    if name.chars().count() < 2 {
        return format!("imported_{name}");
    }
    name
}

/// A name as fields have it: lower-case words with underscores.
fn field_name(text: &str) -> String {
    let mut name = String::new();
    for character in text.chars() {
        if name.chars().count() >= NAME_LENGTH {
            break;
        }
        if character.is_alphanumeric() {
            name.extend(character.to_lowercase());
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
    }
    let name = name.trim_end_matches('_');
    if name.is_empty() {
        "imported".to_owned()
    } else {
        name.to_owned()
    }
}
