use axum::extract::State;
use axum::response::Response;
use stockroom_access::permission::ObjectActivation;
use stockroom_model::ObjectId;
use stockroom_model::json::Value;
use stockroom_service::object::state;

use super::updated;
use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IfMatch, IfNoneMatch, Origin, Permit, SmallJsonBody};
use crate::schema::{NativeObject, ObjectState, RecordId, Single, Updated};
use crate::state::AppState;

/// Read whether an object is active
#[utoipa::path(
    get, path = "/rest/objects/{public_id}/state", tag = "Objects",
    operation_id = "read_object_state",
    params(RecordId),
    responses((status = 200, description = "True if it is active", body = Single<bool>)),
)]
pub(super) async fn read(
    Permit(permit): Permit<ObjectActivation>,
    Id(id): Id<ObjectId>,
    known: IfNoneMatch,
    State(app): State<AppState>,
) -> Result<Response, Problem> {
    let (active, revision) = state::read_state(&permit, id).await?;
    Ok(known.answer(revision, || {
        Answer::single(Model::Object, &Value::Bool(active), app.now())
    }))
}

/// Activate or deactivate an object
#[utoipa::path(
    put, path = "/rest/objects/{public_id}/state", tag = "Objects",
    operation_id = "update_object_state",
    params(RecordId), request_body = ObjectState,
    responses((status = 200, description = "The object as stored", body = Updated<NativeObject>)),
)]
pub(super) async fn update(
    Permit(permit): Permit<ObjectActivation>,
    Id(id): Id<ObjectId>,
    IfMatch(precondition): IfMatch,
    origin: Origin,
    State(app): State<AppState>,
    SmallJsonBody(body): SmallJsonBody,
) -> Result<Answer, Problem> {
    let written = state::update(&permit, id, &body, precondition).await?;
    Ok(updated(&app, &origin, id, &written))
}
