//! The list of objects that are irregular: what their index rows do not tell.

use std::collections::{BTreeMap, BTreeSet};

use stockroom_model::{ObjectId, TypeId};

use super::ObjectRow;
use super::index::Shape;
use crate::Error;
use crate::engine::counters::Counts;
use crate::engine::driver::Param;
use crate::transaction::WriteTx;

pub(crate) const INSERT_IRREGULAR: &str =
    "INSERT INTO object_irregular (type_id, object_id, targets_indexed) VALUES (?1, ?2, ?3)";
const TAKE: &str =
    "DELETE FROM object_irregular WHERE type_id = ?1 AND object_id = ?2 RETURNING targets_indexed";
const SELECT: &str = "SELECT object_id, targets_indexed FROM object_irregular WHERE type_id = ?1 AND object_id IN (SELECT value FROM rarray(?2))";
const DELETE: &str = "DELETE FROM object_irregular WHERE type_id = ?1 AND object_id IN (SELECT value FROM rarray(?2))";

impl WriteTx<'_> {
    /// The shapes of those of these objects that are listed as irregular; they are no longer listed.
    pub(super) fn take_irregular<'r>(
        &mut self,
        objects: impl ExactSizeIterator<Item = &'r ObjectRow> + Clone,
    ) -> Result<BTreeMap<ObjectId, Shape>, Error> {
        let mut listed = BTreeMap::new();
        if objects.len() == 1 || self.is_sharded() {
            for row in objects {
                let params = [row.type_id.into(), row.public_id.into()];
                let shape = self.first(TAKE, &params, |row| Ok(Shape::listed(row.int(0)?)))?;
                listed.extend(shape.map(|shape| (row.public_id, shape)));
            }
            return Ok(listed);
        }
        let types: BTreeSet<TypeId> = objects.clone().map(|row| row.type_id).collect();
        for type_id in types {
            let of_type = objects.clone().filter(|row| row.type_id == type_id);
            let ids: Vec<i64> = of_type.map(|row| row.public_id.get()).collect();
            let params = [type_id.into(), Param::Ints(&ids)];
            let found = self.all(SELECT, &params, |row| {
                Ok((row.id(0)?, Shape::listed(row.int(1)?)))
            })?;
            if !found.is_empty() {
                self.run(DELETE, &params)?;
            }
            listed.extend(found);
        }
        Ok(listed)
    }

    /// Notes that these objects of a type now have index rows.
    pub(crate) fn set_regular(
        &mut self,
        type_id: TypeId,
        objects: &[ObjectId],
    ) -> Result<(), Error> {
        let numbers: Vec<i64> = objects.iter().map(|id| id.get()).collect();
        let deleted = self.run(DELETE, &[type_id.into(), Param::Ints(&numbers)])?;
        let change = Counts {
            irregular: -i64::try_from(deleted).unwrap_or(0),
            ..Counts::default()
        };
        self.pending().count(type_id, change);
        Ok(())
    }
}

/// The row of an object in `object_irregular`, if it has one.
pub(crate) fn irregular(type_id: i64, object_id: i64, shape: Shape) -> Option<[i64; 3]> {
    let targets_indexed = i64::from(shape == Shape::Irregular);
    let row = [type_id, object_id, targets_indexed];
    shape.is_irregular().then_some(row)
}
