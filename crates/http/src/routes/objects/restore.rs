use axum::extract::State;
use stockroom_access::permission::ObjectRestore;
use stockroom_model::ObjectId;
use stockroom_service::history::RestoreRequest;
use stockroom_service::object::restore;

use super::updated;
use crate::answer::{Answer, Problem};
use crate::request::{Id, IfMatch, JsonBody, Origin, Permit};
use crate::schema::{NativeObject, RecordId, RestoreBody, Updated};
use crate::state::AppState;

/// Restore an earlier state of an object
///
/// The whole object, or some of its fields. A deleted object gets its id back, and references to it
/// are whole again. Passwords are not restored. If later changes would be overwritten, the answer is
/// 409 with a list of them, unless `force` is true.
#[utoipa::path(
    post, path = "/rest/objects/{public_id}/restore", tag = "Objects",
    operation_id = "restore_object",
    params(RecordId), request_body = RestoreBody,
    responses((status = 200, description = "The object as stored", body = Updated<NativeObject>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectRestore>,
    Id(id): Id<ObjectId>,
    IfMatch(precondition): IfMatch,
    origin: Origin,
    State(state): State<AppState>,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let request = RestoreRequest::read(&body)?;
    let written = restore::restore(&permit, id, request, precondition).await?;
    Ok(updated(&state, &origin, id, &written))
}
