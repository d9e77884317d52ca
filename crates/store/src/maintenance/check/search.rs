//! The index of the search, compared with what the documents give, block by block.
//!
//! A search reads the documents of its candidates, so that an object may have grams of an earlier
//! document. It must have all of its own, and be of no type but its own.

use std::collections::HashMap;

use stockroom_model::{ObjectId, Type, TypeId};
use stockroom_search::{BLOCK, Bits, Gram, gram};

use super::Checker;
use super::report::Kind;
use crate::Error;
use crate::records::search::pending::{block_of, grams};
use crate::records::stored::stored;

const SELECT_TYPES: &str = "SELECT revision, doc FROM type";
const SELECT_BLOCKS: &str =
    "SELECT first_id FROM search_block UNION SELECT first_id FROM search_gram ORDER BY first_id";
const SELECT_NEXT_OBJECT: &str = "SELECT MIN(public_id) FROM object WHERE public_id >= ?1";
const SELECT_OBJECTS: &str = "SELECT public_id, type_id, doc FROM object WHERE public_id >= ?1 AND public_id < ?2 ORDER BY public_id";
const SELECT_PENDING: &str =
    "SELECT object_id, changed FROM search_pending WHERE object_id >= ?1 AND object_id < ?2";
const SELECT_VERSION: &str = "SELECT version FROM search_block WHERE first_id = ?1";
const SELECT_GRAMS: &str =
    "SELECT gram, objects FROM search_gram WHERE first_id = ?1 ORDER BY gram";
const DELETE_GRAMS: &str = "DELETE FROM search_gram WHERE first_id = ?1";
const DELETE_PENDING: &str = "DELETE FROM search_pending WHERE object_id >= ?1 AND object_id < ?2";
const INSERT_PENDING: &str = "INSERT INTO search_pending (object_id, revision, changed) SELECT public_id, 0, NULL FROM object \
     WHERE public_id >= ?1 AND public_id < ?2";

/// A block of ids.
struct Block {
    first: i64,
    end: i64,
    /// Its objects, without those that are pending.
    known: Bits,
    pending: Bits,
    /// The grams of its objects with their offsets, sorted.
    expected: Vec<(Gram, u16)>,
    wrong: Bits,
    is_damaged: bool,
}

impl Checker<'_> {
    pub(super) fn check_search(&mut self) -> Result<(), Error> {
        let types = self.known_types()?;
        let mut stored = Vec::new();
        self.driver.query(SELECT_BLOCKS, &[], &mut |row| {
            stored.push(row.int(0)?);
            Ok(())
        })?;
        let mut stored = stored.into_iter().peekable();
        let mut next = i64::MIN;
        loop {
            let of_objects = self.next_object(next)?.map(|id| block_of(id).0);
            let first = match (stored.peek().copied(), of_objects) {
                (None, None) => return Ok(()),
                (Some(first), None) | (None, Some(first)) => first,
                (Some(stored), Some(of_objects)) => stored.min(of_objects),
            };
            stored.next_if_eq(&first);
            self.check_search_block(first, &types)?;
            next = first.saturating_add(BLOCK);
        }
    }

    fn known_types(&mut self) -> Result<HashMap<TypeId, Type>, Error> {
        let mut types = HashMap::new();
        self.driver.query(SELECT_TYPES, &[], &mut |row| {
            // A type that cannot be read is reported with the records.
            if let Ok(known) = stored::<Type>(row, 0) {
                types.insert(known.record.public_id, known.record);
            }
            Ok(())
        })?;
        Ok(types)
    }

    fn next_object(&mut self, from: i64) -> Result<Option<ObjectId>, Error> {
        let mut next = None;
        self.driver
            .query(SELECT_NEXT_OBJECT, &[from.into()], &mut |row| {
                next = row.opt_int(0)?.and_then(ObjectId::new);
                Ok(())
            })?;
        Ok(next)
    }

    fn check_search_block(
        &mut self,
        first: i64,
        types: &HashMap<TypeId, Type>,
    ) -> Result<(), Error> {
        let mut block = Block::new(first);
        self.read_search_pending(&mut block)?;
        self.read_search_objects(&mut block, types)?;
        self.compare_search_grams(&mut block)?;
        block.wrong.subtract(&block.pending);
        for offset in block.wrong.ascending() {
            let id = first + i64::try_from(offset).unwrap_or(0);
            let line = format!("object {id}: the search does not know its document");
            self.report.add(Kind::Search, line);
        }
        if block.is_damaged {
            let line = format!("objects from {first} on: the rows of the search are damaged");
            self.report.add(Kind::Search, line);
        }
        if self.repairs() && (block.is_damaged || !block.wrong.is_empty()) {
            let range = [block.first.into(), block.end.into()];
            self.driver.execute(DELETE_GRAMS, &[first.into()])?;
            self.driver.execute(DELETE_PENDING, &range)?;
            self.driver.execute(INSERT_PENDING, &range)?;
        }
        Ok(())
    }

    fn read_search_pending(&mut self, block: &mut Block) -> Result<(), Error> {
        let range = [block.first.into(), block.end.into()];
        self.driver.query(SELECT_PENDING, &range, &mut |row| {
            block.pending.insert(block.offset(row.int(0)?));
            let changed = row.opt_bytes(1)?;
            block.is_damaged |= changed.is_some_and(|bytes| gram::decode(bytes).is_err());
            Ok(())
        })
    }

    fn read_search_objects(
        &mut self,
        block: &mut Block,
        types: &HashMap<TypeId, Type>,
    ) -> Result<(), Error> {
        let range = [block.first.into(), block.end.into()];
        self.driver.query(SELECT_OBJECTS, &range, &mut |row| {
            let offset = block.offset(row.int(0)?);
            if block.pending.contains(offset) {
                return Ok(());
            }
            let type_id: TypeId = row.id(1)?;
            let grams = grams(types.get(&type_id), type_id, row.text(2)?);
            block.known.insert(offset);
            let offset = u16::try_from(offset).unwrap_or(u16::MAX);
            let pairs = grams.into_iter().map(|gram| (gram, offset));
            block.expected.extend(pairs);
            Ok(())
        })?;
        block.expected.sort_unstable();
        Ok(())
    }

    fn compare_search_grams(&mut self, block: &mut Block) -> Result<(), Error> {
        let mut is_there = false;
        self.driver
            .query(SELECT_VERSION, &[block.first.into()], &mut |_| {
                is_there = true;
                Ok(())
            })?;
        let expected = std::mem::take(&mut block.expected);
        let mut expected = expected
            .chunk_by(|left, right| left.0 == right.0)
            .peekable();
        self.driver
            .query(SELECT_GRAMS, &[block.first.into()], &mut |row| {
                block.is_damaged |= !is_there;
                let gram = row.int(0)?;
                while let Some(missing) = expected.next_if(|group| group[0].0 < gram) {
                    block.expect(missing, &Bits::none());
                }
                let Ok(mut found) = Bits::decode(row.bytes(1)?) else {
                    block.is_damaged = true;
                    return Ok(());
                };
                if let Some(group) = expected.next_if(|group| group[0].0 == gram) {
                    block.expect(group, &found);
                    for (_, offset) in group {
                        found.remove(usize::from(*offset));
                    }
                }
                if gram::is_of_type(gram) {
                    found.intersect(&block.known);
                    block.wrong.unite(&found);
                }
                Ok(())
            })?;
        for missing in expected {
            block.expect(missing, &Bits::none());
        }
        Ok(())
    }
}

impl Block {
    fn new(first: i64) -> Self {
        Self {
            first,
            end: first.saturating_add(BLOCK),
            known: Bits::none(),
            pending: Bits::none(),
            expected: Vec::new(),
            wrong: Bits::none(),
            is_damaged: false,
        }
    }

    fn offset(&self, id: i64) -> usize {
        usize::try_from(id - self.first).unwrap_or(usize::MAX)
    }

    /// Notes the objects that lack a gram.
    fn expect(&mut self, group: &[(Gram, u16)], found: &Bits) {
        for (_, offset) in group {
            let offset = usize::from(*offset);
            if !found.contains(offset) {
                self.wrong.insert(offset);
            }
        }
    }
}
