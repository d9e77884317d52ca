//! Bounds how many fields one request adds to a type with many objects, or removes: each takes work
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

/// Refuses too many new or removed fields. A single one may always be added and removed.
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
    if added.max(removed) < 2 {
        return Ok(());
    }
    let objects = tx.count_objects_of_type(&Scope::for_maintenance(), after.public_id)?;
    for (verb, fields, most) in [
        ("adds", added, MOST_ADDED),
        ("removes", removed, MOST_REMOVED),
    ] {
        let work = i64::try_from(fields)
            .unwrap_or(i64::MAX)
            .saturating_mul(objects);
        if fields > 1 && work > most {
            let objects = object::counted(scope, after.public_id, objects);
            let detail = format!(
                "{verb} {fields} fields of {objects}, more than one transaction takes: do it in several requests with fewer fields each"
            );
            return Err(Error::invalid("/fields", detail));
        }
    }
    Ok(())
}
