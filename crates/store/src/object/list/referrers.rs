//! The objects that reference an object.

use std::collections::BTreeSet;

use stockroom_model::{Object, ObjectId, TypeId};

use super::lower::references;
use super::recheck::{references_one, type_of};
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
        self.write_pending_rows()?;
        let types = self.type_entries()?;
        let ids: Vec<ObjectId> = targets.iter().copied().collect();
        let mut sql = Sql::new("SELECT public_id, type_id, doc FROM object WHERE ");
        sql.predicate(&references(&types, &ids), Table::Object);
        sql.push(" OR public_id IN (SELECT object_id FROM object_irregular) ORDER BY public_id");
        let mut referrers = Vec::new();
        self.each_of(&sql, |row| {
            let (id, type_id) = (row.id(0)?, row.id(1)?);
            let object = Object::from_document(serde_json::from_str(row.text(2)?)?);
            let entry = type_of(&types, type_id);
            if entry.is_some_and(|entry| references_one(entry, &object, targets)) {
                referrers.push((id, type_id));
            }
            Ok(())
        })?;
        Ok(referrers)
    }
}
