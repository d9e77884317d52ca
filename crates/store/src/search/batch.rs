//! Writes the grams of pending objects, a block of ids at a time.
//!
//! A batch is made in a read, so that writes do not wait for its work, and applied in a write. In
//! between, other writes only add pending rows, and another node may apply a batch of its own: the
//! version of the block tells.

use std::collections::{BTreeMap, HashMap};

use stockroom_access::Scope;
use stockroom_model::ObjectId;
use stockroom_search::{BLOCK, Bits, Gram, gram};

use super::candidates::bits;
use super::pending::{block_of, grams};
use crate::Error;
use crate::driver::{BatchStatement, Param};
use crate::object::ObjectRow;
use crate::resource::Resource;
use crate::runtime::pauses::give_way;
use crate::transaction::{ReadTx, WriteTx};

/// Pending rows of one batch, and bytes of their documents. A batch of a whole new block writes each
/// of its grams once.
const MAX_ROWS: i64 = if cfg!(test) { 20 } else { BLOCK };
const MAX_BYTES: usize = 32 * 1_024 * 1_024;
/// Grams read and written at a time.
const MAX_GRAMS: usize = 4_096;

const SELECT_COUNT: &str =
    "SELECT COUNT(*) FROM (SELECT 1 FROM search_pending LIMIT ?1) AS pending";
const SELECT_FIRST: &str = "SELECT MIN(object_id) FROM search_pending";
const SELECT_LAST: &str = "SELECT MAX(object_id) FROM search_pending";
const SELECT_PENDING: &str = "SELECT object_id, revision, changed FROM search_pending \
     WHERE object_id >= ?1 AND object_id < ?2 ORDER BY object_id, revision LIMIT ?3";
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
const DELETE_PENDING: BatchStatement<'_> = BatchStatement {
    width: 2,
    one: "DELETE FROM search_pending WHERE object_id = ?1 AND revision <= ?2",
    all: "DELETE FROM search_pending USING UNNEST(CAST(?1 AS BIGINT[]), CAST(?2 AS BIGINT[])) AS done (object_id, revision) \
          WHERE search_pending.object_id = done.object_id AND search_pending.revision <= done.revision",
    alike: None,
    copy: None,
};

/// The grams of a block after the changes of pending objects.
pub struct SearchBatch {
    first_id: i64,
    /// The version of the block that it was made for; `None` if there was no block.
    version: Option<i64>,
    /// The version of the types that it was made with.
    types: i64,
    grams: ChangedGrams,
    done: Vec<Done>,
}

/// The grams of a block that a batch changes.
#[derive(Default)]
struct ChangedGrams {
    /// With their encoded objects.
    written: Vec<(Gram, Vec<u8>)>,
    /// Those that no object has any longer.
    empty: Vec<Gram>,
}

/// A pending object with its newest pending revision.
type Done = (ObjectId, i64);

/// Sets or clears the bit of an object: gram, offset in the block and whether to set it, from the
/// highest bits to the lowest.
type Edit = u64;

const OFFSET_BITS: u32 = 14;

/// The pending rows of an object.
#[derive(Default)]
struct Pending {
    revision: i64,
    changed: Vec<Gram>,
    is_whole: bool,
}

impl ReadTx<'_> {
    /// How many rows are pending, up to `limit`.
    pub fn count_search_pending(&mut self, limit: i64) -> Result<i64, Error> {
        let count = self.first(SELECT_COUNT, &[limit.into()], |row| row.int(0))?;
        Ok(count.unwrap_or(0))
    }

    /// The pending object with the highest id.
    pub fn last_search_pending(&mut self) -> Result<Option<ObjectId>, Error> {
        let last = self.first(SELECT_LAST, &[], |row| row.opt_int(0))?;
        Ok(last.flatten().and_then(ObjectId::new))
    }

    /// The next batch; `None` if nothing is pending, or only objects of the block of `growing` and
    /// of later ones.
    pub fn search_batch(
        &mut self,
        growing: Option<ObjectId>,
    ) -> Result<Option<SearchBatch>, Error> {
        let first = self.first(SELECT_FIRST, &[], |row| row.opt_int(0))?;
        let Some(first) = first.flatten().and_then(ObjectId::new) else {
            return Ok(None);
        };
        let (first_id, _) = block_of(first);
        if growing.is_some_and(|growing| block_of(growing).0 <= first_id) {
            return Ok(None);
        }
        let (edits, done) = self.edits_of_block(first_id)?;
        // Read before the grams: if another node changes them in between, the batch is refused.
        let version = self.first(SELECT_VERSION, &[first_id.into()], |row| row.int(0))?;
        Ok(Some(SearchBatch {
            first_id,
            version,
            types: self.catalog().versions.of(Resource::Type),
            grams: self.edit_grams(first_id, &edits, version.is_some())?,
            done,
        }))
    }

    /// The sorted edits by pending objects of a block, and these objects.
    fn edits_of_block(&mut self, first_id: i64) -> Result<(Vec<Edit>, Vec<Done>), Error> {
        let mut pending = self.pending_of_block(first_id)?;
        let ids: Vec<ObjectId> = pending.keys().copied().collect();
        let objects = self.objects(&Scope::for_maintenance(), &ids, MAX_BYTES)?;
        for id in &objects.unread {
            pending.remove(id);
        }
        let rows: HashMap<ObjectId, &ObjectRow> = objects
            .rows
            .iter()
            .map(|row| (row.public_id, row))
            .collect();
        let (mut edits, mut done) = (Vec::new(), Vec::with_capacity(pending.len()));
        for (id, pending) in pending {
            give_way();
            self.add_edits(id, rows.get(&id).copied(), &pending, &mut edits);
            done.push((id, pending.revision));
        }
        edits.sort_unstable();
        Ok((edits, done))
    }

    /// Applies sorted edits to the grams of a block, which may be there.
    fn edit_grams(
        &mut self,
        first_id: i64,
        edits: &[Edit],
        is_there: bool,
    ) -> Result<ChangedGrams, Error> {
        let by_gram: Vec<&[Edit]> = edits
            .chunk_by(|left, right| gram_of(*left) == gram_of(*right))
            .collect();
        let mut changed = ChangedGrams::default();
        for grams in by_gram.chunks(MAX_GRAMS) {
            let mut stored = if is_there {
                self.stored_grams(first_id, grams)?
            } else {
                HashMap::new()
            };
            for edits in grams {
                give_way();
                let gram = edits.first().map_or(0, |edit| gram_of(*edit));
                let before = stored.remove(&gram).unwrap_or_else(Bits::none);
                let mut after = before.clone();
                edits.iter().for_each(|edit| apply(*edit, &mut after));
                if after == before {
                    continue;
                }
                if after.is_empty() {
                    changed.empty.push(gram);
                } else {
                    changed.written.push((gram, after.encode()));
                }
            }
        }
        Ok(changed)
    }

    fn stored_grams(
        &mut self,
        first_id: i64,
        grams: &[&[Edit]],
    ) -> Result<HashMap<Gram, Bits>, Error> {
        let wanted = grams.iter().filter_map(|edits| edits.first());
        let wanted: Vec<Gram> = wanted.map(|edit| gram_of(*edit)).collect();
        let params = [first_id.into(), Param::Ints(&wanted)];
        let mut stored = HashMap::new();
        self.each(SELECT_GRAMS, &params, |row| {
            stored.insert(row.int(0)?, bits(row.bytes(1)?)?);
            Ok(())
        })?;
        Ok(stored)
    }

    fn pending_of_block(&mut self, first_id: i64) -> Result<BTreeMap<ObjectId, Pending>, Error> {
        let end = first_id.saturating_add(BLOCK);
        let mut pending: BTreeMap<ObjectId, Pending> = BTreeMap::new();
        let params = [first_id.into(), end.into(), MAX_ROWS.into()];
        self.each(SELECT_PENDING, &params, |row| {
            let of_object = pending.entry(row.id(0)?).or_default();
            of_object.revision = row.int(1)?;
            match row.opt_bytes(2)? {
                Some(bytes) => match gram::decode(bytes) {
                    Ok(changed) => of_object.changed.extend(changed),
                    Err(_) => of_object.is_whole = true,
                },
                None => of_object.is_whole = true,
            }
            Ok(())
        })?;
        Ok(pending)
    }

    fn add_edits(
        &self,
        id: ObjectId,
        row: Option<&ObjectRow>,
        pending: &Pending,
        edits: &mut Vec<Edit>,
    ) {
        let (_, offset) = block_of(id);
        let current = match row {
            Some(row) => {
                let entry = self.catalog().type_entry(row.type_id);
                let definition = entry.map(|entry| &entry.record);
                grams(definition, row.type_id, &row.document)
            }
            None => Vec::new(),
        };
        for gram in &pending.changed {
            edits.push(edit(*gram, offset, current.binary_search(gram).is_ok()));
        }
        if pending.is_whole {
            edits.extend(current.iter().map(|gram| edit(*gram, offset, true)));
        }
    }
}

fn edit(gram: Gram, offset: usize, is_set: bool) -> Edit {
    gram.cast_unsigned() << (OFFSET_BITS + 1) | (offset as u64) << 1 | u64::from(is_set)
}

fn gram_of(edit: Edit) -> Gram {
    (edit >> (OFFSET_BITS + 1)).cast_signed()
}

fn apply(edit: Edit, bits: &mut Bits) {
    let offset = usize::try_from(edit >> 1 & ((1 << OFFSET_BITS) - 1)).unwrap_or(usize::MAX);
    if edit & 1 == 1 {
        bits.insert(offset);
    } else {
        bits.remove(offset);
    }
}

impl WriteTx<'_> {
    /// Applies a batch. Returns false, and changes nothing, if it was made for an older state.
    pub fn apply_search_batch(&mut self, batch: &SearchBatch) -> Result<bool, Error> {
        if self.catalog().versions.of(Resource::Type) != batch.types {
            return Ok(false);
        }
        let first_id = batch.first_id;
        let changed = match batch.version {
            Some(version) => self.run(UPDATE_BLOCK, &[first_id.into(), version.into()])?,
            None if self.has_search_block(first_id)? => 0,
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

    fn has_search_block(&mut self, first_id: i64) -> Result<bool, Error> {
        let found = self.first(SELECT_VERSION, &[first_id.into()], |row| row.int(0))?;
        Ok(found.is_some())
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
