//! Which objects rendering will ask for, so that the caller can load them with one statement per hop.

use std::collections::BTreeSet;

use stockroom_model::ObjectId;

use crate::record::{Record, parse};
use crate::section::{Next, Place, places, unsectioned};
use crate::shape::{Field, Shape};
use crate::{MAX_HOPS, World, reference};

/// Fills `world` with all that rendering `page` will ask for: at most [`MAX_HOPS`] calls of `fetch`, none with an id that it
/// had before. `fetch` leaves out what does not exist and notes what the reader may not see.
///
/// # Errors
///
/// That of `fetch`.
pub fn load<W: World, E>(
    page: &[(&Record, &Shape)],
    world: &mut W,
    mut fetch: impl FnMut(&mut W, &[ObjectId]) -> Result<(), E>,
) -> Result<(), E> {
    let mut fetched = BTreeSet::new();
    for hop in 1..=MAX_HOPS {
        let wanted: BTreeSet<ObjectId> = page
            .iter()
            .flat_map(|(record, shape)| next_hop(record, shape, world, hop))
            .filter(|id| !fetched.contains(id))
            .collect();
        if !wanted.is_empty() {
            let ids: Vec<ObjectId> = wanted.iter().copied().collect();
            fetch(world, &ids)?;
            fetched.extend(wanted);
        }
    }
    Ok(())
}

/// The objects that rendering `record` asks for first: those named by its reference fields and reference sections. Each
/// once, ascending.
#[must_use]
pub fn references(record: &Record, shape: &Shape) -> Vec<ObjectId> {
    let summary = shape.summary.iter();
    let fields = summary
        .filter_map(|place| shape.field_at(*place))
        .chain(unsectioned(shape))
        .filter_map(|field| target(field, record));
    let sections = places(record, shape).flat_map(named);
    unique(fields.chain(sections))
}

fn target(field: &Field, record: &Record) -> Option<ObjectId> {
    let value = field
        .is_followed
        .then(|| record.value(&field.key))
        .flatten()?;
    reference::target(&parse(value))
}

/// The objects that rendering `record` asks for at `hop`, from 1 to [`MAX_HOPS`], when `world` knows those of the hops before:
/// what the objects shown in its reference sections name in turn. Each once, ascending.
#[must_use]
pub fn next_hop(record: &Record, shape: &Shape, world: &impl World, hop: usize) -> Vec<ObjectId> {
    match hop {
        1 => references(record, shape),
        2..=MAX_HOPS => {
            let reached = places(record, shape).filter_map(|place| follow(place, world, hop - 1));
            unique(reached.flat_map(named))
        }
        _ => Vec::new(),
    }
}

/// The place that so many links lead to.
fn follow<'a>(place: Place<'a>, world: &'a impl World, links: usize) -> Option<Place<'a>> {
    (0..links).try_fold(place, |place, _| match place.next(world) {
        Next::Shown(next) if next.record.is_some() => Some(next),
        _ => None,
    })
}

fn named(place: Place<'_>) -> impl Iterator<Item = ObjectId> {
    place
        .fields()
        .filter_map(move |field| target(field, place.record?))
}

fn unique(ids: impl Iterator<Item = ObjectId>) -> Vec<ObjectId> {
    ids.collect::<BTreeSet<_>>().into_iter().collect()
}
