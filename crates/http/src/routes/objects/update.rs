use axum::extract::State;
use stockroom_access::permission::ObjectEdit;
use stockroom_model::ObjectId;
use stockroom_service::object::update;

use super::updated;
use crate::envelope::Answer;
use crate::extract::{ChangeBody, Id, IfMatch, Origin, Parameters, Permit};
use crate::problem::Problem;
use crate::schema::{NativeObject, ObjectBody, RecordId, Updated};
use crate::state::AppState;

/// The parameter of older clients for changing several objects at once.
const MANY_OBJECTS: &str = "objectIDs";

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
    parameters: Parameters,
    origin: Origin,
    State(state): State<AppState>,
    ChangeBody(change): ChangeBody,
) -> Result<Answer, Problem> {
    parameters.refuse(
        MANY_OBJECTS,
        "the path names the one object that is changed",
    )?;
    let mut written = update::update(&permit, id, change, precondition).await?;
    written.warnings.extend_from_slice(parameters.warnings());
    Ok(updated(&state, &origin, id, &written))
}
