use stockroom_access::permission::ObjectImport;
use stockroom_model::SourceId;
use stockroom_service::source::{self, LinksRequest};

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, ListQuery, Permit};
use crate::schema::{List, RecordId, SourceObject, SourceObjectsParameters};

/// List the objects of a source
///
/// In the order of their ids: those that belong to a record of the source and that the caller may
/// read.
#[utoipa::path(
    get, path = "/rest/sources/{public_id}/objects", tag = "Sources",
    operation_id = "list_source_objects",
    params(RecordId, SourceObjectsParameters),
    responses((status = 200, description = "A page of objects", body = List<SourceObject>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectImport>,
    Id(id): Id<SourceId>,
    mut query: ListQuery,
) -> Result<Answer, Problem> {
    let (after, limit) = query.by_cursor(source::MAX_LINKS)?;
    let request = LinksRequest {
        is_missing: query.parameters.flag("missing")?.unwrap_or_default(),
        after,
        limit,
    };
    let page = source::objects(&permit, id, request).await?;
    let envelope = query.envelope(Model::SourceObject, None, page.after.as_deref());
    Ok(envelope.answer(&page.results))
}
