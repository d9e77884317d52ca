//! The objects that reference an object.

use std::collections::BTreeSet;
use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_model::{Object, ObjectId, TypeId};

use super::lower::references;
use super::predicate::IndexPredicate;
use super::recheck::{fields_naming, type_of};
use super::sql::Table;
use crate::Error;
use crate::engine::driver::sql::Sql;
use crate::engine::driver::{Driver as _, Row};
use crate::records::catalog::TypeEntry;
use crate::transaction::WriteTx;
use crate::transaction::writers::Writers;

impl WriteTx<'_> {
    /// The ids of the objects that name one of `targets` in a reference field, ascending, with the
    /// ids of their types. Includes objects that the caller may not see.
    pub fn referrers(
        &mut self,
        targets: &BTreeSet<ObjectId>,
    ) -> Result<Vec<(ObjectId, TypeId)>, Error> {
        let mut referrers = Vec::new();
        self.each_referrer(targets, |id, type_id, _| referrers.push((id, type_id)))?;
        Ok(referrers)
    }

    /// The number of references to `targets` in objects that `scope` sees.
    pub fn count_references(
        &mut self,
        scope: &Scope,
        targets: &BTreeSet<ObjectId>,
    ) -> Result<usize, Error> {
        let mut count = 0;
        self.each_referrer(targets, |_, type_id, references| {
            count += if scope.sees(type_id) { references } else { 0 };
        })?;
        Ok(count)
    }

    /// Passes on each object that references one of `targets`, its type and how many of its fields
    /// do.
    fn each_referrer(
        &mut self,
        targets: &BTreeSet<ObjectId>,
        mut each: impl FnMut(ObjectId, TypeId, usize),
    ) -> Result<(), Error> {
        self.write_pending_rows()?;
        let search = ReferrerSearch::new(self.type_entries()?, targets);
        self.each_of(&search.sql, |row| search.take(row, &mut each))
    }

    /// The objects that reference one of `targets` in what all other transactions have committed
    /// by now, rather than in the snapshot of this one.
    pub(in crate::records::object) fn committed_referrers(
        &mut self,
        targets: &BTreeSet<ObjectId>,
    ) -> Result<Vec<ObjectId>, Error> {
        let Some(Writers::Shared { newest, .. }) = self.writers() else {
            return Ok(Vec::new());
        };
        let search = ReferrerSearch::new(self.type_entries()?, targets);
        newest.ask(|postgres| {
            let mut referrers = Vec::new();
            postgres.query(search.sql.text(), &search.sql.params(), &mut |row| {
                search.take(row, &mut |id, _, _| referrers.push(id))
            })?;
            Ok(referrers)
        })
    }
}

/// A search for the objects that reference one of `targets`.
struct ReferrerSearch<'t> {
    types: Vec<Arc<TypeEntry>>,
    targets: &'t BTreeSet<ObjectId>,
    /// Selects candidates.
    sql: Sql,
}

impl<'t> ReferrerSearch<'t> {
    fn new(types: Vec<Arc<TypeEntry>>, targets: &'t BTreeSet<ObjectId>) -> Self {
        let ids: Vec<ObjectId> = targets.iter().copied().collect();
        let mut sql = Sql::new("SELECT public_id, type_id, doc FROM object WHERE ");
        let referring = vec![references(&types, &ids), IndexPredicate::Irregular];
        sql.predicate(&IndexPredicate::any(referring), Table::Object);
        sql.push(" ORDER BY public_id");
        Self {
            types,
            targets,
            sql,
        }
    }

    /// Passes on a candidate, its type and how many of its fields name a target, if any does.
    fn take(
        &self,
        row: &dyn Row,
        each: &mut impl FnMut(ObjectId, TypeId, usize),
    ) -> Result<(), Error> {
        let (id, type_id) = (row.id(0)?, row.id(1)?);
        let object = Object::from_document(serde_json::from_str(row.text(2)?)?);
        let entry = type_of(&self.types, type_id);
        let naming = |entry| fields_naming(entry, &object, self.targets).count();
        let references = entry.map_or(0, naming);
        if references > 0 {
            each(id, type_id, references);
        }
        Ok(())
    }
}
