//! Bounds how many fields a transaction adds to types with many objects, or removes: each takes work
//! for each object in the transaction that changes the type, while other writes wait.

use std::collections::HashSet;

use stockroom_access::Scope;
use stockroom_model::Type;
use stockroom_store::WriteTx;

use crate::{Error, object};

/// Fields times objects that may be added: each object gets index rows for each field. PostgreSQL
/// takes a second for them.
const MOST_ADDED: i64 = 200_000;
/// Fields times objects that may be removed: the values that objects keep are counted.
const MOST_REMOVED: i64 = 2_000_000;

/// Refuses too many new or removed fields. A transaction may always add one field and remove one.
pub(super) fn check(
    tx: &mut WriteTx<'_>,
    scope: &Scope,
    before: &Type,
    after: &Type,
) -> Result<(), Error> {
    let known = tx.known_fields(after.public_id)?;
    let added = after.fields().iter();
    let added = added.filter(|field| !known.contains(&field.name)).count();
    let kept: HashSet<&str> = after.fields().iter().map(|field| &*field.name).collect();
    let removed = before.fields().iter();
    let removed = removed.filter(|field| !kept.contains(&*field.name)).count();
    if added.max(removed) == 0 {
        return Ok(());
    }
    let objects = tx.count_objects_of_type(&Scope::for_maintenance(), after.public_id)?;
    let earlier = tx.field_work();
    let work = earlier.and(added, removed, objects);
    tx.set_field_work(work);
    for (verb, fields, earlier, work, most) in [
        ("adds", added, earlier.added, work.added, MOST_ADDED),
        (
            "removes",
            removed,
            earlier.removed,
            work.removed,
            MOST_REMOVED,
        ),
    ] {
        let is_first = fields == 1 && earlier == 0;
        if fields > 0 && !is_first && work > most {
            let objects = object::counted(scope, after.public_id, objects);
            let beside = if earlier > 0 {
                ", beside those of earlier operations"
            } else {
                ""
            };
            let noun = if fields == 1 { "field" } else { "fields" };
            let detail = format!(
                "{verb} {fields} {noun} of {objects}{beside}, more than one transaction takes: do it in several requests with fewer fields each"
            );
            return Err(Error::invalid("/fields", detail));
        }
    }
    Ok(())
}
