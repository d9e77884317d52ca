//! Updates the objects of a type in the transaction that changes the type
//! (`docs/guide/src/objects.md`).

use std::collections::{BTreeMap, BTreeSet};

use stockroom_access::Scope;
use stockroom_model::body::Report;
use stockroom_model::r#type::FieldDefinition;
use stockroom_model::{Type, TypeId};
use stockroom_store::{Action, NewObject, ObjectBatches, ObjectRow, ObjectsOfType, WriteTx};

use super::former_names::FormerNames;
use super::rename::{bytes_changed_with_type, check_bytes};
use super::{former_values, secrets};
use crate::core::master_key::refuse_rotated;
use crate::{Error, Service};

/// Objects that have a field which their type gains are only indexed anew: so many times as many
/// bytes of them as of those that are changed.
const GAINING: usize = 4;
/// How to give a type fields that more objects have.
const GAIN_OTHERWISE: &str = "objects of the type hold values under the names of the new fields: \
     remove those values, choose other names, or raise --renamed-objects";

/// Adapts the objects of a type to its new definition, which is not stored yet: encrypts the values
/// of fields that become passwords, and takes them out of the history and of whatever else holds
/// copies of them.
///
/// # Errors
///
/// A field that has held passwords would become readable; see also [`former_values::forget`].
pub(crate) fn adapt_objects_to_type(
    service: &Service,
    scope: &Scope,
    tx: &mut WriteTx<'_>,
    before: &Type,
    after: &Type,
) -> Result<(), Error> {
    let known = tx.known_fields(after.public_id)?;
    let gained = names(after, |field| !known.contains(&field.name));
    let gaining = tx.objects_that_gain(after.public_id, gained.into_iter())?;
    refuse_large(service, tx, &gaining)?;
    refuse_exposed_passwords(scope, tx, before, after)?;
    let new_passwords = new_passwords(before, after);
    if new_passwords.is_empty() {
        return Ok(());
    }
    refuse_rotated(tx, &service.keys)?;
    let were_known = new_passwords.iter().any(|name| known.contains(*name));
    let mut had_values = false;
    let encrypt = |tx: &mut WriteTx<'_>, row: &ObjectRow| {
        let mut object = row.object()?;
        let secrets = service.encrypt_values(row, &mut object, &new_passwords)?;
        if secrets.is_some() {
            had_values = true;
            tx.update_object(row, &NewObject { object, secrets }, Action::Update)?;
        }
        Ok(())
    };
    if were_known {
        check_size(service, scope, tx, after.public_id)?;
        each_object(tx, ObjectsOfType::new(after.public_id), encrypt)?;
    } else {
        each_that_may_have(service, tx, after.public_id, &new_passwords, encrypt)?;
    }
    if were_known || had_values {
        had_values |= forget_former_values(tx, after, &new_passwords)?;
    }
    if had_values {
        tx.erase_removed_values()?;
    }
    Ok(())
}

/// Refuses to encrypt the values of so many objects, and to rewrite their history, in one
/// transaction.
fn check_size(
    service: &Service,
    scope: &Scope,
    tx: &mut WriteTx<'_>,
    type_id: TypeId,
) -> Result<(), Error> {
    let count = tx.count_objects_of_type(&Scope::for_maintenance(), type_id)?;
    let limit = service.records().renamed_objects;
    if usize::try_from(count).is_ok_and(|count| count <= limit) {
        return check_bytes(service, tx, type_id, "raise --renamed-objects");
    }
    let objects = counted(scope, type_id, count);
    Err(Error::invalid(
        "/fields",
        format!(
            "makes passwords of the values of {objects}; the limit is {limit} in one transaction: raise --renamed-objects"
        ),
    ))
}

/// Refuses to read so much because a type gains fields: other writes wait meanwhile.
fn refuse_large(
    service: &Service,
    tx: &mut WriteTx<'_>,
    objects: &ObjectBatches,
) -> Result<(), Error> {
    let most = bytes_changed_with_type(service).saturating_mul(GAINING);
    if objects.unread_bytes(tx)? > most {
        return Err(Error::TooMuchAtOnce(most, GAIN_OTHERWISE));
    }
    Ok(())
}

/// Takes former values of fields out of the history and all that holds copies. Returns whether
/// there were any.
fn forget_former_values(
    tx: &mut WriteTx<'_>,
    of: &Type,
    fields: &BTreeSet<&str>,
) -> Result<bool, Error> {
    let former = FormerNames::read(tx, of, fields)?;
    let had_history = match former.names() {
        Some(names) => tx.blank_history_of_objects(of.public_id, &names)?,
        None => tx.forget_images_of_objects(of.public_id)?,
    };
    let had_copies = former_values::forget(tx, of.public_id, &former)?;
    Ok(had_history || had_copies)
}

/// Whether a field becomes a password.
pub(crate) fn makes_passwords(before: &Type, after: &Type) -> bool {
    !new_passwords(before, after).is_empty()
}

fn new_passwords<'t>(before: &Type, after: &'t Type) -> BTreeSet<&'t str> {
    let known = names(before, |field| field.kind.is_secret());
    let passwords = names(after, |field| field.kind.is_secret()).into_iter();
    passwords.filter(|name| !known.contains(name)).collect()
}

/// Names a number of objects of a type, without the number for callers who may not see them.
pub(crate) fn counted(scope: &Scope, type_id: TypeId, count: i64) -> String {
    match count {
        _ if !scope.sees(type_id) => "objects that you may not read".to_owned(),
        1 => "1 object".to_owned(),
        count => format!("{count} objects"),
    }
}

/// Encrypted values must be neither shown nor lost, so their field stays a password or is removed.
fn refuse_exposed_passwords(
    scope: &Scope,
    tx: &mut WriteTx<'_>,
    before: &Type,
    after: &Type,
) -> Result<(), Error> {
    let mut holders: BTreeMap<&str, i64> = exposed(tx, before, after)?
        .into_iter()
        .map(|name| (name, 0))
        .collect();
    if holders.is_empty() {
        return Ok(());
    }
    each_object(tx, ObjectsOfType::new(after.public_id), |_, row| {
        for name in secrets::names(row)? {
            if let Some(count) = holders.get_mut(name.as_str()) {
                *count += 1;
            }
        }
        Ok(())
    })?;
    let report = Report::default();
    for (index, field) in after.fields().iter().enumerate() {
        if let Some(count) = holders.get(field.name.as_str()).filter(|count| **count > 0) {
            let objects = counted(scope, after.public_id, *count);
            report.problem(
                format!("/fields/{index}/type"),
                format!("must stay password: {objects} would show or lose what {:?} holds; clear those values first", field.name),
            );
        }
    }
    Ok(report.finish(Some(()))?)
}

/// Fields that are not passwords but may have encrypted values: they were passwords until now, or
/// they are added again.
fn exposed<'t>(
    tx: &mut WriteTx<'_>,
    before: &Type,
    after: &'t Type,
) -> Result<Vec<&'t str>, Error> {
    let known = tx.known_fields(after.public_id)?;
    let mut exposed = Vec::new();
    for name in names(after, |field| !field.kind.is_secret()) {
        let was_password = match before.field(name) {
            Some(field) => field.kind.is_secret(),
            None => known.contains(name),
        };
        if was_password {
            exposed.push(name);
        }
    }
    Ok(exposed)
}

fn names(definition: &Type, which: impl Fn(&FieldDefinition) -> bool) -> BTreeSet<&str> {
    let fields = definition.fields().iter();
    fields
        .filter(|field| which(field))
        .map(|field| field.name.as_str())
        .collect()
}

/// Visits the objects of a type that may have one of these fields, which the type never had.
fn each_that_may_have(
    service: &Service,
    tx: &mut WriteTx<'_>,
    type_id: TypeId,
    names: &BTreeSet<&str>,
    mut work: impl FnMut(&mut WriteTx<'_>, &ObjectRow) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut batches = tx.objects_that_may_have(type_id, names)?;
    refuse_large(service, tx, &batches)?;
    while let Some(objects) = batches.next(tx, &Scope::for_maintenance())? {
        for row in &objects.rows {
            work(tx, row)?;
        }
    }
    Ok(())
}

/// Visits objects of a type, hidden ones too, as a type changes for everybody.
pub(crate) fn each_object(
    tx: &mut WriteTx<'_>,
    mut objects: ObjectsOfType,
    mut work: impl FnMut(&mut WriteTx<'_>, &ObjectRow) -> Result<(), Error>,
) -> Result<(), Error> {
    let everything = Scope::for_maintenance();
    loop {
        let rows = objects.next(tx, &everything)?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in &rows {
            work(tx, row)?;
        }
    }
}
