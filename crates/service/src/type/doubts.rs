//! What is doubtful about a type but legal: it names types and sections that are not there (contract, "Tolerance rule").

use stockroom_model::json::{Value, pointer};
use stockroom_model::r#type::{SectionReference, TypeDraft};
use stockroom_model::{Problem, Type, TypeId, body};
use stockroom_store::WriteTx;

use super::answer;
use crate::Error;

/// Doubts about what a type says of other types.
pub(super) fn of(tx: &mut WriteTx<'_>, r#type: &Type) -> Result<Vec<Problem>, Error> {
    let mut doubts = Vec::new();
    for (at, id) in named_types(r#type) {
        if sections(tx, r#type, id)?.is_none() {
            doubts.push(Problem {
                pointer: at,
                detail: format!("there is no type {id}"),
            });
        }
    }
    for (at, reference) in section_references(r#type) {
        let (id, name) = (reference.type_id, &reference.section_name);
        if sections(tx, r#type, id)?.is_some_and(|sections| !sections.contains(name)) {
            doubts.push(Problem {
                pointer: pointer(&at, "section_name"),
                detail: format!("type {id} has no section {name:?}"),
            });
        }
    }
    Ok(doubts)
}

/// Every doubt about a stored type, also those about its own parts.
pub(super) fn all_of(tx: &mut WriteTx<'_>, r#type: &Type) -> Result<Vec<Problem>, Error> {
    let mut doubts = of(tx, r#type)?;
    if let Ok(checked) = TypeDraft::read(&answer(r#type), Some(r#type)) {
        doubts.extend(checked.warnings);
    }
    Ok(doubts)
}

/// The doubts that are not among the old ones. Places do not count: they move when an item before them goes.
pub(super) fn added(doubts: &[Problem], mut old: Vec<Problem>) -> Vec<Problem> {
    let mut is_new = |doubt: &&Problem| {
        let known = old.iter().position(|known| known.detail == doubt.detail);
        known.map(|place| old.swap_remove(place)).is_none()
    };
    doubts
        .iter()
        .filter(|doubt| is_new(doubt))
        .cloned()
        .collect()
}

/// The names of the sections of a type, which may be the one that is being written.
fn sections(tx: &mut WriteTx<'_>, written: &Type, id: i64) -> Result<Option<Vec<String>>, Error> {
    let names = |r#type: &Type| {
        let sections = r#type.render_meta.sections.iter();
        sections.map(|section| section.name.clone()).collect()
    };
    if id == written.public_id.get() {
        return Ok(Some(names(written)));
    }
    let Some(id) = TypeId::new(id) else {
        return Ok(None);
    };
    Ok(tx.type_entry(id)?.map(|entry| names(&entry.record)))
}

/// The ids of types that a type names, and where.
fn named_types(r#type: &Type) -> Vec<(String, i64)> {
    let mut named = Vec::new();
    for (index, field) in r#type.fields().iter().enumerate() {
        let at = pointer("/fields", index);
        let ref_types = field.ref_types.iter().enumerate();
        named
            .extend(ref_types.map(|(index, id)| (pointer(&pointer(&at, "ref_types"), index), *id)));
        let summaries = field.definition.get("summaries").and_then(Value::as_array);
        for (index, summary) in summaries.into_iter().flatten().enumerate() {
            let at = pointer(&pointer(&at, "summaries"), index);
            let id = summary.get("type_id").and_then(body::integer);
            named.extend(id.map(|id| (pointer(&at, "type_id"), id)));
        }
    }
    let references = section_references(r#type).into_iter();
    named.extend(references.map(|(at, reference)| (pointer(&at, "type_id"), reference.type_id)));
    named
}

/// What sections show of other types, and where that stands.
fn section_references(r#type: &Type) -> Vec<(String, &SectionReference)> {
    let sections = r#type.render_meta.sections.iter().enumerate();
    sections
        .filter_map(|(index, section)| {
            let at = pointer("/render_meta/sections", index);
            Some((pointer(&at, "reference"), section.reference.as_ref()?))
        })
        .collect()
}
