//! Reads the pending objects of a block of ids, and makes the edits of its grams.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_model::{ObjectId, TypeId};
use stockroom_search::{BLOCK, Gram, gram};

use super::SELECT_NEWEST;
use super::batch::{ChangedGrams, Edit, SearchBatch, edit};
use super::pending::{block_of, grams};
use crate::Error;
use crate::engine::driver::Param;
use crate::records::catalog::TypeEntry;
use crate::records::object::ObjectRow;
use crate::resource::Resource;
use crate::transaction::ReadTx;

/// Pending rows of one batch, bytes of their documents, and of the grams that came or went. A batch
/// of a whole new block writes each of its grams once.
const MAX_ROWS: i64 = if cfg!(test) { 20 } else { BLOCK };
/// The same on a full disk, where the pages of a batch need room in the log, too.
const FEW_ROWS: i64 = 128;
const MAX_BYTES: usize = 32 * 1_024 * 1_024;
const MAX_CHANGED_BYTES: usize = if cfg!(test) { 256 } else { 8 * 1_024 * 1_024 };

const SELECT_COUNT: &str =
    "SELECT COUNT(*) FROM (SELECT 1 FROM search_pending LIMIT ?1) AS pending";
const SELECT_BYTES: &str = "SELECT COALESCE(SUM(OCTET_LENGTH(doc)), 0) FROM object WHERE public_id IN (SELECT value FROM rarray(?1))";
const SELECT_FIRST: &str = "SELECT MIN(object_id) FROM search_pending";
const SELECT_LAST: &str = "SELECT MAX(object_id) FROM search_pending";
const SELECT_PENDING: &str = "SELECT object_id, revision, changed FROM search_pending \
     WHERE object_id >= ?1 AND object_id < ?2 ORDER BY object_id, revision LIMIT ?3";

/// Pending objects of a block, as one transaction showed them.
pub struct PendingBlock {
    first_id: i64,
    /// The version of the block; `None` if no grams of it are stored.
    version: Option<i64>,
    /// The version of the types.
    types_version: i64,
    types: HashMap<TypeId, Arc<TypeEntry>>,
    pending: BTreeMap<ObjectId, Pending>,
    rows: HashMap<ObjectId, ObjectRow>,
}

/// The pending rows of an object.
#[derive(Default)]
struct Pending {
    revision: i64,
    /// The encoded grams that came or went in each revision; `None` for all of the document.
    changed: Vec<Option<Vec<u8>>>,
}

impl PendingBlock {
    /// Makes the edits of the block. This takes long, and needs no transaction.
    #[must_use]
    pub fn into_batch(self) -> SearchBatch {
        let (mut edits, mut done) = (Vec::new(), Vec::with_capacity(self.pending.len()));
        for (id, pending) in &self.pending {
            self.add_edits(*id, pending, &mut edits);
            done.push((*id, pending.revision));
        }
        edits.sort_unstable();
        SearchBatch {
            first_id: self.first_id,
            version: self.version,
            types: self.types_version,
            edits,
            applied: 0,
            grams: ChangedGrams::default(),
            done,
            is_stale: false,
        }
    }

    fn add_edits(&self, id: ObjectId, pending: &Pending, edits: &mut Vec<Edit>) {
        let (_, offset) = block_of(id);
        let current = self.rows.get(&id).map_or_else(Vec::new, |row| {
            let entry = self.types.get(&row.type_id);
            let definition = entry.map(|entry| &entry.record);
            grams(definition, row.type_id, &row.document)
        });
        let mut is_whole = false;
        for changed in &pending.changed {
            match changed.as_deref().map(gram::decode) {
                Some(Ok(changed)) => edits.extend(changed.into_iter().map(|gram: Gram| {
                    let is_set = current.binary_search(&gram).is_ok();
                    edit(gram, offset, is_set)
                })),
                Some(Err(_)) | None => is_whole = true,
            }
        }
        if is_whole {
            edits.extend(current.iter().map(|gram| edit(*gram, offset, true)));
        }
    }
}

impl ReadTx<'_> {
    /// How many rows are pending, up to `limit`.
    pub fn count_search_pending(&mut self, limit: i64) -> Result<i64, Error> {
        let count = self.first(SELECT_COUNT, &[limit.into()], |row| row.int(0))?;
        Ok(count.unwrap_or(0))
    }

    /// The bytes of the documents of pending objects: of the newest ones, at most `limit`.
    pub fn search_pending_bytes(&mut self, limit: i64) -> Result<i64, Error> {
        let ids = self.all(SELECT_NEWEST, &[limit.into()], |row| row.int(0))?;
        let bytes = self.first(SELECT_BYTES, &[Param::Ints(&ids)], |row| row.int(0))?;
        Ok(bytes.unwrap_or(0))
    }

    /// The pending object with the highest id.
    pub fn last_search_pending(&mut self) -> Result<Option<ObjectId>, Error> {
        let last = self.first(SELECT_LAST, &[], |row| row.opt_int(0))?;
        Ok(last.flatten().and_then(ObjectId::new))
    }

    /// The next pending objects of one block; `None` if nothing is pending, or only objects of the
    /// block of `growing` and of later ones. On a full disk they are few.
    pub fn pending_search_block(
        &mut self,
        growing: Option<ObjectId>,
        is_disk_full: bool,
    ) -> Result<Option<PendingBlock>, Error> {
        let first = self.first(SELECT_FIRST, &[], |row| row.opt_int(0))?;
        let Some(first) = first.flatten().and_then(ObjectId::new) else {
            return Ok(None);
        };
        let (first_id, _) = block_of(first);
        if growing.is_some_and(|growing| block_of(growing).0 <= first_id) {
            return Ok(None);
        }
        // First: if another node changes the block from here on, the batch is refused.
        let version = self.search_block_version(first_id)?;
        let most = if is_disk_full { FEW_ROWS } else { MAX_ROWS };
        let mut pending = self.pending_of_block(first_id, most)?;
        let ids: Vec<ObjectId> = pending.keys().copied().collect();
        let objects = self.objects(&Scope::for_maintenance(), &ids, MAX_BYTES)?;
        for id in &objects.unread {
            pending.remove(id);
        }
        let catalog = self.catalog();
        let types = catalog.types();
        let types = types.map(|entry| (entry.record.public_id, Arc::clone(entry)));
        let rows = objects.rows.into_iter().map(|row| (row.public_id, row));
        Ok(Some(PendingBlock {
            first_id,
            version,
            types_version: catalog.versions.of(Resource::Type),
            types: types.collect(),
            pending,
            rows: rows.collect(),
        }))
    }

    /// The first pending rows of a block. Rows of an object beyond the limits are left for the next
    /// batch.
    fn pending_of_block(
        &mut self,
        first_id: i64,
        most: i64,
    ) -> Result<BTreeMap<ObjectId, Pending>, Error> {
        let end = first_id.saturating_add(BLOCK);
        let mut pending: BTreeMap<ObjectId, Pending> = BTreeMap::new();
        let (mut room, mut is_full) = (MAX_CHANGED_BYTES, false);
        let params = [first_id.into(), end.into(), most.into()];
        self.each(SELECT_PENDING, &params, |row| {
            let changed = row.opt_bytes(2)?;
            let bytes = changed.map_or(0, <[u8]>::len);
            is_full = is_full || (bytes > room && !pending.is_empty());
            if is_full {
                return Ok(());
            }
            room = room.saturating_sub(bytes);
            let of_object = pending.entry(row.id(0)?).or_default();
            of_object.revision = row.int(1)?;
            of_object.changed.push(changed.map(<[u8]>::to_vec));
            Ok(())
        })?;
        Ok(pending)
    }

    /// A batch that is made in one transaction.
    #[cfg(test)]
    pub(crate) fn search_batch(
        &mut self,
        growing: Option<ObjectId>,
    ) -> Result<Option<SearchBatch>, Error> {
        let block = self.pending_search_block(growing, false)?;
        let mut batch = block.map(PendingBlock::into_batch);
        if let Some(batch) = &mut batch {
            while let Some(request) = batch.next_grams() {
                let stored = self.stored_search_grams(&request)?;
                batch.edit(&request, stored)?;
            }
        }
        Ok(batch)
    }
}
