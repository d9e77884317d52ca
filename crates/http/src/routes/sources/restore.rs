use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::LogView;
use stockroom_model::SourceId;
use stockroom_service::{history::RestoreRequest, source};

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IfMatch, JsonBody, Origin, Permit};
use crate::schema::{RecordId, RestoreBody, Source, Updated};
use crate::state::AppState;

/// Restore an earlier state of a source
///
/// A deleted source gets its id back. If later changes would be overwritten, the answer is 409 with
/// a list of them, unless `force` is true.
#[utoipa::path(
    post, path = "/rest/sources/{public_id}/restore", tag = "Sources",
    operation_id = "restore_source",
    params(RecordId), request_body = RestoreBody,
    responses((status = 202, description = "The source as stored", body = Updated<Source>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<LogView>,
    Id(id): Id<SourceId>,
    IfMatch(precondition): IfMatch,
    origin: Origin,

    State(state): State<AppState>,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let request = RestoreRequest::read(&body)?;
    let written = source::restore(&permit, id, request, precondition).await?;
    let url = origin.url(&format!("/rest/sources/{id}"));
    Ok(Answer::of_update(
        StatusCode::ACCEPTED,
        Model::Source,
        &written,
        state.now(),
        &url,
    ))
}
