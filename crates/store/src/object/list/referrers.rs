//! The objects that reference an object.

use std::collections::BTreeSet;

use stockroom_access::Scope;
use stockroom_model::{Object, ObjectId, TypeId};

use super::lower::references;
use super::recheck::{fields_naming, type_of};
use super::sql::Table;
use crate::Error;
use crate::driver::sql::Sql;
use crate::transaction::WriteTx;

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
        let types = self.type_entries()?;
        let ids: Vec<ObjectId> = targets.iter().copied().collect();
        let mut sql = Sql::new("SELECT public_id, type_id, doc FROM object WHERE ");
        sql.predicate(&references(&types, &ids), Table::Object);
        sql.push(" OR public_id IN (SELECT object_id FROM object_irregular) ORDER BY public_id");
        self.each_of(&sql, |row| {
            let (id, type_id) = (row.id(0)?, row.id(1)?);
            let object = Object::from_document(serde_json::from_str(row.text(2)?)?);
            let entry = type_of(&types, type_id);
            let references =
                entry.map_or(0, |entry| fields_naming(entry, &object, targets).count());
            if references > 0 {
                each(id, type_id, references);
            }
            Ok(())
        })
    }
}
