//! The catalog with the types as they were.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;
use stockroom_access::Acl;
use stockroom_model::{Timestamp, Type, TypeId};

use super::{Catalog, TypeEntry};
use crate::Error;
use crate::engine::driver::Param;
use crate::records::history::past::{Past, Present};
use crate::records::stored::Stored;
use crate::resource::Resource;
use crate::transaction::ReadTx;

const SELECT_CHANGED: &str = "SELECT DISTINCT record_id FROM change \
     WHERE record_id IN (SELECT value FROM rarray(?1)) AND resource = 'type' AND name = '' AND at > ?2";
const SELECT_SOME: &str =
    "SELECT public_id, revision, doc FROM type WHERE public_id IN (SELECT value FROM rarray(?1))";

/// The catalog with the types as they were at a time. Access lists, rights and users are those of
/// now.
#[derive(Debug, Clone)]
pub struct PastCatalog {
    /// The catalog.
    pub catalog: Arc<Catalog>,
    /// The types in it that do not exist now. Their access lists grant nothing.
    pub deleted: Vec<TypeId>,
}

impl ReadTx<'_> {
    /// The catalog with the types as they were at a time.
    pub fn catalog_as_of(&mut self, at: Timestamp) -> Result<PastCatalog, Error> {
        let now: Vec<i64> = self
            .catalog()
            .types()
            .map(|entry| entry.record.public_id.get())
            .collect();
        let mut known = now.clone();
        known.extend(self.deleted_ids(Resource::Type, 0, 0, i64::MAX)?);
        known.sort_unstable();
        known.dedup();
        let changed = self.all(SELECT_CHANGED, &[Param::Ints(&known), at.0.into()], |row| {
            row.int(0)
        })?;
        let mut types: BTreeMap<TypeId, Arc<TypeEntry>> = self
            .catalog()
            .types()
            .map(|entry| (entry.record.public_id, Arc::clone(entry)))
            .collect();
        for id in changed {
            self.turn_back(&mut types, id, at)?;
        }
        let deleted = types.keys().copied();
        let deleted = deleted.filter(|id| now.binary_search(&id.get()).is_err());
        Ok(PastCatalog {
            deleted: deleted.collect(),
            catalog: Arc::new(Catalog {
                types: Arc::new(types),
                ..self.catalog().clone()
            }),
        })
    }

    /// Replaces a type by what it was.
    fn turn_back(
        &mut self,
        types: &mut BTreeMap<TypeId, Arc<TypeEntry>>,
        id: i64,
        at: Timestamp,
    ) -> Result<(), Error> {
        let mut present = self.first(SELECT_SOME, &[Param::Ints(&[id])], |row| {
            Ok(Present {
                revision: stockroom_model::Revision(row.int(1)?),
                document: row.text(2)?.to_owned(),
            })
        })?;
        let pasts = self.pasts_of(Resource::Type, &[id], |_| present.take(), at.0, usize::MAX)?;
        let type_id = TypeId::new(id).ok_or_else(|| Error::Damaged(format!("a type {id}")))?;
        match pasts.of.into_values().next() {
            Some(Past::Document { document, revision }) => {
                let record: Type = serde_json::from_str(&document)?;
                let acl = match types.get(&type_id) {
                    Some(entry) => entry.acl.clone(),
                    None => Acl::from_value(&json!({ "activated": true })),
                };
                let layout = self.layout(type_id)?;
                let entry = TypeEntry::new(Stored { record, revision }, layout, &[]);
                types.insert(type_id, Arc::new(TypeEntry { acl, ..entry }));
            }
            Some(Past::Missing) => _ = types.remove(&type_id),
            // Only before the history began, which callers refuse.
            Some(Past::Unknown { .. }) | None => {}
        }
        Ok(())
    }
}
