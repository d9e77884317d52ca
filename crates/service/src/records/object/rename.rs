//! Moves the values of renamed fields in the transaction that changes the type
//! (`docs/guide/src/types.md`).

use std::collections::{BTreeMap, HashMap};

use stockroom_access::Scope;
use stockroom_model::body::Report;
use stockroom_model::object::listed;
use stockroom_model::object::rename::{Renamed, rename_items};
use stockroom_model::r#type::Rename;
use stockroom_model::r#type::rename::new_names;
use stockroom_model::{ObjectId, Problems, TypeId};
use stockroom_store::{NewObject, ObjectRow, ObjectsOfType, RenamedColumns, WriteTx};

use super::secrets;
use super::type_change::{counted, each_object};
use crate::core::master_key::refuse_rotated;
use crate::{Error, Service};

/// How many objects a refusal names.
const MAX_NAMED: usize = 20;
/// How to move more values than a transaction moves.
const WAY_OUT: &str = "add a field of the new name beside the old one, copy the values in batches, \
     then remove the old field, or raise --renamed-objects";

/// Moves the values of renamed fields in all objects of a type, whose new definition is not stored
/// yet.
///
/// # Errors
///
/// The type has too many objects, or some hold values under a new name already.
pub(crate) fn rename_fields(
    service: &Service,
    scope: &Scope,
    tx: &mut WriteTx<'_>,
    type_id: TypeId,
    renames: &[Rename],
) -> Result<(), Error> {
    let Some(first) = renames.first() else {
        return Ok(());
    };
    let count = tx.count_objects_of_type(&Scope::for_maintenance(), type_id)?;
    if let Some(detail) = too_many_to_rename(service, scope, type_id, count) {
        return Err(Error::invalid(&first.pointer, detail));
    }
    check_bytes(service, tx, type_id, WAY_OUT)?;
    let columns = tx.rename_columns(type_id, renames)?;
    let new = new_names(renames);
    let mut taken = OccupiedNames::default();
    each_object(tx, ObjectsOfType::new(type_id), |tx, row| {
        match renamed(service, tx, row, &new, &columns)? {
            None => Ok(()),
            Some(name) => {
                taken.add(name, row.public_id);
                Ok(())
            }
        }
    })?;
    Ok(taken.refuse(scope, type_id, renames)?)
}

/// The bytes of the objects that change together with their type: 2 KiB for each that there may be.
pub(super) fn bytes_changed_with_type(service: &Service) -> usize {
    service.records().renamed_objects.saturating_mul(2 * 1_024)
}

/// Refuses to change all objects of a type in one transaction if they are too large together.
pub(crate) fn check_bytes(
    service: &Service,
    tx: &mut WriteTx<'_>,
    type_id: TypeId,
    way_out: &'static str,
) -> Result<(), Error> {
    let most = bytes_changed_with_type(service);
    if tx.bytes_of_type(type_id)? > most {
        return Err(Error::TooMuchAtOnce(most, way_out));
    }
    Ok(())
}

/// Why the values of so many objects do not move, and how to go on.
pub(crate) fn too_many_to_rename(
    service: &Service,
    scope: &Scope,
    type_id: TypeId,
    count: i64,
) -> Option<String> {
    let limit = service.records().renamed_objects;
    let fits = usize::try_from(count).is_ok_and(|count| count <= limit);
    (!fits).then(|| {
        format!(
            "moves the values of {}; the limit is {limit} in one transaction: {WAY_OUT}",
            counted(scope, type_id, count)
        )
    })
}

/// Renames the fields of one object. Returns the name under which it holds a value already.
fn renamed(
    service: &Service,
    tx: &mut WriteTx<'_>,
    row: &ObjectRow,
    new: &BTreeMap<&str, &str>,
    columns: &RenamedColumns,
) -> Result<Option<String>, Error> {
    let mut object = row.object()?;
    match renamed_items(row, &object, new)? {
        Renamed::Unchanged => Ok(None),
        Renamed::Taken(name) => Ok(Some(name)),
        Renamed::Changed(items) => {
            object.set_items(items);
            if row.secrets.is_some() {
                refuse_rotated(tx, &service.keys)?;
            }
            let secrets = service.rename_secrets(row, new)?;
            tx.rename_object_fields(row, &NewObject { object, secrets }, columns)?;
            Ok(None)
        }
    }
}

/// The items of an object under new names.
pub(crate) fn renamed_items(
    row: &ObjectRow,
    object: &stockroom_model::Object,
    new: &BTreeMap<&str, &str>,
) -> Result<Renamed, Error> {
    let sealed: Vec<String> = secrets::names(row)?.collect();
    let holds = |name: &str| sealed.iter().any(|sealed| sealed == name);
    Ok(rename_items(object.items(), new, holds))
}

/// The objects that hold values under new names already.
#[derive(Default)]
struct OccupiedNames {
    by_name: HashMap<String, (i64, Vec<ObjectId>)>,
}

impl OccupiedNames {
    fn add(&mut self, name: String, id: ObjectId) {
        let (count, ids) = self.by_name.entry(name).or_default();
        *count += 1;
        if ids.len() < MAX_NAMED {
            ids.push(id);
        }
    }

    fn refuse(&self, scope: &Scope, type_id: TypeId, renames: &[Rename]) -> Result<(), Problems> {
        let report = Report::default();
        for rename in renames {
            if let Some((count, ids)) = self.by_name.get(&rename.to) {
                let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
                let named = if scope.sees(type_id) {
                    format!(" ({})", listed(ids.iter().map(String::as_str)))
                } else {
                    String::new()
                };
                report.problem(
                    &rename.pointer,
                    format!(
                        "would overwrite values: {}{named} hold one of {:?} already; clear those, or choose another name",
                        counted(scope, type_id, *count),
                        rename.to
                    ),
                );
            }
        }
        report.finish(Some(()))
    }
}
