//! Reads many objects, a batch at a time: few documents are in memory, and a server sends few in
//! vain.

use std::collections::VecDeque;

use stockroom_access::Scope;
use stockroom_model::ObjectId;

use super::{Objects, READ_BYTES};
use crate::Error;
use crate::object::ObjectRow;
use crate::transaction::ReadTx;

/// The most objects of a batch.
pub(crate) const MOST_AT_ONCE: usize = if cfg!(test) { 3 } else { 1_000 };
/// The objects of the first batch, of which nothing is known.
const FIRST: usize = 64;

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
        let bytes: usize = found.rows.iter().map(ObjectRow::bytes).sum();
        let fitting = READ_BYTES.saturating_mul(found.rows.len()) / bytes.max(1);
        self.count = fitting.clamp(1, self.most);
        Ok(Some(found))
    }

    /// The ids of the objects that are not read yet, in their order.
    #[must_use]
    pub fn into_unread(self) -> Vec<ObjectId> {
        self.unread.into()
    }
}
