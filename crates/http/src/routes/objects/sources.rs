use stockroom_access::permission::ObjectView;
use stockroom_model::ObjectId;
use stockroom_service::source;

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, ListQuery, Permit};
use crate::schema::{List, ListParameters, ObjectSource, RecordId};

/// List the sources of an object
///
/// Those to whose records it belongs. Besides, this needs the right of imports.
#[utoipa::path(
    get, path = "/rest/objects/{public_id}/sources", tag = "Objects",
    operation_id = "list_object_sources",
    params(RecordId, ListParameters),
    responses((status = 200, description = "A page of sources", body = List<ObjectSource>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectView>,
    Id(id): Id<ObjectId>,
    query: ListQuery,
) -> Result<Answer, Problem> {
    let page = source::of_object(&permit, id, query.request.clone()).await?;
    Ok(query.answer(Model::ObjectSource, &page))
}
