//! Reading documents, of which a few can fill the memory that many usually take.

use stockroom_access::Scope;
use stockroom_model::{ObjectId, TypeId};

use super::{ObjectRow, SELECT_CHUNK, SELECT_ONE, SELECT_SOME, object_row};
use crate::Error;
use crate::driver::{Param, Row};
use crate::transaction::ReadTx;

/// So many bytes of documents are read at once, or a single document that has more.
pub const READ_BYTES: usize = 2 * 1024 * 1024;

/// Objects, as far as there was room for their documents.
#[derive(Debug, Default)]
pub struct Objects {
    /// The first of those that were asked for and that the caller may see, in order.
    pub rows: Vec<ObjectRow>,
    /// The ids of hidden ones among those that were looked at.
    pub hidden: Vec<ObjectId>,
    /// The ids of those that come after them, in order.
    pub unread: Vec<ObjectId>,
}

impl Objects {
    /// Objects that are still to be read.
    pub(super) fn unread(ids: Vec<ObjectId>) -> Self {
        Self {
            unread: ids,
            ..Self::default()
        }
    }
}

/// Objects that are being read.
pub(super) struct Reading {
    objects: Objects,
    /// For so many more bytes there is room.
    room: usize,
}

impl Reading {
    pub(super) fn within(bytes: usize) -> Self {
        Self {
            objects: Objects::default(),
            room: bytes,
        }
    }

    /// Takes a row, or its id where there is no more room.
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
    /// The objects of those ids that the caller may see, in the order of `ids`, up to so many
    /// bytes.
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
            // The engine gives them in an order of its own: for so many there may be room.
            wanted = ids.get(..objects.rows.len()).unwrap_or_default();
        }
    }

    /// Those for which there is room, in any order.
    fn read_any(
        &mut self,
        scope: &Scope,
        ids: &[ObjectId],
        bytes: usize,
    ) -> Result<Objects, Error> {
        let mut reading = Reading::within(bytes);
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

    /// Objects of a type in the order of their ids, from after `after` on: some, if there are any,
    /// and no more than `limit`.
    pub fn objects_of_type(
        &mut self,
        scope: &Scope,
        type_id: TypeId,
        after: Option<ObjectId>,
        limit: i64,
    ) -> Result<Vec<ObjectRow>, Error> {
        if !scope.sees(type_id) {
            return Ok(Vec::new());
        }
        let after = after.map_or(0, ObjectId::get);
        let params = [type_id.into(), after.into(), limit.into()];
        let mut reading = Reading::within(READ_BYTES);
        self.each(SELECT_CHUNK, &params, |row| reading.take(row))?;
        Ok(reading.objects.rows)
    }
}

/// Puts rows in the order of `ids`.
fn sort(rows: &mut [ObjectRow], ids: &[ObjectId]) {
    let mut places: Vec<(ObjectId, usize)> = ids.iter().copied().zip(0..).collect();
    places.sort_unstable();
    places.dedup_by_key(|(id, _)| *id);
    rows.sort_by_key(|row| {
        let known = places.binary_search_by_key(&row.public_id, |(id, _)| *id);
        known.ok().map(|at| places[at].1)
    });
}
