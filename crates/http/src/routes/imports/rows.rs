use stockroom_access::permission::ObjectImport;
use stockroom_model::ImportId;
use stockroom_service::import::{self, RowsRequest};

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, ListQuery, Permit};
use crate::schema::{ImportRow, ImportRowsParameters, List, RecordId};

/// List the rows of an import
///
/// In the order of the file, each with its status. A page with a `status` may have fewer rows
/// than its limit, or none, and still a next page.
#[utoipa::path(
    get, path = "/rest/imports/{public_id}/rows", tag = "Imports",
    operation_id = "list_import_rows",
    params(RecordId, ImportRowsParameters),
    responses((status = 200, description = "A page of rows", body = List<ImportRow>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectImport>,
    Id(id): Id<ImportId>,
    mut query: ListQuery,
) -> Result<Answer, Problem> {
    let (after, limit) = query.by_cursor(import::MAX_ROWS)?;
    let request = RowsRequest {
        status: query.parameters.get("status")?.map(str::to_owned),
        after,
        limit,
    };
    let page = import::rows(&permit, id, request).await?;
    let envelope = query.envelope(Model::ImportRow, None, page.after.as_deref());
    Ok(envelope.answer(&page.results))
}
