//! A new definition of a stored type, checked against all other records.

use std::mem;

use stockroom_model::body::Report;
use stockroom_model::r#type::{Rename, TypeDraft};
use stockroom_model::{RecordLimits, Type};
use stockroom_store::{ReadTx, WriteTx};

use super::{check_name, old_names, warnings};
use crate::Error;
use crate::core::access::Access;

/// A new definition of a stored type.
#[derive(Clone)]
pub(super) struct Redefinition {
    /// The stored type, with the new names of its fields.
    pub(super) before: Type,
    pub(super) after: Type,
    pub(super) renames: Vec<Rename>,
}

impl Redefinition {
    /// Checks all but the objects of the type, and notes warnings.
    pub(super) fn check(
        tx: &mut WriteTx<'_>,
        access: &Access,
        stored: &Type,
        mut draft: TypeDraft,
        limits: &RecordLimits,
        report: &Report,
    ) -> Result<Self, Error> {
        access.check_covers(stored.public_id)?;
        if draft.name != stored.name {
            check_name(tx, &draft, report)?;
        }
        let renames = mem::take(&mut draft.renames);
        let after = report.finish(Some(draft))?.into_replacement(stored);
        let before = stored.with_renamed_fields(&renames);
        check_field_names(tx, &before, &after, limits)?;
        warnings::check(tx, &after, &renames, report)?;
        Ok(Self {
            before,
            after,
            renames,
        })
    }

    /// Warns of other records that name a field by its old name.
    pub(super) fn check_old_names(
        &self,
        tx: &mut WriteTx<'_>,
        access: &Access,
        report: &Report,
    ) -> Result<(), Error> {
        old_names::check(tx, access, self.after.public_id, &self.renames, report)
    }
}

/// Objects stay indexed by every field that their type ever had, so the number of names is limited.
fn check_field_names(
    tx: &mut ReadTx<'_>,
    before: &Type,
    after: &Type,
    limits: &RecordLimits,
) -> Result<(), Error> {
    let fields = after.fields().iter().map(|field| field.name.as_str());
    let new: Vec<&str> = fields.filter(|name| before.field(name).is_none()).collect();
    if new.is_empty() {
        return Ok(());
    }
    let known = tx.known_fields(after.public_id)?;
    let added = new.iter().filter(|name| !known.contains(**name)).count();
    let limit = limits.type_field_names;
    if added == 0 || known.len() + added <= limit {
        return Ok(());
    }
    Err(Error::invalid(
        "/fields",
        format!(
            "fields of this type have had {} names, and these are {added} more; the limit is {limit} names of the fields of a type, \
             those that are gone included",
            known.len()
        ),
    ))
}
