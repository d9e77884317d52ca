use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::ObjectImport;
use stockroom_service::source;

use crate::answer::{Answer, Model, Problem};
use crate::request::{JsonBody, Origin, Permit};
use crate::schema::{Inserted, Source, SourceBody};
use crate::state::AppState;

/// Insert a source
///
/// All who import share it. What a run of it may do is decided by the rights of the caller who runs
/// it.
#[utoipa::path(
    post, path = "/rest/sources", tag = "Sources", operation_id = "insert_source",
    request_body = SourceBody,
    responses((status = 201, description = "The source as stored", body = Inserted<Source>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectImport>,
    origin: Origin,
    State(state): State<AppState>,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let written = source::insert(&permit, body).await?;
    Ok(Answer::of_insert(
        StatusCode::CREATED,
        Model::Source,
        &written,
        state.now(),
        |id| origin.url(&format!("/rest/sources/{id}")),
    ))
}
