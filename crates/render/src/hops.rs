//! Which objects rendering will ask for, so that the caller can load them with one statement per hop.

use std::collections::BTreeSet;

use stockroom_model::{Object, ObjectId, Type};

use crate::section::{Next, Place, places};
use crate::{MAX_HOPS, World, reference};

/// Fills `world` with all that rendering `page` will ask for: at most [`MAX_HOPS`] calls of `fetch`, none with an id that it
/// had before. `fetch` leaves out what does not exist and notes what the reader may not see.
///
/// # Errors
///
/// That of `fetch`.
pub fn load<W: World, E>(
    page: &[(&Object, &Type)],
    world: &mut W,
    mut fetch: impl FnMut(&mut W, &[ObjectId]) -> Result<(), E>,
) -> Result<(), E> {
    let mut fetched = BTreeSet::new();
    for hop in 1..=MAX_HOPS {
        let wanted: BTreeSet<ObjectId> = page
            .iter()
            .flat_map(|(object, r#type)| next_hop(object, r#type, world, hop))
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

/// The objects that rendering `object` asks for first: those named by its reference fields and reference sections. Each
/// once, ascending.
#[must_use]
pub fn references(object: &Object, r#type: &Type) -> Vec<ObjectId> {
    let summary = &r#type.render_meta.summary.fields;
    let summary = summary
        .iter()
        .filter_map(|name| r#type.field(name))
        .filter(|field| reference::is_followed(field))
        .filter_map(|field| reference::target(object.value(&field.name)?));
    let sections = places(object, r#type).flat_map(named);
    unique(summary.chain(sections))
}

/// The objects that rendering `object` asks for at `hop`, from 1 to [`MAX_HOPS`], when `world` knows those of the hops before:
/// what the objects shown in its reference sections name in turn. Each once, ascending.
#[must_use]
pub fn next_hop(object: &Object, r#type: &Type, world: &impl World, hop: usize) -> Vec<ObjectId> {
    match hop {
        1 => references(object, r#type),
        2..=MAX_HOPS => {
            let reached = places(object, r#type).filter_map(|place| follow(place, world, hop - 1));
            unique(reached.flat_map(named))
        }
        _ => Vec::new(),
    }
}

/// The place that so many links lead to.
fn follow<'a>(place: Place<'a>, world: &'a impl World, links: usize) -> Option<Place<'a>> {
    (0..links).try_fold(place, |place, _| match place.next(world) {
        Next::Shown(next) if next.object.is_some() => Some(next),
        _ => None,
    })
}

fn named(place: Place<'_>) -> impl Iterator<Item = ObjectId> {
    place
        .fields()
        .filter(|field| reference::is_followed(field))
        .filter_map(move |field| reference::target(place.object?.value(&field.name)?))
}

fn unique(ids: impl Iterator<Item = ObjectId>) -> Vec<ObjectId> {
    ids.collect::<BTreeSet<_>>().into_iter().collect()
}
