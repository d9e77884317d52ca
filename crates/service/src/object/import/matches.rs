//! The objects that have the keys of rows.

use std::collections::{BTreeSet, HashMap};

use stockroom_model::ImportId;
use stockroom_store::{ObjectRow, WriteTx};

use super::lookup::{by_field, each_with, key_text, stored_as};
use super::plan::{Plan, Target};
use super::prepare::PreparedRow;
use crate::Error;
use crate::auth::Access;

/// Objects by their keys.
pub(super) type KeyMatches = HashMap<Vec<String>, Vec<ObjectRow>>;

/// The objects with the keys of the rows of an import.
pub(super) fn find(
    tx: &mut WriteTx<'_>,
    access: &Access,
    (import, plan): (ImportId, &Plan),
    rows: &[PreparedRow],
) -> Result<KeyMatches, Error> {
    let by_id = |target: &Target| matches!(target, Target::PublicId);
    if plan.key_mappings().any(|mapping| by_id(&mapping.target)) {
        return find_by_id(tx, access, rows);
    }
    let mut found = KeyMatches::new();
    let names: Vec<&str> = plan
        .key_mappings()
        .filter_map(|mapping| match &mapping.target {
            Target::Field { name, .. } => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let Some((field, values)) = most_selective(rows, &names) else {
        return Ok(found);
    };
    tx.take_import_turn(plan.type_id, import)?;
    tx.show_writes_with(plan.type_id, field, stored_as(&values).iter())?;
    let wanted: BTreeSet<&[String]> = rows.iter().map(|row| &*row.key).collect();
    let by = by_field(plan.type_id, field);
    each_with(tx, &access.scope, &by, &values, |row| {
        let object = row.object()?;
        let key = |name: &&str| object.value(name).and_then(key_text).unwrap_or_default();
        let key: Vec<String> = names.iter().map(key).collect();
        if wanted.contains(&*key) {
            found.entry(key).or_default().push(row);
        }
        Ok(())
    })?;
    Ok(found)
}

/// The field of the key that tells the rows apart best, and its values.
fn most_selective<'n>(
    rows: &[PreparedRow],
    names: &[&'n str],
) -> Option<(&'n str, BTreeSet<String>)> {
    let values = |(index, name): (usize, &&'n str)| {
        let values = rows.iter().filter_map(|row| row.key.get(index).cloned());
        (*name, values.collect::<BTreeSet<String>>())
    };
    let candidates = names.iter().enumerate().map(values);
    candidates.max_by_key(|(_, values)| values.len())
}

fn find_by_id(
    tx: &mut WriteTx<'_>,
    access: &Access,
    rows: &[PreparedRow],
) -> Result<KeyMatches, Error> {
    let mut found = KeyMatches::new();
    let mut left: Vec<_> = rows.iter().filter_map(|row| row.public_id).collect();
    while !left.is_empty() {
        let objects = tx.objects(&access.scope, &left, stockroom_store::READ_BYTES)?;
        for row in objects.rows {
            let key = vec![row.public_id.to_string()];
            found.entry(key).or_default().push(row);
        }
        left = objects.unread;
    }
    Ok(found)
}
