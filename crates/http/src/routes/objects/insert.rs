use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::ObjectAdd;
use stockroom_model::json::Value;
use stockroom_service::object::insert;

use super::{native, url};
use crate::answer::{Answer, Model, Problem};
use crate::request::{JsonBody, Origin, Permit};
use crate::schema::{Inserted, NativeObject, ObjectBody};
use crate::state::AppState;

/// Insert an object
#[utoipa::path(
    post, path = "/rest/objects", tag = "Objects", operation_id = "insert_object",
    request_body = ObjectBody,
    responses((status = 200, description = "The object as stored", body = Inserted<NativeObject>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectAdd>,
    origin: Origin,
    State(state): State<AppState>,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let written = insert::insert(&permit, body).await?;
    let row = &written.row;
    let id = Value::from(row.public_id.get());
    Ok(Answer::inserted(
        StatusCode::OK,
        Model::Object,
        &id,
        &native(row),
        &written.warnings,
        state.now(),
    )
    .revision(row.revision)
    .location(&url(&origin, row.public_id)))
}
