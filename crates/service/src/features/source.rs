//! Sources (`docs/guide/src/sources.md`): saved mappings of imports. Callers who import share them;
//! those of types whose objects a caller may not read are missing for it.

mod objects;
mod restore;

use serde::Serialize;
use stockroom_access::permission::ObjectImport;
use stockroom_filter::Paths;
use stockroom_model::body::Report;
use stockroom_model::json::Value;
use stockroom_model::source::SourceDraft;
use stockroom_model::{ImportId, Problem, Source, SourceId, Timestamp, TypeId};
use stockroom_store::{KnownSource, LinkCounts, ReadTx, Resource, Stored, WriteTx};
use utoipa::ToSchema;

use crate::core::access::Access;
use crate::core::answer;
use crate::core::change::{Change, Document, Precondition, Subject, Written};
use crate::core::list::{Collection, ListRequest, Page, TieBreaker, page};
use crate::features::import::check_runnable;
use crate::records::history::restore::time;
use crate::{Error, Permit};

pub use self::objects::{
    LinkAnswer, LinksPage, LinksRequest, MAX_LINKS, ObjectLinkAnswer, objects, of_object,
};
pub use self::restore::restore;

/// The most sources.
const MAX_SOURCES: usize = 1_000;

const COLLECTION: Collection = Collection {
    paths: Paths {
        timestamps: &["creation_time", "last_edit_time", "last_import_at"],
        secrets: &[],
    },
    tie_breaker: TieBreaker::Member("public_id"),
};

/// A page of the sources.
pub async fn list(permit: &Permit<ObjectImport>, request: ListRequest) -> Result<Page, Error> {
    let authorization = permit.authorization();
    let documents = permit
        .read(move |tx| {
            let access = authorization.access(tx)?;
            let mut sources = tx.sources()?;
            sources.retain(|known| access.scope.sees(known.source.record.type_id));
            let counts = tx.source_link_counts()?;
            let counts_of = |known: &KnownSource| {
                let id = known.source.record.public_id.get();
                let found = counts.iter().find(|counts| counts.source == id);
                found.copied().unwrap_or_default()
            };
            let answers = sources.iter().map(|known| answer(known, counts_of(known)));
            Ok(answers.collect())
        })
        .await?;
    page(permit.caller(), documents, &request, &COLLECTION).await
}

/// One source.
pub async fn read_source(permit: &Permit<ObjectImport>, id: SourceId) -> Result<Document, Error> {
    let authorization = permit.authorization();
    permit
        .read(move |tx| {
            let access = authorization.access(tx)?;
            let known = stored(tx, &access, id)?;
            document(tx, &known)
        })
        .await
}

/// Inserts a source.
pub async fn insert(permit: &Permit<ObjectImport>, body: Value) -> Result<Written, Error> {
    let made_at = time(permit, &body, "creation_time");
    let edited_at = time(permit, &body, "last_edit_time");
    let writer = permit.clone();
    permit
        .write(move |tx| {
            let access = writer.access(tx)?;
            let report = Report::default();
            let draft = report.finish(SourceDraft::read(&body, None, &report))?;
            if tx.count_sources()? >= MAX_SOURCES {
                let detail =
                    format!("there are {MAX_SOURCES} sources, the limit; delete one first");
                return Err(Error::invalid("", detail));
            }
            let (id, revision) =
                crate::core::id::allocate(tx, Resource::Source, draft.public_id, |tx, id| {
                    Ok(tx.source(id)?.is_some())
                })?;
            let created = made_at.clone();
            let created = created.unwrap_or_else(|| tx.context().now.to_iso());
            let source = draft.into_source(id, (created, edited_at.clone()));
            check(tx, &access, &source)?;
            let warnings = writer.warn(report.into_warnings())?;
            tx.insert_source(revision, source)?;
            written(tx, &access, id, warnings)
        })
        .await
}

/// Replaces or patches a source.
pub async fn update(
    permit: &Permit<ObjectImport>,
    id: SourceId,
    change: Change,
    precondition: Precondition,
) -> Result<Written, Error> {
    let writer = permit.clone();
    permit
        .write(move |tx| {
            let access = writer.access(tx)?;
            let stored = stored(tx, &access, id)?.source;
            precondition.check(tx, Subject::of(Resource::Source, id), stored.revision)?;
            let body = change.target(|| own_members(&stored.record));
            let report = Report::default();
            let draft = SourceDraft::read(&body, Some(&stored.record), &report);
            let draft = report.finish(draft)?;
            let before = &stored.record;
            let times = (before.creation_time.clone(), before.last_edit_time.clone());
            let source = draft.into_source(id, times);
            if *before != source {
                check(tx, &access, &source)?;
            }
            check_external_key(tx, before, &source)?;
            let warnings = writer.warn(report.into_warnings())?;
            tx.update_source(stored, source)?;
            written(tx, &access, id, warnings)
        })
        .await
}

/// Removes a source with its links. Its objects stay.
pub async fn delete(
    permit: &Permit<ObjectImport>,
    id: SourceId,
    precondition: Precondition,
) -> Result<Written, Error> {
    let writer = permit.clone();
    permit
        .write(move |tx| {
            let access = writer.access(tx)?;
            let known = stored(tx, &access, id)?;
            let source = &known.source;
            precondition.check(tx, Subject::of(Resource::Source, id), source.revision)?;
            let document = document(tx, &known)?;
            tx.exclude_imports(source.record.type_id)?;
            tx.delete_source(id, source.revision)?;
            Ok(Written {
                document,
                warnings: Vec::new(),
            })
        })
        .await
}

/// Removes the sources of a type.
pub(crate) fn forget_type(tx: &mut WriteTx<'_>, type_id: TypeId) -> Result<(), Error> {
    for Stored { record, revision } in tx.sources_of_type(type_id)? {
        tx.delete_source(record.public_id, revision)?;
    }
    Ok(())
}

/// Checks a source against other records.
fn check(tx: &mut WriteTx<'_>, access: &Access, source: &Source) -> Result<(), Error> {
    let other = tx.source_named(&source.name)?;
    if other.is_some_and(|other| other.record.public_id != source.public_id) {
        let detail = format!("{:?} is the name of another source", source.name);
        return Err(Error::invalid("/name", detail));
    }
    check_runnable(tx, access, source)
}

/// By other columns, no record would be known again, and all would seem to be missing.
fn check_external_key(tx: &mut WriteTx<'_>, before: &Source, after: &Source) -> Result<(), Error> {
    if before.external_key == after.external_key {
        return Ok(());
    }
    // An import that runs may be about to write the first links.
    tx.exclude_imports(before.type_id)?;
    if tx.has_source_links(before.public_id)? {
        let detail = "cannot change while objects are linked by it; make another source";
        return Err(Error::invalid("/external_key", detail));
    }
    Ok(())
}

fn stored(tx: &mut ReadTx<'_>, access: &Access, id: SourceId) -> Result<KnownSource, Error> {
    let known = tx.source(id)?;
    let known = known.filter(|known| access.scope.sees(known.source.record.type_id));
    known.ok_or_else(|| Error::not_found("source", id))
}

fn written(
    tx: &mut WriteTx<'_>,
    access: &Access,
    id: SourceId,
    warnings: Vec<Problem>,
) -> Result<Written, Error> {
    let known = stored(tx, access, id)?;
    Ok(Written {
        document: document(tx, &known)?,
        warnings,
    })
}

fn document(tx: &mut ReadTx<'_>, known: &KnownSource) -> Result<Document, Error> {
    let counts = tx.source_link_counts_of(known.source.record.public_id)?;
    Ok(Document {
        value: answer(known, counts),
        revision: known.source.revision,
    })
}

/// The members that bodies have, too.
fn own_members(source: &Source) -> Value {
    serde_json::to_value(source).unwrap_or_default()
}

/// A saved mapping of imports
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Source)]
pub struct SourceAnswer {
    #[serde(flatten)]
    source: Source,
    /// Id of the last import that wrote; it may be deleted
    #[schema(value_type = Option<i64>, required)]
    last_import: Option<ImportId>,
    /// When that began
    #[schema(required, example = "2026-01-31T12:00:00.000000")]
    last_import_at: Option<String>,
    /// Number of objects that belong to a record
    #[schema(minimum = 0)]
    linked_objects: i64,
    /// Number of those whose records are missing
    #[schema(minimum = 0)]
    missing_objects: i64,
}

fn answer(known: &KnownSource, counts: LinkCounts) -> Value {
    answer::document(&SourceAnswer {
        source: known.source.record.clone(),
        last_import: known.last_import,
        last_import_at: known.last_import_at.map(Timestamp::to_iso),
        linked_objects: counts.linked,
        missing_objects: counts.missing,
    })
}
