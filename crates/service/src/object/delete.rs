//! `DELETE /objects/{public_id}` and `DELETE /objects/{public_ids}`

use std::collections::{BTreeMap, BTreeSet};

use stockroom_access::Operation;
use stockroom_access::permission::{ObjectDelete, ObjectEdit};
use stockroom_model::ObjectId;
use stockroom_model::json::Value;
use stockroom_model::object::item;
use stockroom_model::r#type::field::{FieldDefinition, reference_target};
use stockroom_store::{NewObject, ObjectRow, TypeEntry, WriteTx};

use super::secrets::masked;
use super::{check_acl, type_of};
use crate::change::Precondition;
use crate::{Error, Permit};

/// What becomes of the objects that reference a deleted one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum References {
    /// They keep the value and render it as dangling.
    #[default]
    Keep,
    /// There must be none.
    Protect,
    /// The value becomes null in the same transaction; needs UPDATE on every one of them.
    Clear,
}

/// Removes all of these objects or none; gives them in the order of `ids`.
///
/// # Errors
///
/// See [`Error`]; 404 and 403 name the ids.
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
                precondition.check(row.revision)?;
            }
            match references {
                References::Keep => {}
                References::Protect => protect(&writer, tx, &rows)?,
                References::Clear => clear(&writer, tx, &rows)?,
            }
            rows.into_iter()
                .map(|row| {
                    tx.delete_object(&row)?;
                    masked(row)
                })
                .collect()
        })
        .await
}

fn all_visible(
    permit: &Permit<ObjectDelete>,
    tx: &mut WriteTx<'_>,
    ids: &[ObjectId],
) -> Result<Vec<ObjectRow>, Error> {
    let numbers: Vec<i64> = ids.iter().map(|id| id.get()).collect();
    let scope = permit.access(tx)?.scope;
    let (rows, hidden) = tx.objects(&scope, &numbers)?;
    let missing: Vec<i64> = numbers
        .iter()
        .copied()
        .filter(|id| !hidden.contains(id) && !rows.iter().any(|row| row.public_id == *id))
        .collect();
    if !missing.is_empty() {
        return Err(Error::not_found(
            if missing.len() == 1 {
                "object"
            } else {
                "objects"
            },
            list(&missing),
        ));
    }
    if !hidden.is_empty() {
        return Err(denied(Operation::Read, &hidden));
    }
    Ok(rows)
}

fn check_deletable(
    permit: &Permit<ObjectDelete>,
    tx: &mut WriteTx<'_>,
    rows: &[ObjectRow],
) -> Result<(), Error> {
    let group = permit.access(tx)?.group_id;
    let mut kept = Vec::new();
    for row in rows {
        if check_acl(&*type_of(tx, row)?, group, Operation::Delete).is_err() {
            kept.push(row.public_id);
        }
    }
    if kept.is_empty() {
        Ok(())
    } else {
        Err(denied(Operation::Delete, &kept))
    }
}

fn denied(operation: Operation, ids: &[i64]) -> Error {
    Error::Forbidden(format!(
        "the ACL does not grant {operation} to your group: object {}",
        list(ids)
    ))
}

/// Objects outside of `rows` that reference one of them, visible or not.
fn referrers(tx: &mut WriteTx<'_>, rows: &[ObjectRow]) -> Result<Vec<ObjectRow>, Error> {
    let targets: Vec<i64> = rows.iter().map(|row| row.public_id).collect();
    let mut referrers = tx.referrers(&targets)?;
    referrers.retain(|row| !targets.contains(&row.public_id));
    Ok(referrers)
}

fn protect(
    permit: &Permit<ObjectDelete>,
    tx: &mut WriteTx<'_>,
    rows: &[ObjectRow],
) -> Result<(), Error> {
    let referrers = referrers(tx, rows)?;
    if referrers.is_empty() {
        return Ok(());
    }
    let scope = permit.access(tx)?.scope;
    let visible: Vec<i64> = referrers
        .iter()
        .filter(|row| scope.sees(row.type_id))
        .map(|row| row.public_id)
        .collect();
    let named = if visible.is_empty() {
        "objects that you may not read".to_owned()
    } else {
        list(&visible)
    };
    Err(Error::invalid(
        "references",
        format!("referenced by {named}"),
    ))
}

fn clear(
    permit: &Permit<ObjectDelete>,
    tx: &mut WriteTx<'_>,
    rows: &[ObjectRow],
) -> Result<(), Error> {
    let referrers = referrers(tx, rows)?;
    if referrers.is_empty() {
        return Ok(());
    }
    let access = permit.access(tx)?;
    access.check::<ObjectEdit>()?;
    let targets: BTreeSet<i64> = rows.iter().map(|row| row.public_id).collect();
    let mut entries = BTreeMap::new();
    for row in referrers {
        let entry = match entries.get(&row.type_id) {
            Some(entry) => std::sync::Arc::clone(entry),
            None => type_of(tx, &row)?,
        };
        check_acl(&entry, access.group_id, Operation::Update)?;
        check_acl(&entry, access.group_id, Operation::Read)?;
        clear_one(tx, &row, &entry, &targets)?;
        entries.insert(row.type_id, entry);
    }
    Ok(())
}

fn clear_one(
    tx: &mut WriteTx<'_>,
    row: &ObjectRow,
    entry: &TypeEntry,
    targets: &BTreeSet<i64>,
) -> Result<(), Error> {
    let mut object = row.object()?;
    let mut items = object.items().to_vec();
    for entry_item in &mut items {
        let name = entry_item
            .get("name")
            .and_then(Value::as_str)
            .map(str::to_owned);
        let target = entry_item.get("value").and_then(reference_target);
        if let (Some(name), Some(target)) = (name, target)
            && targets.contains(&target)
            && entry
                .record
                .field(&name)
                .is_some_and(FieldDefinition::is_reference)
        {
            *entry_item = item(&name, Value::Null);
        }
    }
    object.set_items(items);
    let secrets = row.secrets.clone();
    tx.edit_object(row, NewObject { object, secrets })?;
    Ok(())
}

fn list(ids: &[i64]) -> String {
    ids.iter()
        .map(i64::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}
