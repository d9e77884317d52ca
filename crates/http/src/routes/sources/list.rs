use stockroom_access::permission::ObjectImport;
use stockroom_service::source;

use crate::answer::{Answer, Model, Problem};
use crate::request::{ListQuery, Permit};
use crate::schema::{List, ListParameters, Source};

/// List sources
///
/// Except those of types whose objects the caller may not read.
#[utoipa::path(
    get, path = "/rest/sources", tag = "Sources", operation_id = "list_sources",
    params(ListParameters),
    responses((status = 200, description = "A page of sources", body = List<Source>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectImport>,
    query: ListQuery,
) -> Result<Answer, Problem> {
    let page = source::list(&permit, query.request.clone()).await?;
    Ok(query.answer(Model::Source, &page))
}
