//! `GET` and `PUT /objects/clean/{public_id}`: objects whose set of field names differs from their
//! type's.

use std::collections::{BTreeSet, HashSet};

use stockroom_access::Operation;
use stockroom_access::permission::TypeClean;
use stockroom_model::json::Value;
use stockroom_model::object::item;
use stockroom_model::{Object, ObjectId, Type, TypeId};
use stockroom_store::{Action, NewObject, ObjectRow, Restriction, WriteTx};

use super::check_acl;
use super::list::{ObjectList, ObjectListRequest};
use crate::client_writes::TransactionTime;
use crate::{Error, Permit};

/// Objects cleaned in one transaction.
const CHUNK: i64 = 1_000;

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

/// Cleans the objects of a type in chunks, one transaction each. A second call continues where an
/// interrupted one ended. Returns the number of objects changed.
pub async fn clean(permit: &Permit<TypeClean>, id: TypeId) -> Result<usize, Error> {
    let mut cleaned = 0;
    let mut after = None;
    loop {
        let writer = permit.clone();
        let (changed, last) = permit
            .write(move |tx| clean_chunk(&writer, tx, id, after))
            .await?;
        cleaned += changed;
        match last {
            Some(last) => after = Some(last),
            None => return Ok(cleaned),
        }
    }
}

/// Cleans one chunk of objects after `after`. Returns how many changed and where to continue.
fn clean_chunk(
    permit: &Permit<TypeClean>,
    tx: &mut WriteTx<'_>,
    id: TypeId,
    after: Option<ObjectId>,
) -> Result<(usize, Option<ObjectId>), Error> {
    let entry = tx
        .type_entry(id)?
        .ok_or_else(|| Error::not_found("type", id))?;
    let access = permit.access(tx)?;
    check_acl(&entry, &access, Operation::Read)?;
    check_acl(&entry, &access, Operation::Update)?;
    let rows = tx.objects_of_type(&access.scope, id, after, CHUNK)?;
    let mut changed = 0;
    let mut last = None;
    let time = TransactionTime::begin(permit.service());
    for row in &rows {
        if clean_one(tx, row, &entry.record)? {
            changed += 1;
        }
        last = Some(row.public_id);
        if time.is_over() {
            break;
        }
    }
    Ok((changed, last))
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

pub(super) fn is_clean(object: &Object, definition: &Type) -> bool {
    let names: HashSet<&str> = object.field_names().collect();
    let fields = definition.fields();
    object.field_names().count() == fields.len()
        && fields.iter().all(|field| names.contains(&*field.name))
}
