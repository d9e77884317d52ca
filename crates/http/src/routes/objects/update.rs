use axum::extract::State;
use stockroom_access::permission::ObjectEdit;
use stockroom_model::ObjectId;
use stockroom_service::object::update;

use super::updated;
use crate::answer::{Answer, Problem};
use crate::request::{ChangeBody, Id, IfMatch, Origin, Permit};
use crate::schema::{NativeObject, ObjectBody, RecordId, Updated};
use crate::state::AppState;

/// Replace an object
#[utoipa::path(
    method(put, patch), path = "/rest/objects/{public_id}", tag = "Objects",
    operation_id = "replace_object",
    params(RecordId), request_body = ObjectBody,
    responses((status = 200, description = "The object as stored", body = Updated<NativeObject>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectEdit>,
    Id(id): Id<ObjectId>,
    IfMatch(precondition): IfMatch,
    origin: Origin,
    State(state): State<AppState>,
    ChangeBody(change): ChangeBody,
) -> Result<Answer, Problem> {
    let written = update::update(&permit, id, change, precondition).await?;
    Ok(updated(&state, &origin, id, &written))
}
