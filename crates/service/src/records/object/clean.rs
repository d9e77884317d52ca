//! `GET` and `PUT /objects/clean/{public_id}`: objects whose set of field names differs from their
//! type's.

use std::collections::{BTreeSet, HashSet};

use stockroom_access::Operation;
use stockroom_access::permission::TypeClean;
use stockroom_model::json::Value;
use stockroom_model::object::item;
use stockroom_model::{Object, Type, TypeId};
use stockroom_store::{Action, NewObject, ObjectRow, ObjectsOfType, Restriction, WriteTx};

use super::check_acl;
use super::list::{ObjectList, ObjectListRequest};
use crate::core::changed_at_once::{ChangedAtOnce, MOST_CHANGED, counted_bytes};
use crate::{Error, Permit};

/// Objects looked at in one transaction, more or less.
const CHUNK: usize = 1_000;
/// How to clean more objects than a transaction cleans.
const WAY_OUT: &str = "clean without dry run, batch and Idempotency-Key, or delete objects first";

/// The unclean objects of a type.
pub async fn list(
    permit: &Permit<TypeClean>,
    id: TypeId,
    request: ObjectListRequest,
) -> Result<ObjectList, Error> {
    let names = permit.decide(|catalog, access| {
        let entry = catalog
            .type_entry(id)
            .ok_or_else(|| Error::not_found("type", id))?;
        check_acl(entry, access, Operation::Read)?;
        Ok(field_names(&entry.record))
    });
    let restriction = Restriction::Unclean(id, names.await?);
    super::list::restricted(permit, request, restriction).await
}

/// Cleans the objects of a type in parts, one transaction each, unless it belongs to an open
/// transaction. A second call continues where an interrupted one ended. Returns the number of
/// objects changed.
///
/// # Errors
///
/// [`Error::TooMuchAtOnce`] in an open transaction.
pub async fn clean(permit: &Permit<TypeClean>, id: TypeId) -> Result<usize, Error> {
    let is_open = permit.caller().is_in_transaction();
    let mut changed = 0;
    let mut at_once = ChangedAtOnce::default();
    let mut rest = Some(ObjectsOfType::new(id));
    while let Some(objects) = rest {
        let writer = permit.clone();
        let part = permit.write(move |tx| clean_some(&writer, tx, id, objects));
        let part = part.await?;
        changed += part.changed;
        if is_open {
            at_once.add_bytes(part.bytes, WAY_OUT)?;
        }
        rest = part.rest;
    }
    Ok(changed)
}

/// What one transaction cleaned.
struct Part {
    /// The number of objects changed.
    changed: usize,
    /// Their [`counted_bytes`].
    bytes: usize,
    /// The objects after them; `None` if there are none.
    rest: Option<ObjectsOfType>,
}

/// Cleans the next objects, as many as one transaction takes.
fn clean_some(
    permit: &Permit<TypeClean>,
    tx: &mut WriteTx<'_>,
    id: TypeId,
    mut objects: ObjectsOfType,
) -> Result<Part, Error> {
    let entry = tx
        .type_entry(id)?
        .ok_or_else(|| Error::not_found("type", id))?;
    let access = permit.access(tx)?;
    check_acl(&entry, &access, Operation::Read)?;
    check_acl(&entry, &access, Operation::Update)?;
    let (mut changed, mut bytes, mut seen) = (0, 0, 0);
    let time = permit.service().transaction_time();
    let rest = loop {
        let rows = objects.next(tx, &access.scope)?;
        if rows.is_empty() {
            break None;
        }
        let mut rows = rows.iter();
        for row in &mut rows {
            if clean_one(tx, row, &entry.record)? {
                changed += 1;
                bytes += counted_bytes(row);
            }
            seen += 1;
            if time.is_over() {
                break;
            }
        }
        if let Some(row) = rows.next() {
            objects.read_again_from(row);
        }
        if time.is_over() || seen >= CHUNK || bytes >= MOST_CHANGED {
            break Some(objects);
        }
    };
    Ok(Part {
        changed,
        bytes,
        rest,
    })
}

fn clean_one(tx: &mut WriteTx<'_>, row: &ObjectRow, definition: &Type) -> Result<bool, Error> {
    let mut object = row.object()?;
    if is_clean(&object, definition) {
        return Ok(false);
    }
    let items = clean_items(&object, definition);
    object.set_items(items);
    let secrets = super::secrets::retain(row, definition)?;
    tx.update_object(row, &NewObject { object, secrets }, Action::Clean)?;
    Ok(true)
}

/// Known fields keep their place, each once. Missing ones follow with their initial value.
fn clean_items(object: &Object, definition: &Type) -> Vec<Value> {
    let mut seen = BTreeSet::new();
    let mut items: Vec<Value> = object
        .fields()
        .filter(|(name, _)| definition.field(name).is_some() && seen.insert((*name).to_owned()))
        .map(|(name, value)| item(name, value.clone()))
        .collect();
    let missing = definition
        .fields()
        .iter()
        .filter(|field| !seen.contains(&field.name));
    items.extend(missing.map(|field| item(&field.name, field.initial_value())));
    items
}

fn field_names(definition: &Type) -> BTreeSet<String> {
    definition
        .fields()
        .iter()
        .map(|field| field.name.clone())
        .collect()
}

pub(crate) fn is_clean(object: &Object, definition: &Type) -> bool {
    let names: HashSet<&str> = object.field_names().collect();
    let fields = definition.fields();
    object.field_names().count() == fields.len()
        && fields.iter().all(|field| names.contains(&*field.name))
}
