//! The links between the rows of a chunk and their objects, if the import is bound to a source: rows
//! find their objects by them, and they are written in the transaction of the chunk.

pub(super) mod missing;
pub(super) mod source;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use stockroom_model::json::Value;
use stockroom_model::{ImportId, ObjectId, SourceId, Timestamp};
use stockroom_store::{ObjectRow, ReadTx, SourceLink, WriteTx};

use super::plan::ACTIVE;
use super::prepare::PreparedRow;
use super::prepare::keys::FileKeys;
use super::row_result::{RowProblem, RowResult};
use super::write::chunk::ChunkWrite;
use super::write::matches::{Room, objects};
use crate::Error;
use crate::core::access::Access;

/// The longest key of a record, in bytes.
pub(super) const MAX_KEY: usize = 1_024;

/// A link as results store it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredLink {
    #[serde(rename = "o")]
    object: ObjectId,
    #[serde(rename = "k")]
    key: String,
    #[serde(rename = "i")]
    import: i64,
    #[serde(rename = "s")]
    last_seen_at: i64,
    #[serde(rename = "m", default, skip_serializing_if = "Option::is_none")]
    missing_since: Option<i64>,
    #[serde(rename = "d", default, skip_serializing_if = "std::ops::Not::not")]
    is_deactivated: bool,
}

impl From<&SourceLink> for StoredLink {
    fn from(link: &SourceLink) -> Self {
        Self {
            object: link.object,
            key: link.key.clone(),
            import: link.import,
            last_seen_at: link.last_seen_at.0,
            missing_since: link.missing_since.map(|time| time.0),
            is_deactivated: link.is_deactivated,
        }
    }
}

impl From<&StoredLink> for SourceLink {
    fn from(link: &StoredLink) -> Self {
        Self {
            object: link.object,
            key: link.key.clone(),
            import: link.import,
            last_seen_at: Timestamp(link.last_seen_at),
            missing_since: link.missing_since.map(Timestamp),
            is_deactivated: link.is_deactivated,
        }
    }
}

/// How a row or a missing record changed links.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LinkChange {
    /// The links that it replaced: the one of the record, and another one of the object.
    #[serde(rename = "b", default, skip_serializing_if = "Vec::is_empty")]
    before: Vec<StoredLink>,
    /// The link after it; `None` if the object is deleted.
    #[serde(rename = "a", default, skip_serializing_if = "Option::is_none")]
    after: Option<StoredLink>,
    /// What the row had done before as another record.
    #[serde(rename = "f", default, skip_serializing_if = "Option::is_none")]
    first: Option<Box<LinkChange>>,
}

impl LinkChange {
    pub(super) fn new(before: &[SourceLink], after: Option<&SourceLink>) -> Self {
        Self {
            before: before.iter().map(StoredLink::from).collect(),
            after: after.map(StoredLink::from),
            first: None,
        }
    }

    /// This change after another one, which a row made that may have been of another record then.
    pub(super) fn following(mut self, first: &Self) -> Self {
        if self.record() == first.record() {
            self.before.clone_from(&first.before);
            self.first.clone_from(&first.first);
        } else {
            self.first = Some(Box::new(first.clone()));
        }
        self
    }

    fn record(&self) -> Option<&str> {
        let link = self.after.as_ref().or(self.before.first());
        link.map(|link| link.key.as_str())
    }

    /// The texts that identify the record.
    pub(super) fn key(&self) -> Value {
        self.record().map(key_answer).unwrap_or_default()
    }

    /// Makes the links what they were, unless they have changed since.
    pub(super) fn take_back(&self, tx: &mut WriteTx<'_>, source: SourceId) -> Result<(), Error> {
        self.take_back_last(tx, source)?;
        match &self.first {
            Some(first) => first.take_back(tx, source),
            None => Ok(()),
        }
    }

    fn take_back_last(&self, tx: &mut WriteTx<'_>, source: SourceId) -> Result<(), Error> {
        if !self.stands(tx, source)? {
            return Ok(());
        }
        let mut restored: Vec<SourceLink> = Vec::new();
        for before in self.before.iter().map(SourceLink::from) {
            if self.is_free(tx, source, &before)? {
                restored.push(before);
            }
        }
        let removed: Vec<ObjectId> = self.after.iter().map(|after| after.object).collect();
        Ok(tx.replace_source_links(source, &removed, &restored)?)
    }

    /// Whether nothing has changed the links since.
    pub(super) fn is_last(&self, tx: &mut ReadTx<'_>, source: SourceId) -> Result<bool, Error> {
        for before in self.before.iter().map(SourceLink::from) {
            if !self.is_free(tx, source, &before)? {
                return Ok(false);
            }
        }
        self.stands(tx, source)
    }

    /// Whether the link after it is still that.
    fn stands(&self, tx: &mut ReadTx<'_>, source: SourceId) -> Result<bool, Error> {
        let Some(after) = &self.after else {
            return Ok(true);
        };
        let found = tx.source_links_of(source, &[after.object])?;
        Ok(found.first().map(StoredLink::from).as_ref() == Some(after))
    }

    /// Whether no other link has the object or the record of this one.
    fn is_free(
        &self,
        tx: &mut ReadTx<'_>,
        source: SourceId,
        before: &SourceLink,
    ) -> Result<bool, Error> {
        let own = self.after.as_ref().map(|after| after.object);
        let of_object = tx.source_links_of(source, &[before.object])?;
        let of_key = tx.source_links_with_keys(source, &HashSet::from([&*before.key]))?;
        let mut links = of_object.iter().chain(&of_key);
        Ok(links.all(|link| Some(link.object) == own))
    }
}

/// The key of a record as answers show it.
pub(crate) fn key_answer(key: &str) -> Value {
    serde_json::from_str(key).unwrap_or_default()
}

/// The key of a record as it is stored.
pub(super) fn key_of(texts: &[String]) -> String {
    Value::from(texts.to_vec()).to_string()
}

/// The links of the rows of a chunk.
pub(super) struct ChunkLinks {
    source: SourceId,
    import: ImportId,
    now: Timestamp,
    is_dry: bool,
    /// The records of all rows of the file.
    records: Arc<FileKeys>,
    of_records: HashMap<String, SourceLink>,
    of_objects: HashMap<ObjectId, SourceLink>,
    objects: HashMap<ObjectId, ObjectRow>,
    /// Objects whose links stay, and are seen.
    seen: Vec<ObjectId>,
    removed: Vec<ObjectId>,
    added: Vec<SourceLink>,
}

impl ChunkLinks {
    /// Reads the links of the rows, and of the objects that were found by their keys. `None` if the
    /// import has no source that tracks its records.
    pub(super) fn read<'f>(
        tx: &mut WriteTx<'_>,
        chunk: &ChunkWrite,
        (access, rows): (&Access, &[PreparedRow]),
        found: impl Iterator<Item = &'f ObjectRow>,
        room: &mut Room,
    ) -> Result<Option<Self>, Error> {
        let plan = &chunk.context.plan;
        let Some(bound) = plan.source.as_ref().filter(|bound| bound.tracks()) else {
            return Ok(None);
        };
        tx.lock_imports_of(plan.type_id, chunk.import)?;
        check_exists(tx, bound.id)?;
        let keys = rows.iter().filter_map(|row| row.record.as_deref());
        let of_records = tx.source_links_with_keys(bound.id, &keys.collect())?;
        let linked: Vec<ObjectId> = of_records.iter().map(|link| link.object).collect();
        let found: Vec<ObjectId> = found.map(|row| row.public_id).collect();
        let of_objects = tx.source_links_of(bound.id, &found)?;
        let objects = objects(tx, access, linked, room)?;
        let by_object = of_records.iter().chain(&of_objects);
        Ok(Some(Self {
            source: bound.id,
            import: chunk.import,
            now: tx.context().now,
            is_dry: plan.dry_run,
            records: Arc::clone(&chunk.records),
            of_objects: by_object.map(|link| (link.object, link.clone())).collect(),
            of_records: of_records
                .into_iter()
                .map(|link| (link.key.clone(), link))
                .collect(),
            objects: objects
                .into_iter()
                .map(|row| (row.public_id, row))
                .collect(),
            seen: Vec::new(),
            removed: Vec::new(),
            added: Vec::new(),
        }))
    }

    /// The objects of a row: the one of its record, else those that its key fits.
    ///
    /// # Errors
    ///
    /// The object belongs to another record that is still in the source.
    pub(super) fn objects<'f>(
        &'f self,
        row: &PreparedRow,
        found: &'f [ObjectRow],
    ) -> Result<&'f [ObjectRow], RowProblem> {
        let Some(key) = &row.record else {
            return Ok(&[]);
        };
        let link = self.of_records.get(key);
        if let Some(stored) = link.and_then(|link| self.objects.get(&link.object)) {
            return Ok(std::slice::from_ref(stored));
        }
        if let [stored] = found
            && let Some(other) = self.of_objects.get(&stored.public_id)
            && (other.import == self.import.get() || self.is_in_file(other))
        {
            let detail = format!(
                "object {}, which its key fits, belongs to the record {} of the source",
                stored.public_id, other.key
            );
            return Err(RowProblem::of_row(detail));
        }
        Ok(found)
    }

    fn is_in_file(&self, link: &SourceLink) -> bool {
        self.records.has_row(std::slice::from_ref(&link.key))
    }

    /// Makes an object active again that the source has made inactive, unless the row decides.
    pub(super) fn revive(&self, object: ObjectId, patch: &mut Value) {
        let link = self.of_objects.get(&object);
        if link.is_some_and(|link| link.is_deactivated) && patch.get(ACTIVE).is_none() {
            patch[ACTIVE] = Value::Bool(true);
        }
    }

    /// Notes the object of a row. A row that is refused shows that its record is not missing.
    pub(super) fn note(&mut self, row: &PreparedRow, result: &mut RowResult) {
        let Some(key) = row.record.as_ref().filter(|_| row.duplicate_of.is_none()) else {
            return;
        };
        let before = self.of_records.get(key).cloned();
        let is_refused = result.status.is_failure();
        let object = match &before {
            Some(link) if is_refused && self.objects.contains_key(&link.object) => link.object,
            _ => match result.object.filter(|_| !is_refused) {
                Some(object) => object,
                None => return,
            },
        };
        let after = SourceLink {
            object,
            key: key.clone(),
            import: self.import.get(),
            last_seen_at: self.now,
            missing_since: None,
            is_deactivated: is_refused && before.as_ref().is_some_and(|link| link.is_deactivated),
        };
        let other = self
            .of_objects
            .get(&object)
            .filter(|other| other.key != *key);
        let replaced: Vec<SourceLink> = before.into_iter().chain(other.cloned()).collect();
        match replaced.as_slice() {
            [only] if only.object == object && only.key == *key && !after.is_deactivated => {
                self.seen.push(object);
            }
            replaced => {
                self.removed.extend(replaced.iter().map(|link| link.object));
                self.added.push(after.clone());
            }
        }
        if self.is_dry {
            let is_other = |link: &SourceLink| link.object == object && link.key != *key;
            result.takes_over = replaced.iter().any(is_other);
        } else {
            result.link = Some(LinkChange::new(&replaced, Some(&after)));
        }
        for link in &replaced {
            self.of_records.remove(&link.key);
        }
        self.of_objects.insert(object, after);
    }

    /// Writes the links; the objects must be there.
    pub(super) fn write(&self, tx: &mut WriteTx<'_>) -> Result<(), Error> {
        if self.is_dry {
            return Ok(());
        }
        tx.replace_source_links(self.source, &self.removed, &self.added)?;
        Ok(tx.see_source_links(self.source, self.import, &self.seen)?)
    }
}

/// Checks that nobody has deleted the source meanwhile.
pub(super) fn check_exists(tx: &mut ReadTx<'_>, source: SourceId) -> Result<(), Error> {
    if tx.source(source)?.is_none() {
        let detail = format!("the source {source} was deleted meanwhile");
        return Err(Error::invalid("", detail));
    }
    Ok(())
}
