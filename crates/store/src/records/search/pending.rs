//! Objects whose grams are still to be written.

use stockroom_model::{ObjectId, Type, TypeId};
use stockroom_search::{BLOCK, Document, Gram, gram};

use super::change::SearchChange;
use super::is_left_out;
use crate::Error;
use crate::records::object::ObjectRow;
use crate::transaction::WriteTx;

/// No change of an object has revision 0, so the row of a change stays.
const INSERT_OF_TYPE: &str = "INSERT INTO search_pending (object_id, revision, changed) SELECT public_id, 0, NULL FROM object \
     WHERE type_id = ?1 ON CONFLICT (object_id, revision) DO NOTHING";

impl WriteTx<'_> {
    /// Notes that the search must learn of a new object.
    pub(crate) fn record_search_insert(&mut self, row: &ObjectRow) {
        self.pending().record_search(SearchChange {
            object_id: row.public_id,
            revision: row.revision.0,
            changed: None,
        });
    }

    /// Notes that the search must learn of a new document.
    pub(crate) fn record_search_update(
        &mut self,
        stored: &ObjectRow,
        row: &ObjectRow,
    ) -> Result<(), Error> {
        let entry = self.type_entry(row.type_id)?;
        let definition = entry.as_ref().map(|entry| &entry.record);
        let before = grams(definition, stored.type_id, &stored.document);
        let after = grams(definition, row.type_id, &row.document);
        let changed = difference(&before, &after);
        if !changed.is_empty() {
            self.pending().record_search(SearchChange {
                object_id: row.public_id,
                revision: row.revision.0,
                changed: Some(gram::encode(&changed)),
            });
        }
        Ok(())
    }

    /// Notes that the search must forget an object.
    pub(crate) fn record_search_delete(&mut self, stored: &ObjectRow) -> Result<(), Error> {
        let entry = self.type_entry(stored.type_id)?;
        let definition = entry.as_ref().map(|entry| &entry.record);
        let before = grams(definition, stored.type_id, &stored.document);
        self.pending().record_search(SearchChange {
            object_id: stored.public_id,
            revision: stored.revision.next().0,
            changed: Some(gram::encode(&before)),
        });
        Ok(())
    }

    /// Notes all objects of a type whose searched fields change.
    pub(crate) fn record_search_type(&mut self, before: &Type, after: &Type) -> Result<(), Error> {
        let names = before.fields().iter().chain(after.fields());
        let mut names = names.map(|field| field.name.as_str());
        if names.any(|name| is_left_out(before, name) != is_left_out(after, name)) {
            self.run(INSERT_OF_TYPE, &[after.public_id.into()])?;
        }
        Ok(())
    }
}

/// The grams of an object in ascending order. A damaged document has none, so that it stops neither
/// searches nor the index of other objects; a check finds it.
pub(crate) fn grams(definition: Option<&Type>, type_id: TypeId, document: &str) -> Vec<Gram> {
    let left_out = |name: &str| definition.is_none_or(|known| is_left_out(known, name));
    let document = Document::read(document);
    let mut grams = document.map_or_else(|_| Vec::new(), |document| document.grams(left_out));
    // The grams of types are the highest.
    grams.push(gram::of_type(type_id.get()));
    grams
}

/// The block of an object, by its first id, and the offset in it.
pub(crate) fn block_of(id: ObjectId) -> (i64, usize) {
    let offset = id.get().rem_euclid(BLOCK);
    (id.get() - offset, usize::try_from(offset).unwrap_or(0))
}

/// What is in one of two ascending lists, but not in both, ascending.
pub(super) fn difference(left: &[Gram], right: &[Gram]) -> Vec<Gram> {
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    let mut only = Vec::new();
    loop {
        match (left.peek(), right.peek()) {
            (None, None) => return only,
            (Some(one), Some(other)) if one == other => {
                left.next();
                right.next();
            }
            (Some(one), other) if other.is_none_or(|other| one < other) => only.extend(left.next()),
            _ => only.extend(right.next()),
        }
    }
}
