use stockroom_access::permission::ObjectImport;
use stockroom_model::ImportId;
use stockroom_service::import::{self, RowsRequest};

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, ListQuery, Permit};
use crate::schema::{ImportMissing, List, PageParameters, RecordId};

/// List the objects that an import misses
///
/// Of an import that is bound to a source: the objects whose records the file lacks, with what
/// became of them, or in a dry run what would become of them.
#[utoipa::path(
    get, path = "/rest/imports/{public_id}/missing", tag = "Imports",
    operation_id = "list_missing_objects",
    params(RecordId, PageParameters),
    responses((status = 200, description = "A page of objects", body = List<ImportMissing>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectImport>,
    Id(id): Id<ImportId>,
    mut query: ListQuery,
) -> Result<Answer, Problem> {
    let (after, limit) = query.by_cursor(import::MAX_ROWS)?;
    let request = RowsRequest {
        status: None,
        after,
        limit,
    };
    let page = import::missing(&permit, id, request).await?;
    let envelope = query.envelope(Model::ImportMissing, None, page.after.as_deref());
    Ok(envelope.answer(&page.results))
}
