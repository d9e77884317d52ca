//! Reads documents within a byte limit, because a few can be as large as many usual ones.

pub(super) mod batches;

use std::collections::HashMap;

use stockroom_access::Scope;
use stockroom_model::ObjectId;

use super::{ObjectRow, SELECT_ONE, SELECT_SOME, object_row};
use crate::Error;
use crate::engine::driver::{Param, Row};
use crate::transaction::ReadTx;

pub(crate) use self::batches::MOST_AT_ONCE;
pub use self::batches::{ObjectBatches, ObjectsOfType};

const SELECT_SIZES: &str = "SELECT public_id, type_id, CAST(OCTET_LENGTH(doc) AS BIGINT) FROM rarray(?1) AS wanted CROSS JOIN object WHERE public_id = wanted.value";

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
        let mut objects = self.read_any(scope, ids, bytes)?;
        let mut wanted = ids;
        if !objects.unread.is_empty() {
            // The engine returned them in its own order.
            let sizes = self.sizes(scope, ids)?;
            wanted = ids.get(..fitting(ids, &sizes, bytes)).unwrap_or(ids);
            objects = self.read_any(scope, wanted, usize::MAX)?;
        }
        sort(&mut objects.rows, wanted);
        objects.unread = ids.get(wanted.len()..).unwrap_or_default().to_vec();
        Ok(objects)
    }

    /// The bytes of the documents of those of these objects that the caller may see.
    pub(crate) fn sizes(
        &mut self,
        scope: &Scope,
        ids: &[ObjectId],
    ) -> Result<HashMap<ObjectId, usize>, Error> {
        let mut sizes = HashMap::with_capacity(ids.len());
        self.each(SELECT_SIZES, &[Param::Ints(&sorted(ids))], |row| {
            if scope.sees(row.id(1)?) {
                let bytes = usize::try_from(row.int(2)?).unwrap_or(usize::MAX);
                sizes.insert(row.id(0)?, bytes);
            }
            Ok(())
        })?;
        Ok(sizes)
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
                self.each(SELECT_SOME, &[Param::Ints(&sorted(ids))], take)?;
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

/// How many of the first of these objects fit, but at least one.
fn fitting(ids: &[ObjectId], sizes: &HashMap<ObjectId, usize>, bytes: usize) -> usize {
    let mut room = bytes;
    let fits = |id: &&ObjectId| {
        let left = room.checked_sub(sizes.get(id).copied().unwrap_or_default());
        room = left.unwrap_or_default();
        left.is_some()
    };
    ids.iter().take_while(fits).count().max(1)
}

fn sorted(ids: &[ObjectId]) -> Vec<i64> {
    let mut numbers: Vec<i64> = ids.iter().map(|id| id.get()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Sorts rows in the order of `ids`.
fn sort(rows: &mut [ObjectRow], ids: &[ObjectId]) {
    let mut indices: Vec<(ObjectId, usize)> = ids.iter().copied().zip(0..).collect();
    indices.sort_unstable();
    indices.dedup_by_key(|(id, _)| *id);
    rows.sort_by_key(|row| {
        let known = indices.binary_search_by_key(&row.public_id, |(id, _)| *id);
        known.ok().map(|at| indices[at].1)
    });
}
