//! The objects of sources, and the sources of an object.

use serde::Serialize;
use stockroom_access::permission::{ObjectImport, ObjectView};
use stockroom_filter::Paths;
use stockroom_model::json::Value;
use stockroom_model::{ImportId, ObjectId, Source, SourceId, Timestamp};
use stockroom_store::{SourceLink, Stored};
use utoipa::ToSchema;

use super::stored;
use crate::core::answer::document;
use crate::core::list::{Collection, ListRequest, Page, TieBreaker, page};
use crate::features::import::key_answer;
use crate::records::object::visible;
use crate::{Error, Permit};

/// The most links of a page.
pub const MAX_LINKS: usize = 500;

const OF_OBJECT: Collection = Collection {
    paths: Paths {
        timestamps: &["last_seen_at", "missing_since"],
        secrets: &[],
    },
    tie_breaker: TieBreaker::Member("source_id"),
};

/// The requested links.
#[derive(Debug, Clone, Default)]
pub struct LinksRequest {
    /// Only objects whose records are missing.
    pub is_missing: bool,
    /// The cursor of an earlier page.
    pub after: Option<String>,
    /// How many objects.
    pub limit: usize,
}

/// A page of links.
#[derive(Debug)]
pub struct LinksPage {
    /// The links.
    pub results: Vec<Value>,
    /// The cursor of the next page; `None` after the last link.
    pub after: Option<String>,
}

/// A page of the objects of a source that the caller may read, in the order of their ids.
///
/// # Errors
///
/// There is no such source, or the cursor is none.
pub async fn objects(
    permit: &Permit<ObjectImport>,
    id: SourceId,
    request: LinksRequest,
) -> Result<LinksPage, Error> {
    let after = match request.after.as_deref() {
        None | Some("") => 0,
        Some(cursor) => cursor
            .parse()
            .map(ObjectId::get)
            .map_err(|_| Error::invalid("after", "is no cursor of a page of objects"))?,
    };
    let limit = request.limit.clamp(1, MAX_LINKS);
    let reader = permit.clone();
    let read = permit.read(move |tx| {
        let access = reader.access(tx)?;
        access.check::<ObjectView>()?;
        let source = stored(tx, &access, id)?.source.record.public_id;
        let one_more = i64::try_from(limit).unwrap_or(i64::MAX) + 1;
        Ok(tx.source_links(&access.scope, source, request.is_missing, after, one_more)?)
    });
    let mut links = read.await?;
    let has_more = links.len() > limit;
    links.truncate(limit);
    let last = links.last().filter(|_| has_more);
    Ok(LinksPage {
        after: last.map(|link| link.object.to_string()),
        results: links.iter().map(|link| document(&answer(link))).collect(),
    })
}

/// A page of the sources to whose records an object belongs.
pub async fn of_object(
    permit: &Permit<ObjectView>,
    id: ObjectId,
    request: ListRequest,
) -> Result<Page, Error> {
    let reader = permit.clone();
    let read = permit.read(move |tx| {
        let access = reader.access(tx)?;
        access.check::<ObjectImport>()?;
        let object = visible(tx, &access.scope, id)?;
        let sources = tx.sources_of_type(object.type_id)?;
        let ids: Vec<SourceId> = sources.iter().map(|known| known.record.public_id).collect();
        let links = tx.source_links_of_object(&ids, id)?;
        let answers = links.iter().filter_map(|(id, link)| {
            let source = sources.iter().find(|known| known.record.public_id == *id);
            source.map(|source| answer_of_object(source, link))
        });
        Ok(answers.collect())
    });
    page(permit.caller(), read.await?, &request, &OF_OBJECT).await
}

/// An object that belongs to a record of a source
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SourceObject)]
pub struct LinkAnswer {
    #[schema(value_type = i64)]
    object_id: ObjectId,
    /// The values of the columns that identify the record
    #[schema(value_type = Vec<String>)]
    external_key: Value,
    /// When an import saw the record last
    #[schema(example = "2026-01-31T12:00:00.000000")]
    last_seen_at: String,
    /// Since when the record is missing
    #[schema(required, example = "2026-01-31T12:00:00.000000")]
    missing_since: Option<String>,
}

/// A source to whose record an object belongs
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ObjectSource)]
pub struct ObjectLinkAnswer {
    #[serde(flatten)]
    link: LinkAnswer,
    #[schema(value_type = i64)]
    source_id: SourceId,
    #[schema(example = "vcenter")]
    source_name: String,
    /// Whether the source made the object inactive
    deactivated: bool,
    /// Id of the last import that saw the record or missed it; it may be deleted
    #[schema(value_type = Option<i64>, required)]
    last_import: Option<ImportId>,
}

fn answer_of_object(source: &Stored<Source>, link: &SourceLink) -> Value {
    document(&ObjectLinkAnswer {
        link: answer(link),
        source_id: source.record.public_id,
        source_name: source.record.name.clone(),
        deactivated: link.is_deactivated,
        last_import: ImportId::new(link.import),
    })
}

fn answer(link: &SourceLink) -> LinkAnswer {
    LinkAnswer {
        object_id: link.object,
        external_key: key_answer(&link.key),
        last_seen_at: link.last_seen_at.to_iso(),
        missing_since: link.missing_since.map(Timestamp::to_iso),
    }
}
