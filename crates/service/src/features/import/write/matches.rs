//! The objects that rows change: those with their keys, and those of their records.

use std::collections::{BTreeSet, HashMap, HashSet};

use stockroom_model::ObjectId;
use stockroom_store::{ObjectBatches, ObjectRow, ReadTx, WriteTx};

use crate::Error;
use crate::core::access::Access;
use crate::core::changed_at_once::MOST_CHANGED;
use crate::features::import::plan::Target;
use crate::features::import::prepare::PreparedRow;
use crate::features::import::prepare::lookup::{by_field, each_with, key_text, stored_as};
use crate::features::import::sync::ChunkLinks;
use crate::features::import::write::chunk::ChunkWrite;

/// What the objects may hold among which those of a single row are, in bytes.
const MAX_BYTES_OF_ROW: usize = 64 * 1_024 * 1_024;

/// The first two objects that have a key: of more than one, none is changed.
pub(in crate::features::import) type KeyMatches = HashMap<Vec<String>, Vec<ObjectRow>>;

/// The objects that the first rows of a chunk change.
pub(in crate::features::import) struct Stored {
    /// How many rows.
    pub(in crate::features::import) rows: usize,
    pub(in crate::features::import) matches: KeyMatches,
    /// `None` if the import has no source that tracks its records.
    pub(in crate::features::import) links: Option<ChunkLinks>,
    /// The keys of objects that rows of the chunk have made of records of a source.
    pub(in crate::features::import) new_keys: HashSet<Vec<String>>,
}

impl Stored {
    /// Reads the objects of all rows, or of fewer if they are too large for one transaction.
    pub(in crate::features::import) fn read(
        tx: &mut WriteTx<'_>,
        write: &ChunkWrite,
        access: &Access,
        rows: &[PreparedRow],
    ) -> Result<Self, Error> {
        let mut count = rows.len();
        loop {
            let some = rows.get(..count).unwrap_or_default();
            let is_single = count <= 1;
            let mut room = Room::new(if is_single {
                MAX_BYTES_OF_ROW
            } else {
                MOST_CHANGED
            });
            let matches = find(tx, access, write, some, &mut room)?;
            let found = matches.values().flatten();
            let links = ChunkLinks::read(tx, write, (access, some), found, &mut room)?;
            if !room.is_exceeded() {
                return Ok(Self {
                    rows: count,
                    matches,
                    links,
                    new_keys: HashSet::new(),
                });
            }
            if is_single {
                let detail = format!(
                    "the objects that have a value of a row hold more than {MAX_BYTES_OF_ROW} bytes; name a field that tells them apart"
                );
                return Err(Error::invalid("/key", detail));
            }
            count = count.div_ceil(2);
        }
    }
}

/// The bytes that are left for objects; the first one may be larger.
pub(in crate::features::import) struct Room {
    left: usize,
    is_begun: bool,
    is_exceeded: bool,
}

impl Room {
    pub(in crate::features::import) const fn new(bytes: usize) -> Self {
        Self {
            left: bytes,
            is_begun: false,
            is_exceeded: false,
        }
    }

    /// Takes the bytes of an object. Returns false if there are not that many; then no more objects
    /// are read.
    pub(in crate::features::import) fn take(&mut self, row: &ObjectRow) -> bool {
        self.is_exceeded |= self.is_begun && row.bytes() > self.left;
        self.is_begun = true;
        self.left = self.left.saturating_sub(row.bytes());
        !self.is_exceeded
    }

    pub(in crate::features::import) const fn is_exceeded(&self) -> bool {
        self.is_exceeded
    }
}

/// The objects with the keys of the rows of an import.
fn find(
    tx: &mut WriteTx<'_>,
    access: &Access,
    write: &ChunkWrite,
    rows: &[PreparedRow],
    room: &mut Room,
) -> Result<KeyMatches, Error> {
    let plan = &write.context.plan;
    let by_id = |target: &Target| matches!(target, Target::PublicId);
    if plan.key_mappings().any(|mapping| by_id(&mapping.target)) {
        return find_by_id(tx, access, rows, room);
    }
    let mut found = KeyMatches::new();
    let names: Vec<&str> = plan
        .key_mappings()
        .filter_map(|mapping| match &mapping.target {
            Target::Field { name, .. } => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let Some((field, values)) = most_selective(rows, &names) else {
        return Ok(found);
    };
    tx.lock_imports_of(plan.type_id, write.import)?;
    tx.show_writes_with(plan.type_id, field, stored_as(&values).iter())?;
    let wanted: BTreeSet<&[String]> = rows.iter().map(|row| &*row.key).collect();
    let by = by_field(plan.type_id, field);
    each_with(tx, &access.scope, &by, &values, |row| {
        let goes_on = room.take(&row);
        let object = row.object()?;
        let key = |name: &&str| object.value(name).and_then(key_text).unwrap_or_default();
        let key: Vec<String> = names.iter().map(key).collect();
        if wanted.contains(&*key) {
            let found = found.entry(key).or_default();
            if found.len() < 2 {
                found.push(row);
            }
        }
        Ok(goes_on)
    })?;
    Ok(found)
}

/// The field of the key that tells the rows apart best, and its values.
fn most_selective<'n>(
    rows: &[PreparedRow],
    names: &[&'n str],
) -> Option<(&'n str, BTreeSet<String>)> {
    let values = |(index, name): (usize, &&'n str)| {
        let values = rows.iter().filter_map(|row| row.key.get(index).cloned());
        (*name, values.collect::<BTreeSet<String>>())
    };
    let candidates = names.iter().enumerate().map(values);
    candidates.max_by_key(|(_, values)| values.len())
}

fn find_by_id(
    tx: &mut WriteTx<'_>,
    access: &Access,
    rows: &[PreparedRow],
    room: &mut Room,
) -> Result<KeyMatches, Error> {
    let ids: BTreeSet<ObjectId> = rows.iter().filter_map(|row| row.public_id).collect();
    let found = objects(tx, access, ids.into_iter().collect(), room)?;
    let with_key = |row: ObjectRow| (vec![row.public_id.to_string()], vec![row]);
    Ok(found.into_iter().map(with_key).collect())
}

/// The visible ones of these objects, as far as there is room.
pub(in crate::features::import) fn objects(
    tx: &mut ReadTx<'_>,
    access: &Access,
    ids: Vec<ObjectId>,
    room: &mut Room,
) -> Result<Vec<ObjectRow>, Error> {
    let mut objects = Vec::new();
    let mut batches = ObjectBatches::new(ids);
    while let Some(found) = batches.next(tx, &access.scope)? {
        for row in found.rows {
            if !room.take(&row) {
                return Ok(objects);
            }
            objects.push(row);
        }
    }
    Ok(objects)
}
