//! Writes the grams of pending objects, a block of ids at a time.
//!
//! A batch is made in steps, so that writes do not wait for its work, and applied in a write. Reads
//! and work alternate: while a read lasts, SQLite cannot empty its log. In between, other writes
//! only add pending rows, and another node may apply a batch of its own: the version of the block
//! tells.

use std::collections::HashMap;

use stockroom_model::ObjectId;
use stockroom_search::{Bits, Gram};

use super::candidates::bits;
use crate::Error;
use crate::engine::driver::{BatchStatement, Param};
use crate::resource::Resource;
use crate::transaction::{ReadTx, WriteTx};

/// Grams read, edited and written at a time: with their objects, up to 8 MB.
const MAX_GRAMS: usize = if cfg!(test) { 50 } else { 4_096 };

const SELECT_VERSION: &str = "SELECT version FROM search_block WHERE first_id = ?1";
const INSERT_BLOCK: &str = "INSERT INTO search_block (first_id, version) VALUES (?1, 1)";
const UPDATE_BLOCK: &str =
    "UPDATE search_block SET version = version + 1 WHERE first_id = ?1 AND version = ?2";
const SELECT_GRAMS: &str = "SELECT gram, objects FROM search_gram \
     WHERE first_id = ?1 AND gram IN (SELECT value FROM rarray(?2))";
const UPSERT_GRAMS: BatchStatement<'_> = BatchStatement {
    width: 3,
    one: "INSERT INTO search_gram (gram, objects, first_id) VALUES (?1, ?2, ?3) ON CONFLICT (first_id, gram) DO UPDATE SET objects = excluded.objects",
    all: "INSERT INTO search_gram (gram, objects, first_id) \
          SELECT * FROM UNNEST(CAST(?1 AS BIGINT[]), CAST(?2 AS BYTEA[]), CAST(?3 AS BIGINT[])) \
          ON CONFLICT (first_id, gram) DO UPDATE SET objects = excluded.objects",
    // Selected together with the block, the rows are written on its shard.
    alike: Some(
        "INSERT INTO search_gram (gram, objects, first_id) SELECT new.gram, new.objects, search_block.first_id \
         FROM search_block CROSS JOIN UNNEST(CAST(?1 AS BIGINT[]), CAST(?2 AS BYTEA[])) AS new (gram, objects) \
         WHERE search_block.first_id = ?3 ON CONFLICT (first_id, gram) DO UPDATE SET objects = excluded.objects",
    ),
    copy: None,
};
const DELETE_GRAMS: &str =
    "DELETE FROM search_gram WHERE first_id = ?1 AND gram IN (SELECT value FROM rarray(?2))";
// The number of pending rows varies more than the statistics of PostgreSQL follow. Joined with a
// table that seems to be empty, a batch takes quadratic time, so its revisions are looked up in
// arrays, by ascending ids.
const DELETE_PENDING: BatchStatement<'_> = BatchStatement {
    width: 2,
    one: "DELETE FROM search_pending WHERE object_id = ?1 AND revision <= ?2",
    all: "DELETE FROM search_pending WHERE object_id = ANY (CAST(?1 AS BIGINT[])) \
          AND revision <= (CAST(?2 AS BIGINT[]))[WIDTH_BUCKET(object_id, CAST(?1 AS BIGINT[]))]",
    alike: None,
    copy: None,
};

/// The grams of a block after the changes of pending objects.
pub struct SearchBatch {
    pub(super) first_id: i64,
    /// The version of the block that it is made for; `None` if there was no block.
    pub(super) version: Option<i64>,
    /// The version of the types that it is made with.
    pub(super) types: i64,
    /// Ascending.
    pub(super) edits: Vec<Edit>,
    /// How many of the edits are applied to the grams.
    pub(super) applied: usize,
    pub(super) grams: ChangedGrams,
    pub(super) done: Vec<Done>,
    /// Whether another node has changed the block meanwhile.
    pub(super) is_stale: bool,
}

/// The grams of a block that a batch changes.
#[derive(Default)]
pub(super) struct ChangedGrams {
    /// With their encoded objects.
    written: Vec<(Gram, Vec<u8>)>,
    /// Those that no object has any longer.
    empty: Vec<Gram>,
}

/// A pending object with its newest pending revision.
pub(super) type Done = (ObjectId, i64);

/// Sets or clears the bit of an object: gram, offset in the block and whether to set it, from the
/// highest bits to the lowest.
pub(super) type Edit = u64;

const OFFSET_BITS: u32 = 14;

/// The grams that a batch edits next.
pub struct GramRequest {
    first_id: i64,
    version: Option<i64>,
    grams: Vec<Gram>,
    /// How many edits they have.
    edits: usize,
}

/// Stored grams with their encoded objects.
pub type StoredGrams = HashMap<Gram, Vec<u8>>;

impl SearchBatch {
    /// The grams to edit next; `None` if the batch can be applied.
    #[must_use]
    pub fn next_grams(&self) -> Option<GramRequest> {
        let left = self.edits.get(self.applied..).unwrap_or_default();
        let (mut grams, mut edits) = (Vec::new(), 0);
        for of_gram in by_gram(left).take(MAX_GRAMS) {
            grams.extend(of_gram.first().map(|edit| gram_of(*edit)));
            edits += of_gram.len();
        }
        (edits > 0 && !self.is_stale).then_some(GramRequest {
            first_id: self.first_id,
            version: self.version,
            grams,
            edits,
        })
    }

    /// Edits the requested grams. `stored` is what was found of them, by
    /// [`ReadTx::stored_search_grams`].
    ///
    /// # Errors
    ///
    /// The stored grams are damaged.
    pub fn edit(
        &mut self,
        request: &GramRequest,
        stored: Option<StoredGrams>,
    ) -> Result<(), Error> {
        let Some(mut stored) = stored else {
            self.is_stale = true;
            return Ok(());
        };
        let end = self.applied + request.edits;
        let edits = self.edits.get(self.applied..end).unwrap_or_default();
        for of_gram in by_gram(edits) {
            let gram = of_gram.first().map_or(0, |edit| gram_of(*edit));
            let before = stored.remove(&gram);
            let before = before.map_or_else(|| Ok(Bits::none()), |bytes| bits(&bytes))?;
            self.grams.note(gram, &before, of_gram);
        }
        self.applied = end;
        Ok(())
    }

    fn is_complete(&self) -> bool {
        self.applied == self.edits.len() && !self.is_stale
    }
}

impl ChangedGrams {
    /// Applies edits to the objects of a gram.
    fn note(&mut self, gram: Gram, before: &Bits, edits: &[Edit]) {
        let mut after = before.clone();
        for edit in edits {
            apply(*edit, &mut after);
        }
        if after == *before {
            return;
        }
        if after.is_empty() {
            self.empty.push(gram);
        } else {
            self.written.push((gram, after.encode()));
        }
    }
}

impl ReadTx<'_> {
    /// What is stored of the grams that a batch edits next; `None` if another node has changed
    /// their block since the batch was begun.
    pub fn stored_search_grams(
        &mut self,
        request: &GramRequest,
    ) -> Result<Option<StoredGrams>, Error> {
        let first_id = request.first_id;
        let mut stored = StoredGrams::new();
        if self.search_block_version(first_id)? != request.version {
            return Ok(None);
        }
        if request.version.is_some() {
            let params = [first_id.into(), Param::Ints(&request.grams)];
            self.each(SELECT_GRAMS, &params, |row| {
                stored.insert(row.int(0)?, row.bytes(1)?.to_vec());
                Ok(())
            })?;
        }
        Ok(Some(stored))
    }

    /// How often the grams of a block were changed; `None` if there are none.
    pub(super) fn search_block_version(&mut self, first_id: i64) -> Result<Option<i64>, Error> {
        self.first(SELECT_VERSION, &[first_id.into()], |row| row.int(0))
    }
}

impl WriteTx<'_> {
    /// Applies a batch. Returns false, and changes nothing, if it was made for an older state.
    pub fn apply_search_batch(&mut self, batch: &SearchBatch) -> Result<bool, Error> {
        if !batch.is_complete() || self.catalog().versions.of(Resource::Type) != batch.types {
            return Ok(false);
        }
        let first_id = batch.first_id;
        let changed = match batch.version {
            Some(version) => self.run(UPDATE_BLOCK, &[first_id.into(), version.into()])?,
            None if self.search_block_version(first_id)?.is_some() => 0,
            None => self.run(INSERT_BLOCK, &[first_id.into()])?,
        };
        if changed == 0 {
            return Ok(false);
        }
        self.write_grams(first_id, &batch.grams)?;
        let done = batch.done.iter();
        let params: Vec<Param<'_>> = done
            .flat_map(|(id, revision)| [(*id).into(), (*revision).into()])
            .collect();
        self.run_many(&DELETE_PENDING, &params)?;
        Ok(true)
    }

    fn write_grams(&mut self, first_id: i64, grams: &ChangedGrams) -> Result<(), Error> {
        for written in grams.written.chunks(MAX_GRAMS) {
            let params: Vec<Param<'_>> = written
                .iter()
                .flat_map(|(gram, bits)| [(*gram).into(), bits.as_slice().into(), first_id.into()])
                .collect();
            self.run_many(&UPSERT_GRAMS, &params)?;
        }
        for empty in grams.empty.chunks(MAX_GRAMS) {
            self.run(DELETE_GRAMS, &[first_id.into(), Param::Ints(empty)])?;
        }
        Ok(())
    }
}

pub(super) fn edit(gram: Gram, offset: usize, is_set: bool) -> Edit {
    gram.cast_unsigned() << (OFFSET_BITS + 1) | (offset as u64) << 1 | u64::from(is_set)
}

fn gram_of(edit: Edit) -> Gram {
    (edit >> (OFFSET_BITS + 1)).cast_signed()
}

fn by_gram(edits: &[Edit]) -> impl Iterator<Item = &[Edit]> {
    edits.chunk_by(|left, right| gram_of(*left) == gram_of(*right))
}

fn apply(edit: Edit, bits: &mut Bits) {
    let offset = usize::try_from(edit >> 1 & ((1 << OFFSET_BITS) - 1)).unwrap_or(usize::MAX);
    if edit & 1 == 1 {
        bits.insert(offset);
    } else {
        bits.remove(offset);
    }
}
