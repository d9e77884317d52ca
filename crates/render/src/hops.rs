//! Computes which objects rendering needs, so that the caller can load them with one statement per
//! hop.

use std::collections::BTreeSet;

use stockroom_model::ObjectId;

use crate::record::{Record, parse};
use crate::section::{Next, ObjectSection, object_sections, unsectioned};
use crate::type_template::{Field, TypeTemplate};
use crate::{MAX_HOPS, RenderContext, reference};

/// Loads all objects that rendering `page` needs into `context`, in at most [`MAX_HOPS`] calls of
/// `fetch`; no id is fetched twice. `fetch` omits missing objects and records those that the reader
/// may not see.
pub fn load<W: RenderContext, E>(
    page: &[(&Record, &TypeTemplate)],
    context: &mut W,
    mut fetch: impl FnMut(&mut W, &[ObjectId]) -> Result<(), E>,
) -> Result<(), E> {
    let mut fetched = BTreeSet::new();
    for hop in 1..=MAX_HOPS {
        let wanted: BTreeSet<ObjectId> = page
            .iter()
            .flat_map(|(record, template)| next_hop(record, template, context, hop))
            .filter(|id| !fetched.contains(id))
            .collect();
        if !wanted.is_empty() {
            let ids: Vec<ObjectId> = wanted.iter().copied().collect();
            fetch(context, &ids)?;
            fetched.extend(wanted);
        }
    }
    Ok(())
}

/// The objects that rendering `record` needs at the first hop: those in its reference fields and
/// reference sections. In ascending order without duplicates.
#[must_use]
pub fn references(record: &Record, template: &TypeTemplate) -> Vec<ObjectId> {
    let summary = template.summary.iter();
    let fields = summary
        .filter_map(|index| template.field_at(*index))
        .chain(unsectioned(template))
        .filter_map(|field| target(field, record));
    let sections = object_sections(record, template).flat_map(named);
    unique(fields.chain(sections))
}

/// The objects that the reference fields of `record` name. In ascending order without duplicates.
#[must_use]
pub fn targets(record: &Record, template: &TypeTemplate) -> Vec<ObjectId> {
    let fields = template.fields().iter();
    unique(fields.filter_map(|field| target(field, record)))
}

fn target(field: &Field, record: &Record) -> Option<ObjectId> {
    let value = field
        .is_followed
        .then(|| record.value(&field.key))
        .flatten()?;
    reference::target(&parse(value))
}

/// The objects that rendering `record` needs at `hop`, from 1 to [`MAX_HOPS`], if `context` has
/// those of the hops before: the references of the objects in its reference sections. In ascending
/// order without duplicates.
#[must_use]
pub fn next_hop(
    record: &Record,
    template: &TypeTemplate,
    context: &impl RenderContext,
    hop: usize,
) -> Vec<ObjectId> {
    match hop {
        1 => references(record, template),
        2..=MAX_HOPS => {
            let reached = object_sections(record, template)
                .filter_map(|section| follow(section, context, hop - 1));
            unique(reached.flat_map(named))
        }
        _ => Vec::new(),
    }
}

/// The section at the end of `links` links.
fn follow<'a>(
    section: ObjectSection<'a>,
    context: &'a impl RenderContext,
    links: usize,
) -> Option<ObjectSection<'a>> {
    (0..links).try_fold(section, |section, _| match section.next(context) {
        Next::ForeignField(next) if next.record.is_some() => Some(next),
        _ => None,
    })
}

fn named(section: ObjectSection<'_>) -> impl Iterator<Item = ObjectId> {
    section
        .fields()
        .filter_map(move |field| target(field, section.record?))
}

fn unique(ids: impl Iterator<Item = ObjectId>) -> Vec<ObjectId> {
    ids.collect::<BTreeSet<_>>().into_iter().collect()
}
