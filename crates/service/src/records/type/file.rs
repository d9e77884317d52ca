//! Types of a file that name each other: all are written before the warnings about one are known
//! (`docs/guide/src/imports.md`).

use stockroom_access::permission::{TypeAdd, TypeEdit};
use stockroom_model::body::Report;
use stockroom_model::json::Value;
use stockroom_model::{Problem, Type, TypeId};
use stockroom_store::{Stored, WriteTx};

use super::{Replaced, Times, draft, new, replace, stored, warnings_of_stored};
use crate::core::warnings::added;
use crate::{Error, Permit};

/// A type of a file that was written.
pub(crate) struct WrittenType {
    pub(crate) id: TypeId,
    /// Whether it is other than before.
    pub(crate) is_changed: bool,
    /// The warnings that it had before.
    known: Vec<Problem>,
    /// The warnings about what its change means for other records.
    effects: Vec<Problem>,
}

/// Inserts a type in a transaction.
pub(crate) fn insert_in(
    permit: &Permit<TypeAdd>,
    tx: &mut WriteTx<'_>,
    body: &Value,
) -> Result<WrittenType, Error> {
    let report = Report::default();
    let limits = permit.service().records();
    let draft = draft(body, None, tx.catalog(), limits, &report)?;
    let (revision, definition) = new(tx, draft, Times::default(), &report)?;
    let inserted = tx.insert_type(revision, definition)?;
    Ok(WrittenType {
        id: inserted.record.public_id,
        is_changed: true,
        known: Vec::new(),
        effects: Vec::new(),
    })
}

/// Replaces a type in a transaction, and updates its objects.
pub(crate) fn replace_in(
    permit: &Permit<TypeEdit>,
    tx: &mut WriteTx<'_>,
    stored: Stored<Type>,
    body: &Value,
) -> Result<WrittenType, Error> {
    let report = Report::default();
    let limits = permit.service().records();
    let draft = draft(body, Some(&stored.record), tx.catalog(), limits, &report)?;
    let (id, revision) = (stored.record.public_id, stored.revision);
    let known = warnings_of_stored(tx, &stored.record, limits)?;
    let Replaced {
        stored, effects, ..
    } = replace(permit, tx, stored, draft, report)?;
    Ok(WrittenType {
        id,
        is_changed: stored.revision != revision,
        known,
        effects,
    })
}

impl WrittenType {
    /// The warnings about the type among all others of the file, without those that it had before.
    pub(crate) fn warnings<P>(
        self,
        permit: &Permit<P>,
        tx: &mut WriteTx<'_>,
    ) -> Result<Vec<Problem>, Error> {
        let definition = stored(tx, self.id)?.record;
        let warnings = warnings_of_stored(tx, &definition, permit.service().records())?;
        Ok([added(&warnings, &self.known), self.effects].concat())
    }
}
