//! Reads many objects, a batch at a time: few documents are in memory, and a server sends few in
//! vain.

use std::collections::VecDeque;

use stockroom_access::Scope;
use stockroom_model::{ObjectId, TypeId};

use super::{ObjectReader, Objects};
use crate::Error;
use crate::engine::driver::READ_BYTES;
use crate::engine::driver::Row;
use crate::records::object::{ObjectRow, SELECT_CHUNK};
use crate::transaction::ReadTx;

/// The most objects of a batch.
pub(crate) const MOST_AT_ONCE: usize = if cfg!(test) { 3 } else { 1_000 };
/// The objects of the first batch, of which nothing is known.
const FIRST: usize = if cfg!(test) { 2 } else { 64 };

/// The ids of objects that are not read yet.
#[derive(Debug)]
pub struct ObjectBatches {
    unread: VecDeque<ObjectId>,
    /// How many of them probably fit in a batch.
    count: usize,
    /// The most objects of a batch.
    most: usize,
}

impl ObjectBatches {
    /// Batches of these objects, in this order.
    #[must_use]
    pub fn new(ids: Vec<ObjectId>) -> Self {
        Self::of_at_most(MOST_AT_ONCE, ids)
    }

    /// Like [`ObjectBatches::new`], with at most so many objects in a batch.
    #[must_use]
    pub fn of_at_most(most: usize, ids: Vec<ObjectId>) -> Self {
        let most = most.clamp(1, MOST_AT_ONCE);
        Self {
            unread: ids.into(),
            count: FIRST.min(most),
            most,
        }
    }

    /// How many objects are not read yet.
    #[must_use]
    pub fn unread(&self) -> usize {
        self.unread.len()
    }

    /// The bytes of the objects that are not read yet, of hidden ones too.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub fn unread_bytes(&self, tx: &mut ReadTx<'_>) -> Result<usize, Error> {
        let ids: Vec<ObjectId> = self.unread.iter().copied().collect();
        let sizes = tx.sizes(&Scope::for_maintenance(), &ids)?;
        Ok(sizes.into_values().sum())
    }

    /// The next objects, which may all be hidden; `None` at the end. Nothing of them is unread.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub fn next(&mut self, tx: &mut ReadTx<'_>, scope: &Scope) -> Result<Option<Objects>, Error> {
        let count = self.count.min(self.unread.len());
        if count == 0 {
            return Ok(None);
        }
        let wanted: Vec<ObjectId> = self.unread.drain(..count).collect();
        let mut found = tx.objects(scope, &wanted, READ_BYTES)?;
        for id in found.unread.drain(..).rev() {
            self.unread.push_front(id);
        }
        self.count = fitting(&found.rows).min(self.most);
        Ok(Some(found))
    }

    /// The ids of the objects that are not read yet, in their order.
    #[must_use]
    pub fn into_unread(self) -> Vec<ObjectId> {
        self.unread.into()
    }
}

/// How many objects such as these probably fit in a batch.
fn fitting(rows: &[ObjectRow]) -> usize {
    let bytes: usize = rows.iter().map(ObjectRow::bytes).sum();
    let count = READ_BYTES.saturating_mul(rows.len()) / bytes.max(1);
    count.clamp(1, MOST_AT_ONCE)
}

/// The objects of a type, in the order of their ids.
#[derive(Debug, Clone, Copy)]
pub struct ObjectsOfType {
    type_id: TypeId,
    after: Option<ObjectId>,
    /// How many probably fit in a batch.
    count: usize,
}

impl ObjectsOfType {
    /// All of them.
    #[must_use]
    pub const fn new(type_id: TypeId) -> Self {
        Self {
            type_id,
            after: None,
            count: FIRST,
        }
    }

    /// The next ones; none at the end, or if the caller may not see the type.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub fn next(&mut self, tx: &mut ReadTx<'_>, scope: &Scope) -> Result<Vec<ObjectRow>, Error> {
        if !scope.sees(self.type_id) {
            return Ok(Vec::new());
        }
        let after = self.after.map_or(0, ObjectId::get);
        let most = i64::try_from(self.count).unwrap_or(i64::MAX);
        let params = [self.type_id.into(), after.into(), most.into()];
        let mut reading = ObjectReader::within(READ_BYTES);
        tx.each(SELECT_CHUNK, &params, |row: &dyn Row| reading.take(row))?;
        let rows = reading.finish().rows;
        if let Some(last) = rows.last() {
            self.after = Some(last.public_id);
            self.count = fitting(&rows);
        }
        Ok(rows)
    }

    /// Goes back to an object that the last batch had.
    pub fn read_again_from(&mut self, row: &ObjectRow) {
        self.after = ObjectId::new(row.public_id.get() - 1);
    }
}
