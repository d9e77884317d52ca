//! Warnings about a type that names missing records or removes values from its objects.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::ops::Deref;
use std::sync::Arc;

use stockroom_access::{Operation, Scope};
use stockroom_filter::{Order, Parsed, Paths, Sort};
use stockroom_model::body::Report;
use stockroom_model::json::{Value, pointer};
use stockroom_model::r#type::{OBJECT_ID, Rename, Section, SectionReference};
use stockroom_model::{GroupId, Type, TypeId, body};
use stockroom_store::{ObjectQuery, Restriction, TypeEntry, WriteTx};

use crate::{Error, Service, object};

/// Reports all warnings about a type as it will be stored. `renames` are the fields that had another
/// name until now.
pub(super) fn check(
    tx: &mut WriteTx<'_>,
    definition: &Type,
    renames: &[Rename],
    report: &Report,
) -> Result<(), Error> {
    definition.check_named_fields(renames, report);
    definition.check_old_names(renames, report);
    missing_types(tx, definition, report)?;
    sections(tx, definition, report)?;
    summaries(tx, definition, report)?;
    access_list(tx, definition, report)
}

/// Warns about removed fields of which objects hold values.
pub(super) fn check_orphans(
    service: &Service,
    tx: &mut WriteTx<'_>,
    scope: &Scope,
    (before, after): (&Type, &Type),
    report: &Report,
) -> Result<(), Error> {
    let kept: HashSet<&str> = after.fields().iter().map(|field| &*field.name).collect();
    for field in before.fields() {
        if kept.contains(field.name.as_str()) {
            continue;
        }
        let query = holders(service, before.public_id, &field.name)?;
        // A type changes for everybody, so hidden objects count too.
        let count = tx.count_objects(&Scope::for_integrity_check(), &query)?;
        if count > 0 {
            let objects = object::counted(scope, before.public_id, count);
            report.warning(
                "/fields",
                format!(
                    "the field {} goes, but {objects} hold a value of it: they keep it and become unclean; PUT /rest/objects/clean/{} \
                     removes it",
                    field.title(),
                    before.public_id
                ),
            );
        }
    }
    Ok(())
}

/// Finds the objects of a type that hold a value of a field.
fn holders(service: &Service, type_id: TypeId, field: &str) -> Result<ObjectQuery, Error> {
    const PATHS: Paths = Paths {
        timestamps: &[],
        secrets: &[],
    };
    let filter = serde_json::json!({
        "type_id": type_id,
        "fields": {"$elemMatch": {"name": field, "value": {"$nin": [null, ""]}}},
    });
    let checked = Parsed::from_value(&filter, service.limits()).and_then(|it| it.check(&PATHS));
    Ok(ObjectQuery {
        filter: checked.map_err(Error::internal)?,
        sort: Sort::objects("public_id", Order::Ascending),
        active_only: false,
        restriction: Restriction::None,
    })
}

/// Ids of types that do not exist.
fn missing_types(tx: &mut WriteTx<'_>, definition: &Type, report: &Report) -> Result<(), Error> {
    for (at, id) in named_types(definition) {
        if known(tx, definition, id)?.is_none() {
            report.warning(at, format!("there is no type {id}"));
        }
    }
    Ok(())
}

/// Sections and fields that reference sections name and the other type lacks.
fn sections(tx: &mut WriteTx<'_>, definition: &Type, report: &Report) -> Result<(), Error> {
    for (at, reference) in section_references(definition) {
        let Some(other) = known(tx, definition, reference.type_id)? else {
            continue;
        };
        let name = &reference.section_name;
        match other.section(name) {
            None => report.warning(
                pointer(&at, "section_name"),
                format!("the type {} has no section {name:?}", other.title()),
            ),
            // A reference section may select fields of the types that it references in turn.
            Some(section) if section.is_reference() => {}
            Some(section) => unselectable(&at, reference, section, report),
        }
    }
    Ok(())
}

fn unselectable(at: &str, reference: &SectionReference, section: &Section, report: &Report) {
    let shown: HashSet<&String> = section.fields.iter().collect();
    let selected = reference.selected_fields.iter().enumerate();
    for (index, name) in selected.filter(|(_, name)| !shown.contains(name)) {
        report.warning(
            pointer(&pointer(at, "selected_fields"), index),
            format!("the section {:?} shows no field {name:?}", section.name),
        );
    }
}

/// Fields that summaries name and the summarised types lack.
fn summaries(tx: &mut WriteTx<'_>, definition: &Type, report: &Report) -> Result<(), Error> {
    let items = summary_items(definition);
    // Thousands of summaries may be of one type.
    let mut others: HashMap<i64, Option<(NamedType<'_>, HashSet<String>)>> = HashMap::new();
    for (_, id, _) in &items {
        if let Entry::Vacant(unknown) = others.entry(*id) {
            let other = known(tx, definition, *id)?;
            unknown.insert(other.map(|other| {
                let names = other.fields().iter().map(|field| field.name.clone());
                let names = names.collect();
                (other, names)
            }));
        }
    }
    for (at, id, summary) in items {
        let Some(Some((other, known))) = others.get(&id) else {
            continue;
        };
        let names = summary.get("fields").and_then(Value::as_array);
        for (index, name) in names.into_iter().flatten().enumerate() {
            let Some(name) = name.as_str() else { continue };
            if name != OBJECT_ID && !known.contains(name) {
                report.warning(
                    pointer(&pointer(&at, "fields"), index),
                    format!("{name:?} is no field of the type {}", other.title()),
                );
            }
        }
    }
    Ok(())
}

/// Groups that do not exist and permissions that have no meaning.
fn access_list(tx: &mut WriteTx<'_>, definition: &Type, report: &Report) -> Result<(), Error> {
    let includes = definition.acl.pointer("/groups/includes");
    for (key, words) in includes.and_then(Value::as_object).into_iter().flatten() {
        let at = pointer("/acl/groups/includes", key);
        let exists = match key.parse::<GroupId>() {
            Ok(group) => tx.group(group)?.is_some(),
            Err(_) => false,
        };
        if !exists {
            report.warning(at.clone(), format!("there is no group {key}"));
        }
        for (index, word) in words.as_array().into_iter().flatten().enumerate() {
            let word = word.as_str().unwrap_or_default();
            if Operation::from_word(word).is_none() {
                report.warning(
                    pointer(&at, index),
                    format!("{word:?} permits nothing; CREATE, READ, UPDATE and DELETE do"),
                );
            }
        }
    }
    Ok(())
}

/// A type that another one names.
enum NamedType<'t> {
    /// The type being written names itself.
    Written(&'t Type),
    Stored(Arc<TypeEntry>),
}

impl Deref for NamedType<'_> {
    type Target = Type;

    fn deref(&self) -> &Type {
        match self {
            Self::Written(definition) => definition,
            Self::Stored(entry) => &entry.record,
        }
    }
}

fn known<'t>(
    tx: &mut WriteTx<'_>,
    written: &'t Type,
    id: i64,
) -> Result<Option<NamedType<'t>>, Error> {
    if id == written.public_id.get() {
        return Ok(Some(NamedType::Written(written)));
    }
    let Some(id) = TypeId::new(id) else {
        return Ok(None);
    };
    Ok(tx.type_entry(id)?.map(NamedType::Stored))
}

/// The ids of types that a type names, with the pointer to each.
fn named_types(definition: &Type) -> Vec<(String, i64)> {
    let mut named = Vec::new();
    for (index, field) in definition.fields().iter().enumerate() {
        let at = pointer(&pointer("/fields", index), "ref_types");
        let ref_types = field.ref_types.iter().enumerate();
        named.extend(ref_types.map(|(index, id)| (pointer(&at, index), *id)));
    }
    let summaries = summary_items(definition).into_iter();
    named.extend(summaries.map(|(at, id, _)| (pointer(&at, "type_id"), id)));
    let references = section_references(definition).into_iter();
    named.extend(references.map(|(at, reference)| (pointer(&at, "type_id"), reference.type_id)));
    named
}

/// The summaries of reference fields that name a type, with the pointer to each.
fn summary_items(definition: &Type) -> Vec<(String, i64, &Value)> {
    let mut items = Vec::new();
    for (index, field) in definition.fields().iter().enumerate() {
        let at = pointer(&pointer("/fields", index), "summaries");
        let summaries = field.definition.get("summaries").and_then(Value::as_array);
        for (index, summary) in summaries.into_iter().flatten().enumerate() {
            let id = summary.get("type_id").and_then(body::integer);
            items.extend(id.map(|id| (pointer(&at, index), id, summary)));
        }
    }
    items
}

/// The reference sections of a type, with the pointer to each.
fn section_references(definition: &Type) -> Vec<(String, &SectionReference)> {
    let sections = definition.render_meta.sections.iter().enumerate();
    sections
        .filter_map(|(index, section)| {
            let at = pointer("/render_meta/sections", index);
            Some((pointer(&at, "reference"), section.reference.as_ref()?))
        })
        .collect()
}
