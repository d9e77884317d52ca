//! `DELETE /objects/{public_id}` and `DELETE /objects/{public_ids}`

use std::collections::{BTreeMap, BTreeSet};

use stockroom_access::permission::{ObjectDelete, ObjectEdit};
use stockroom_access::{Operation, Scope};
use stockroom_model::json::Value;
use stockroom_model::object::item;
use stockroom_model::{ObjectId, TypeId};
use stockroom_store::{
    NewObject, ObjectBatches, ObjectRow, Objects, Referrer, Referrers, Resource, TypeEntry, WriteTx,
};

use super::secrets::masked;
use super::{check_acl, type_of};
use crate::core::change::{Precondition, Subject};
use crate::core::changed_at_once::{ChangedAtOnce, counted_bytes};
use crate::{Error, Permit};

/// The answer contains the deleted objects, so they are all in memory together. On SQLite all other
/// writes wait for them.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// References of at most this many objects are cleared at once, while no other write can be done.
const MAX_CLEARED: usize = 10_000;

/// Of at most this many objects a refusal says how many they are.
const MAX_COUNTED: usize = 1_000;

/// A message names at most this many objects.
const MAX_NAMED: usize = 100;

/// What happens to the objects that reference a deleted one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum References {
    /// They keep the value, which renders as dangling.
    #[default]
    Keep,
    /// The deletion is refused if there are any.
    Protect,
    /// The value becomes null in the same transaction; needs UPDATE on every one of them.
    Clear,
}

/// Removes all of these objects or none. Returns them in the order of `ids`.
///
/// # Errors
///
/// 404 and 403 name the ids.
pub async fn delete(
    permit: &Permit<ObjectDelete>,
    ids: Vec<ObjectId>,
    references: References,
    precondition: Precondition,
) -> Result<Vec<ObjectRow>, Error> {
    let writer = permit.clone();
    permit
        .write(move |tx| {
            let rows = all_visible(&writer, tx, &ids)?;
            check_deletable(&writer, tx, &rows)?;
            for row in &rows {
                let subject = Subject::of(Resource::Object, row.public_id);
                precondition.check(tx, subject, row.revision)?;
            }
            treat_references(&writer, tx, &rows, references)?;
            tx.delete_objects(&rows)?;
            rows.into_iter().map(masked).collect()
        })
        .await
}

/// Removes an object that was read in the transaction. A refusal writes nothing.
pub(crate) fn remove(
    permit: &Permit<ObjectDelete>,
    tx: &mut WriteTx<'_>,
    row: &ObjectRow,
    references: References,
) -> Result<(), Error> {
    let rows = std::slice::from_ref(row);
    check_deletable(permit, tx, rows)?;
    treat_references(permit, tx, rows, references)?;
    Ok(tx.delete_objects(rows)?)
}

fn treat_references(
    permit: &Permit<ObjectDelete>,
    tx: &mut WriteTx<'_>,
    rows: &[ObjectRow],
    references: References,
) -> Result<(), Error> {
    match references {
        References::Keep => Ok(()),
        References::Protect => refuse_if_referenced(permit, tx, rows),
        References::Clear => clear_references(permit, tx, rows),
    }
}

fn all_visible(
    permit: &Permit<ObjectDelete>,
    tx: &mut WriteTx<'_>,
    ids: &[ObjectId],
) -> Result<Vec<ObjectRow>, Error> {
    let scope = permit.access(tx)?.scope;
    let Objects {
        rows,
        hidden,
        unread,
    } = tx.objects(&scope, ids, MAX_BYTES)?;
    let counted = rows.iter().scan(0, |bytes, row| {
        *bytes += counted_bytes(row);
        Some(*bytes)
    });
    let fitting = counted
        .take_while(|bytes| *bytes <= MAX_BYTES)
        .count()
        .max(1);
    if !unread.is_empty() || fitting < rows.len() {
        let detail = format!(
            "these objects hold more than {MAX_BYTES} bytes together; delete {fitting} at once"
        );
        return Err(Error::invalid("public_id", detail));
    }
    let found: BTreeSet<ObjectId> = rows.iter().map(|row| row.public_id).collect();
    let hidden: BTreeSet<ObjectId> = hidden.into_iter().collect();
    let is_missing = |id: &ObjectId| !hidden.contains(id) && !found.contains(id);
    let missing: Vec<ObjectId> = ids.iter().copied().filter(is_missing).collect();
    if !missing.is_empty() {
        return Err(Error::not_found(
            if missing.len() == 1 {
                "object"
            } else {
                "objects"
            },
            list(&missing, false),
        ));
    }
    if !hidden.is_empty() {
        let hidden: Vec<ObjectId> = hidden.into_iter().collect();
        return Err(denied(Operation::Read, &hidden));
    }
    Ok(rows)
}

pub(super) fn check_deletable(
    permit: &Permit<ObjectDelete>,
    tx: &mut WriteTx<'_>,
    rows: &[ObjectRow],
) -> Result<(), Error> {
    let access = permit.access(tx)?;
    let mut kept = Vec::new();
    for row in rows {
        if check_acl(&*type_of(tx, row)?, &access, Operation::Delete).is_err() {
            kept.push(row.public_id);
        }
    }
    if kept.is_empty() {
        Ok(())
    } else {
        Err(denied(Operation::Delete, &kept))
    }
}

fn denied(operation: Operation, ids: &[ObjectId]) -> Error {
    Error::Forbidden(format!(
        "the ACL does not grant {operation} to your group: object {}",
        list(ids, false)
    ))
}

/// At most so many objects outside of `targets` that reference one of them, visible or not. Nobody
/// else can add one any more.
fn referrers(
    tx: &mut WriteTx<'_>,
    targets: &BTreeSet<ObjectId>,
    most: usize,
) -> Result<Referrers, Error> {
    let mut referrers = tx.last_referrers(targets, most)?;
    let outside = |referrer: &Referrer| !targets.contains(&referrer.id);
    referrers.found.retain(outside);
    Ok(referrers)
}

fn ids_of(rows: &[ObjectRow]) -> BTreeSet<ObjectId> {
    rows.iter().map(|row| row.public_id).collect()
}

/// Why nobody knows whether something refers to an object.
const TOO_MANY: &str = "cannot be told: too many objects, or too large ones, may refer to it";

fn refuse_if_referenced(
    permit: &Permit<ObjectDelete>,
    tx: &mut WriteTx<'_>,
    rows: &[ObjectRow],
) -> Result<(), Error> {
    let referrers = referrers(tx, &ids_of(rows), MAX_COUNTED)?;
    if referrers.found.is_empty() && !referrers.may_be_more {
        return Ok(());
    }
    let scope = permit.access(tx)?.scope;
    let found = referrers.found.iter();
    let visible: Vec<ObjectId> = found
        .filter(|referrer| scope.sees(referrer.type_id))
        .map(|referrer| referrer.id)
        .collect();
    let detail = if !visible.is_empty() {
        format!("referenced by {}", list(&visible, referrers.may_be_more))
    } else if referrers.found.is_empty() {
        TOO_MANY.to_owned()
    } else {
        "referenced by objects that you may not read".to_owned()
    };
    Err(Error::invalid("references", detail))
}

fn clear_references(
    permit: &Permit<ObjectDelete>,
    tx: &mut WriteTx<'_>,
    rows: &[ObjectRow],
) -> Result<(), Error> {
    let targets = ids_of(rows);
    let Referrers { found, may_be_more } = referrers(tx, &targets, MAX_CLEARED + 1)?;
    if found.is_empty() && !may_be_more {
        return Ok(());
    }
    if found.is_empty() {
        return Err(Error::invalid("references", TOO_MANY));
    }
    let access = permit.access(tx)?;
    access.check::<ObjectEdit>()?;
    let everything = Scope::for_integrity_check();
    // All of them before the first write, so that a refusal writes nothing.
    let types: BTreeSet<TypeId> = found.iter().map(|referrer| referrer.type_id).collect();
    let mut entries = BTreeMap::new();
    for id in types {
        let entry = tx.type_entry(id)?;
        let entry = entry.ok_or_else(|| Error::internal(format!("there is no type {id}")))?;
        if check_acl(&entry, &access, Operation::Read).is_err() {
            let detail = "referenced by objects that you may not read, so you cannot clear them";
            return Err(Error::Forbidden(detail.to_owned()));
        }
        check_acl(&entry, &access, Operation::Update)?;
        entries.insert(id, entry);
    }
    if may_be_more || found.len() > MAX_CLEARED {
        let more = if may_be_more { "more than " } else { "" };
        let detail = format!(
            "referenced by {more}{} objects; at most {MAX_CLEARED}, and 32 MiB, are cleared at once: clear their fields by a job first",
            found.len()
        );
        return Err(Error::invalid("references", detail));
    }
    let mut changed = ChangedAtOnce::default();
    let mut batches = ObjectBatches::new(found.into_iter().map(|referrer| referrer.id).collect());
    while let Some(found) = batches.next(tx, &everything)? {
        for row in found.rows {
            changed.add(
                &row,
                "clear the fields of the referring objects by a job first",
            )?;
            if let Some(entry) = entries.get(&row.type_id) {
                clear_references_in(tx, &row, entry, &targets)?;
            }
        }
    }
    Ok(())
}

fn clear_references_in(
    tx: &mut WriteTx<'_>,
    row: &ObjectRow,
    entry: &TypeEntry,
    targets: &BTreeSet<ObjectId>,
) -> Result<(), Error> {
    let mut object = row.object()?;
    let mut items = object.items().to_vec();
    for entry_item in &mut items {
        let name = entry_item.get("name").and_then(Value::as_str);
        if let (Some(name), Some(value)) = (name, entry_item.get("value"))
            && let Some(target) = entry.record.target(name, value)
            && targets.contains(&target)
        {
            *entry_item = item(name, Value::Null);
        }
    }
    object.set_items(items);
    let secrets = row.secrets.clone();
    tx.edit_object(row, NewObject { object, secrets })?;
    Ok(())
}

/// The ids as text, of many only the first ones. There may be more than these.
fn list(ids: &[ObjectId], may_be_more: bool) -> String {
    let named: Vec<String> = ids
        .iter()
        .take(MAX_NAMED)
        .map(ToString::to_string)
        .collect();
    let named = named.join(", ");
    match ids.len().saturating_sub(MAX_NAMED) {
        _ if may_be_more => format!("{named} and others"),
        0 => named,
        more => format!("{named} and {more} more"),
    }
}
