use axum::response::Response;
use stockroom_access::permission::ObjectView;
use stockroom_model::ObjectId;
use stockroom_service::object::list;

use super::list::{answer, request};
use crate::answer::Problem;
use crate::request::{Id, ListQuery, Permit, Prefer};
use crate::schema::{AsOfParameter, ListParameters, ObjectListParameters, ObjectResults, RecordId};

/// List the objects that reference an object
#[utoipa::path(
    get, path = "/rest/objects/{public_id}/references", tag = "Objects",
    operation_id = "list_references",
    params(RecordId, ListParameters, ObjectListParameters, AsOfParameter),
    responses(
        (
            status = 200,
            description = "A page of the objects that reference this one",
            body = ObjectResults,
        ),
    ),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectView>,
    Id(id): Id<ObjectId>,
    prefer: Prefer,
    mut query: ListQuery,
) -> Result<Response, Problem> {
    let request = request(&mut query, prefer)?;
    let found = list::references(&permit, id, request).await?;
    Ok(prefer.revisions_applied(answer(&query, found)?))
}
