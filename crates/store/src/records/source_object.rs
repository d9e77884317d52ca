//! Which object belongs to which record of a source.
//!
//! An object has at most one link for each source, which the primary key enforces. A record has at
//! most one, because imports of a type take turns.

use std::collections::HashSet;

use stockroom_access::Scope;
use stockroom_model::{ImportId, ObjectId, SourceId, Timestamp};

use crate::Error;
use crate::engine::driver::{BatchStatement, Param, Row};
use crate::transaction::{ReadTx, WriteTx};

/// The link of an object to a record of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLink {
    /// The object.
    pub object: ObjectId,
    /// The record: a JSON array of texts.
    pub key: String,
    /// The id of the last import that saw the record or missed it.
    pub import: i64,
    /// When an import saw the record last.
    pub last_seen_at: Timestamp,
    /// Since when the record is missing.
    pub missing_since: Option<Timestamp>,
    /// Whether the source made the object inactive.
    pub is_deactivated: bool,
}

/// How many objects a source has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LinkCounts {
    /// The source.
    pub source: i64,
    /// Objects that belong to a record.
    pub linked: i64,
    /// Those whose records are missing.
    pub missing: i64,
}

const SELECT_WITH_KEYS: &str = "SELECT object_id, external_key, import_id, last_seen_at, missing_since, deactivated FROM source_object \
     WHERE source_id = ?1 AND external_key IN (SELECT value FROM rarray_of_bytes(?2))";
const SELECT_OF_OBJECTS: &str = "SELECT object_id, external_key, import_id, last_seen_at, missing_since, deactivated FROM source_object \
     WHERE source_id = ?1 AND object_id IN (SELECT value FROM rarray(?2))";
const SELECT_BEFORE: &str = "SELECT object_id, external_key, import_id, last_seen_at, missing_since, deactivated FROM source_object \
     WHERE source_id = ?1 AND object_id < ?2 ORDER BY object_id DESC LIMIT ?3";
// The sources are given, because no index begins with the object.
const SELECT_OF_OBJECT: &str = "SELECT object_id, external_key, import_id, last_seen_at, missing_since, deactivated, source_id FROM source_object \
     WHERE source_id IN (SELECT value FROM rarray(?1)) AND object_id = ?2 ORDER BY source_id";
// Objects that were deleted are not shown.
const SELECT_SEEN: &str = "SELECT source_object.object_id, external_key, import_id, last_seen_at, missing_since, deactivated FROM source_object \
     JOIN object ON object.public_id = source_object.object_id WHERE source_id = ?1 AND source_object.object_id > ?2 \
     AND object.type_id NOT IN (SELECT value FROM rarray(?3)) ORDER BY source_object.object_id LIMIT ?4";
const SELECT_SEEN_MISSING: &str = "SELECT source_object.object_id, external_key, import_id, last_seen_at, missing_since, deactivated FROM source_object \
     JOIN object ON object.public_id = source_object.object_id WHERE source_id = ?1 AND source_object.object_id > ?2 \
     AND object.type_id NOT IN (SELECT value FROM rarray(?3)) AND missing_since IS NOT NULL ORDER BY source_object.object_id LIMIT ?4";
// For a join, SQLite walks the keys of records, and visits objects in that order: 16 times as slow.
const COUNT_ALL: &str = "SELECT source_id, COUNT(*), SUM(CASE WHEN missing_since IS NULL THEN 0 ELSE 1 END) FROM source_object \
     WHERE object_id IN (SELECT public_id FROM object) GROUP BY source_id";
const COUNT: &str = "SELECT COUNT(*), COALESCE(SUM(CASE WHEN missing_since IS NULL THEN 0 ELSE 1 END), 0) FROM source_object \
     JOIN object ON object.public_id = source_object.object_id WHERE source_id = ?1";
const COUNT_UNSEEN: &str = "SELECT COUNT(*) FROM source_object JOIN object ON object.public_id = source_object.object_id \
     WHERE source_id = ?1 AND import_id <> ?2 AND last_seen_at <= ?3 AND missing_since IS NULL";
const FIND: &str = "SELECT object_id FROM source_object WHERE source_id = ?1 LIMIT 1";
const FORGET_IMPORT: &str =
    "UPDATE source_object SET import_id = 0 WHERE source_id = ?1 AND import_id = ?2";
const SEE: &str = "UPDATE source_object SET import_id = ?2, last_seen_at = ?3, missing_since = NULL, deactivated = 0 \
     WHERE source_id = ?1 AND object_id IN (SELECT value FROM rarray(?4))";
const DELETE_SOME: &str = "DELETE FROM source_object WHERE source_id = ?1 AND object_id IN (SELECT value FROM rarray(?2))";
const DELETE_ALL: &str = "DELETE FROM source_object WHERE source_id = ?1";
const INSERT: BatchStatement<'_> = BatchStatement {
    width: 7,
    one: "INSERT INTO source_object (source_id, object_id, external_key, import_id, last_seen_at, missing_since, deactivated) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    all: "INSERT INTO source_object (source_id, object_id, external_key, import_id, last_seen_at, missing_since, deactivated) \
          SELECT * FROM UNNEST(CAST(?1 AS BIGINT[]), CAST(?2 AS BIGINT[]), CAST(?3 AS BYTEA[]), CAST(?4 AS BIGINT[]), CAST(?5 AS BIGINT[]), \
          CAST(?6 AS BIGINT[]), CAST(?7 AS BIGINT[]))",
    alike: None,
    copy: None,
};

fn link(row: &dyn Row) -> Result<SourceLink, Error> {
    let key = std::str::from_utf8(row.bytes(1)?);
    Ok(SourceLink {
        object: row.id(0)?,
        key: key
            .map_err(|_| Error::Damaged("the key of a record is no text".to_owned()))?
            .to_owned(),
        import: row.int(2)?,
        last_seen_at: Timestamp(row.int(3)?),
        missing_since: row.opt_int(4)?.map(Timestamp),
        is_deactivated: row.int(5)? != 0,
    })
}

fn counts(row: &dyn Row) -> Result<LinkCounts, Error> {
    Ok(LinkCounts {
        source: row.int(0)?,
        linked: row.int(1)?,
        missing: row.int(2)?,
    })
}

impl ReadTx<'_> {
    /// The links of records, by their keys.
    pub fn source_links_with_keys(
        &mut self,
        source: SourceId,
        keys: &HashSet<&str>,
    ) -> Result<Vec<SourceLink>, Error> {
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let keys: Vec<Vec<u8>> = keys.iter().map(|key| key.as_bytes().to_vec()).collect();
        let params = [source.get().into(), Param::ManyBytes(&keys)];
        self.all(SELECT_WITH_KEYS, &params, link)
    }

    /// The links of objects.
    pub fn source_links_of(
        &mut self,
        source: SourceId,
        objects: &[ObjectId],
    ) -> Result<Vec<SourceLink>, Error> {
        if objects.is_empty() {
            return Ok(Vec::new());
        }
        let objects = numbers(objects);
        let params = [source.get().into(), Param::Ints(&objects)];
        self.all(SELECT_OF_OBJECTS, &params, link)
    }

    /// The links of an object to some sources, in the order of their ids.
    pub fn source_links_of_object(
        &mut self,
        sources: &[SourceId],
        object: ObjectId,
    ) -> Result<Vec<(SourceId, SourceLink)>, Error> {
        let sources: Vec<i64> = sources.iter().map(|id| id.get()).collect();
        let params = [Param::Ints(&sources), object.into()];
        self.all(SELECT_OF_OBJECT, &params, |row| {
            Ok((row.id(6)?, link(row)?))
        })
    }

    /// The last links of a source before an id, the newest object first. Their objects may have been
    /// deleted.
    pub fn source_links_before(
        &mut self,
        source: SourceId,
        before: i64,
        limit: i64,
    ) -> Result<Vec<SourceLink>, Error> {
        let params = [source.get().into(), before.into(), limit.into()];
        self.all(SELECT_BEFORE, &params, link)
    }

    /// The links of a source to objects that `scope` sees, in the order of the objects.
    pub fn source_links(
        &mut self,
        scope: &Scope,
        source: SourceId,
        is_missing: bool,
        after: i64,
        limit: i64,
    ) -> Result<Vec<SourceLink>, Error> {
        let hidden: Vec<i64> = scope.hidden().iter().map(|id| id.get()).collect();
        let params = [
            source.get().into(),
            after.into(),
            Param::Ints(&hidden),
            limit.into(),
        ];
        let sql = if is_missing {
            SELECT_SEEN_MISSING
        } else {
            SELECT_SEEN
        };
        self.all(sql, &params, link)
    }

    /// How many objects each source has.
    pub fn source_link_counts(&mut self) -> Result<Vec<LinkCounts>, Error> {
        self.all(COUNT_ALL, &[], counts)
    }

    /// How many objects a source has.
    pub fn source_link_counts_of(&mut self, source: SourceId) -> Result<LinkCounts, Error> {
        let found = self.first(COUNT, &[source.get().into()], |row| {
            Ok(LinkCounts {
                source: source.get(),
                linked: row.int(0)?,
                missing: row.int(1)?,
            })
        })?;
        Ok(found.unwrap_or_default())
    }

    /// The number of objects whose records were not missing yet, and that an import has not seen.
    pub fn unseen_source_links(
        &mut self,
        source: SourceId,
        import: ImportId,
        uploaded_at: Timestamp,
    ) -> Result<i64, Error> {
        let params = [
            source.get().into(),
            import.get().into(),
            uploaded_at.0.into(),
        ];
        let count = self.first(COUNT_UNSEEN, &params, |row| row.int(0))?;
        Ok(count.unwrap_or_default())
    }

    /// Whether a source has links.
    pub fn has_source_links(&mut self, source: SourceId) -> Result<bool, Error> {
        let found = self.first(FIND, &[source.get().into()], |row| row.int(0))?;
        Ok(found.is_some())
    }
}

impl WriteTx<'_> {
    /// Makes links forget an import, which may run again after an undo.
    pub fn forget_import_in_links(
        &mut self,
        source: SourceId,
        import: ImportId,
    ) -> Result<(), Error> {
        let params = [source.get().into(), import.get().into()];
        self.run(FORGET_IMPORT, &params).map(drop)
    }

    /// Notes that an import sees the records of objects now.
    pub fn see_source_links(
        &mut self,
        source: SourceId,
        import: ImportId,
        objects: &[ObjectId],
    ) -> Result<(), Error> {
        if objects.is_empty() {
            return Ok(());
        }
        let (objects, now) = (numbers(objects), self.context().now.0);
        let params = [
            source.get().into(),
            import.get().into(),
            now.into(),
            Param::Ints(&objects),
        ];
        self.run(SEE, &params).map(drop)
    }

    /// Replaces the links of objects: those of `removed` are gone, then `links` are there.
    pub fn replace_source_links(
        &mut self,
        source: SourceId,
        removed: &[ObjectId],
        links: &[SourceLink],
    ) -> Result<(), Error> {
        if !removed.is_empty() {
            let objects = numbers(removed);
            let params = [source.get().into(), Param::Ints(&objects)];
            self.run(DELETE_SOME, &params)?;
        }
        let params: Vec<Param<'_>> = links
            .iter()
            .flat_map(|link| {
                [
                    source.get().into(),
                    link.object.into(),
                    link.key.as_bytes().into(),
                    link.import.into(),
                    link.last_seen_at.0.into(),
                    link.missing_since.map(|time| time.0).into(),
                    i64::from(link.is_deactivated).into(),
                ]
            })
            .collect();
        if links.is_empty() {
            return Ok(());
        }
        self.run_many(&INSERT, &params)
    }

    /// Removes all links of a source.
    pub(crate) fn delete_source_links(&mut self, source: SourceId) -> Result<(), Error> {
        self.run(DELETE_ALL, &[source.get().into()]).map(drop)
    }
}

fn numbers(objects: &[ObjectId]) -> Vec<i64> {
    objects.iter().map(|id| id.get()).collect()
}
