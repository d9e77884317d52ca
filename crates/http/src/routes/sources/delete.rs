use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::ObjectImport;
use stockroom_model::SourceId;
use stockroom_service::source;

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IfMatch, Permit};
use crate::schema::{Deleted, RecordId, Source};
use crate::state::AppState;

/// Delete a source
///
/// With its links. Its objects stay.
#[utoipa::path(
    delete, path = "/rest/sources/{public_id}", tag = "Sources",
    operation_id = "delete_source",
    params(RecordId),
    responses((status = 202, description = "The removed source", body = Deleted<Source>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectImport>,
    Id(id): Id<SourceId>,
    IfMatch(precondition): IfMatch,
    State(state): State<AppState>,
) -> Result<Answer, Problem> {
    let removed = source::delete(&permit, id, precondition).await?;
    Ok(Answer::of_delete(
        StatusCode::ACCEPTED,
        Model::Source,
        &removed,
        state.now(),
    ))
}
