use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::ObjectImport;
use stockroom_model::SourceId;
use stockroom_service::source;

use crate::answer::{Answer, Model, Problem};
use crate::request::{ChangeBody, Id, IfMatch, Origin, Permit};
use crate::schema::{RecordId, Source, SourceBody, Updated};
use crate::state::AppState;

/// Replace a source
///
/// The type never changes, and `external_key` only while no object is linked by it.
#[utoipa::path(
    method(put, patch), path = "/rest/sources/{public_id}", tag = "Sources",
    operation_id = "replace_source",
    params(RecordId), request_body = SourceBody,
    responses((status = 202, description = "The source as stored", body = Updated<Source>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectImport>,
    Id(id): Id<SourceId>,
    IfMatch(precondition): IfMatch,
    origin: Origin,
    State(state): State<AppState>,
    ChangeBody(change): ChangeBody,
) -> Result<Answer, Problem> {
    let written = source::update(&permit, id, change, precondition).await?;
    Ok(Answer::of_update(
        StatusCode::ACCEPTED,
        Model::Source,
        &written,
        state.now(),
        &origin.url(&format!("/rest/sources/{id}")),
    ))
}
