//! Under which names objects of the past hold the values of fields, as fields get other names.

use std::collections::BTreeSet;

use stockroom_model::json::Value;
use stockroom_model::{Revision, Type};
use stockroom_store::{Past, RecordKey, Resource, WriteTx};

use crate::Error;

/// The names that fields of a type have, or ever had; `None` if the history does not tell. Renames
/// are not stored: a name that came and one that went, or a name at another place, may be one. So
/// these may be the names of other fields, too, but none is missing.
pub(super) fn former_names(
    tx: &mut WriteTx<'_>,
    after: &Type,
    fields: &BTreeSet<&str>,
) -> Result<Option<BTreeSet<String>>, Error> {
    let record = RecordKey::new(Resource::Type, after.public_id.get());
    let Some(newest) = tx.newest_change_of(&record)? else {
        return Ok(None);
    };
    let mut names: BTreeSet<String> = fields.iter().map(|name| (*name).to_owned()).collect();
    let mut later: Vec<String> = after
        .fields()
        .iter()
        .map(|field| field.name.clone())
        .collect();
    let mut expected = newest.revision;
    let mut is_whole = true;
    tx.states_of(&record, Revision(1), newest.revision, |revision, past| {
        let earlier = match past {
            Past::Document { document, .. } => names_in(&serde_json::from_str(document)?),
            Past::Missing => Vec::new(),
            Past::Unknown { .. } => {
                is_whole = false;
                return Ok(());
            }
        };
        is_whole &= revision == expected;
        expected = Revision(revision.0 - 1);
        follow(&mut names, &earlier, &later);
        later = earlier;
        Ok(())
    })?;
    // Retention may have removed the time of a name.
    Ok((is_whole && expected.0 < 0).then_some(names))
}

/// Adds the names of fields before a change of their type.
fn follow(names: &mut BTreeSet<String>, earlier: &[String], later: &[String]) {
    let mut found = Vec::new();
    for (place, name) in later
        .iter()
        .enumerate()
        .filter(|(_, name)| names.contains(*name))
    {
        if earlier.get(place) == Some(name) {
            continue;
        }
        if earlier.contains(name) {
            found.extend(earlier.get(place));
        } else {
            found.extend(earlier.iter().filter(|name| !later.contains(name)));
        }
    }
    names.extend(found.into_iter().cloned());
}

/// The names of the fields of a type, in their order.
fn names_in(definition: &Value) -> Vec<String> {
    let fields = definition.get("fields").and_then(Value::as_array);
    let names = fields.into_iter().flatten();
    let names = names.filter_map(|field| Some(field.get("name")?.as_str()?.to_owned()));
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn followed(earlier: &[&str], later: &[&str]) -> Vec<String> {
        let owned = |names: &[&str]| -> Vec<String> {
            names.iter().map(|name| (*name).to_owned()).collect()
        };
        let mut names = BTreeSet::from(["pin".to_owned()]);
        follow(&mut names, &owned(earlier), &owned(later));
        names.into_iter().collect()
    }

    #[test]
    fn names_are_followed_through_changes() {
        for (earlier, later, expected) in [
            (&["name", "pin"][..], &["name", "pin"][..], &["pin"][..]),
            (&["name"], &["name", "pin"], &["pin"]),
            (&["name", "code"], &["name", "pin"], &["code", "pin"]),
            (
                &["code", "old", "name"],
                &["name", "pin"],
                &["code", "old", "pin"],
            ),
            (&["pin", "name"], &["name", "pin"], &["name", "pin"]),
            (
                &["name", "pin", "other"],
                &["pin", "other"],
                &["name", "pin"],
            ),
            (&["code"], &["code"], &["pin"]),
        ] {
            assert_eq!(followed(earlier, later), expected, "{earlier:?} {later:?}");
        }
    }
}
