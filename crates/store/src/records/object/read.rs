//! Reads documents within a byte limit, because a few can be as large as many usual ones.

pub(super) mod batches;

use stockroom_access::Scope;
use stockroom_model::ObjectId;

use super::{ObjectRow, SELECT_ONE, SELECT_SOME, object_row};
use crate::Error;
use crate::engine::driver::{Param, Row};
use crate::transaction::ReadTx;

pub(crate) use self::batches::MOST_AT_ONCE;
pub use self::batches::{ObjectBatches, ObjectsOfType};

/// Objects, up to a byte limit.
#[derive(Debug, Default)]
pub struct Objects {
    /// The first of the requested objects that the caller may see, in order.
    pub rows: Vec<ObjectRow>,
    /// The ids of the hidden ones among the objects that were read.
    pub hidden: Vec<ObjectId>,
    /// The ids of the requested objects after them, in order.
    pub unread: Vec<ObjectId>,
}

impl Objects {
    /// Objects that are not read yet.
    pub(super) fn unread(ids: Vec<ObjectId>) -> Self {
        Self {
            unread: ids,
            ..Self::default()
        }
    }
}

/// Objects being read.
pub(super) struct ObjectReader {
    objects: Objects,
    /// The bytes that are left.
    room: usize,
}

impl ObjectReader {
    pub(super) fn within(bytes: usize) -> Self {
        Self {
            objects: Objects::default(),
            room: bytes,
        }
    }

    /// Takes a row, or only its id if there is no room.
    pub(super) fn take(&mut self, row: &dyn Row) -> Result<(), Error> {
        let Objects { rows, unread, .. } = &mut self.objects;
        if !unread.is_empty() {
            unread.push(row.id(0)?);
            return Ok(());
        }
        let object = object_row(row)?;
        let bytes = object.bytes();
        if bytes > self.room && !rows.is_empty() {
            unread.push(object.public_id);
        } else {
            self.room = self.room.saturating_sub(bytes);
            rows.push(object);
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Objects {
        self.objects
    }
}

impl ReadTx<'_> {
    /// The objects with these ids that the caller may see, in the order of `ids`, up to `bytes`.
    pub fn objects(
        &mut self,
        scope: &Scope,
        ids: &[ObjectId],
        bytes: usize,
    ) -> Result<Objects, Error> {
        let mut wanted = ids;
        loop {
            let mut objects = self.read_any(scope, wanted, bytes)?;
            if objects.unread.is_empty() {
                sort(&mut objects.rows, wanted);
                objects.unread = ids.get(wanted.len()..).unwrap_or_default().to_vec();
                return Ok(objects);
            }
            // The engine returned them in its own order; the first ids, as many as fitted, may fit,
            // too.
            wanted = ids.get(..objects.rows.len()).unwrap_or_default();
        }
    }

    /// The objects that fit, in any order.
    fn read_any(
        &mut self,
        scope: &Scope,
        ids: &[ObjectId],
        bytes: usize,
    ) -> Result<Objects, Error> {
        let mut reading = ObjectReader::within(bytes);
        let mut hidden = Vec::new();
        let take = |row: &dyn Row| {
            if scope.sees(row.id(1)?) {
                return reading.take(row);
            }
            hidden.push(row.id(0)?);
            Ok(())
        };
        match ids {
            [] => {}
            [only] => self.each(SELECT_ONE, &[(*only).into()], take)?,
            _ => {
                let mut sorted: Vec<i64> = ids.iter().map(|id| id.get()).collect();
                sorted.sort_unstable();
                sorted.dedup();
                self.each(SELECT_SOME, &[Param::Ints(&sorted)], take)?;
            }
        }
        let Objects { rows, unread, .. } = reading.objects;
        Ok(Objects {
            rows,
            hidden,
            unread,
        })
    }
}

/// Sorts rows in the order of `ids`.
fn sort(rows: &mut [ObjectRow], ids: &[ObjectId]) {
    let mut places: Vec<(ObjectId, usize)> = ids.iter().copied().zip(0..).collect();
    places.sort_unstable();
    places.dedup_by_key(|(id, _)| *id);
    rows.sort_by_key(|row| {
        let known = places.binary_search_by_key(&row.public_id, |(id, _)| *id);
        known.ok().map(|at| places[at].1)
    });
}
